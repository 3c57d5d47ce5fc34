"""Words that the languages keep for themselves."""

from __future__ import annotations

C = frozenset(
    """alignas alignof auto bool break case char const constexpr continue default do double else enum extern false
    float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct
    switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
    _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic _Imaginary _Noreturn
    _Static_assert _Thread_local""".split()
)
"""C99, C11 and C23."""

CXX = frozenset(
    """and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept
    const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept
    not not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template this throw
    try typeid typename using virtual wchar_t xor xor_eq""".split()
)
"""Keywords that C++ up to C++20 adds."""

COMPILERS = frozenset("asm main typeof".split())
"""Words that compilers add in their default modes, and the name of a program's first function."""

KEYWORDS = C | CXX | COMPILERS
