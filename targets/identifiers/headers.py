"""Names that included headers declare besides functions, and the names of header files.

The code includes `<math.h>`, `<stdbool.h>`, `<stddef.h>`, `<stdint.h>`, `<string.h>` and stillpool's own. What
libraries (glibc, newlib) and compilers add to the standard's list in their default modes counts too.
"""

from __future__ import annotations

import re

from ...dialects.custom_types import TYPES as CUSTOM_TYPES

MACROS = frozenset(
    """BIG_ENDIAN BYTE_ORDER FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO HAVE_INITFINI_ARRAY INFINITY LITTLE_ENDIAN
    MATH_ERREXCEPT MATH_ERRNO MAXFLOAT NAN NFDBITS NULL PDP_ENDIAN RAND_MAX EXIT_FAILURE EXIT_SUCCESS MB_CUR_MAX
    DOMAIN HUGE OVERFLOW PLOSS SING TLOSS UNDERFLOW X_TLOSS
    WCONTINUED WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED WSTOPSIG
    WTERMSIG WUNTRACED
    alloca be16toh be32toh be64toh fpclassify htobe16 htobe32 htobe64 htole16 htole32 htole64 iscanonical iseqsig
    isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal issignaling issubnormal
    isunordered iszero le16toh le32toh le64toh math_errhandling offsetof signbit signgam strdupa strndupa unreachable
    i386 linux mips sparc sun unix""".split()
)
"""Macros whose names follow no scheme, and what compilers define for a system."""

MACRO_SCHEMES = re.compile(
    r"U?INT[A-Z0-9_]*_(MAX|MIN|C|WIDTH)|(SIZE|PTRDIFF|SIG_ATOMIC|WCHAR|WINT)_(MAX|MIN|WIDTH)"
    r"|FP_[A-Z0-9_]+|(HUGE_VAL|SNAN)\w*|__\w+__"
    r"|M_(E|LOG2_?E|LOG10E|LN2(HI|LO)?|LN10|I?V?LN10|INVLN2|[13]?_?PI|3PI_4|PI_[24]|[12]_PI|2_SQRTPI|SQRT[123](_2)?|SQRTPI"
    r"|TWOPI)(l|f(16|32|64|128)?x?)?"
)
"""Macros of `<stdint.h>` and `<math.h>`, those that the standard keeps for later included."""

TYPES = frozenset(
    """div_t double_t fd_mask fd_set float_t intmax_t intptr_t ldiv_t lldiv_t locale_t max_align_t nullptr_t ptrdiff_t
    register_t sigset_t size_t ssize_t time_t u_char u_int u_long u_short uint uintmax_t uintptr_t ulong ushort wchar_t
    wint_t""".split()
)
"""Types whose names follow no scheme."""

TYPE_SCHEMES = re.compile(r"u?int(_fast|_least)?\d+_t|u_int\d+_t|(pthread|clock|timer|fsid|blk|fs)\w*_t")

OWN = frozenset(
    [
        "STILLPOOL_ALIGNED",
        "STILLPOOL_CUSTOM",
        *(f"STILLPOOL_{name.upper()}" for name in CUSTOM_TYPES),
        *(f"stillpool_custom_{word}" for word in ("input", "output", "function")),
    ]
)
"""Names that stillpool's own headers define for all models."""

FILES = frozenset(
    """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
    stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
    _ansi _newlib_version aio alloca byteswap cpio dirent dlfcn elf endian envlock envz err error fcntl features
    fmtmsg fnmatch ftw getopt glob grp iconv ieeefp inttypes langinfo libgen machine malloc memory mntent monetary
    mqueue ndbm netdb newlib nl_types paths picolibc poll process pthread pwd reent regdef regex sched search semaphore
    spawn strings stropts syslog tar termios tgmath threads trace ucontext ulimit unctrl unistd utime utmp utmpx values
    varargs wait windows wordexp xlocale
    arm_acle arm_fp16 arm_mve arm_neon cmsis_compiler core_cm0 core_cm3 core_cm4 core_cm7 core_cm33 core_cm55
    stillpool stillpool_custom""".split()
)
"""Files `<name>.h` that a system or stillpool has; a model's header stands before them on a compiler's path."""
