"""Functions with external linkage that a program has besides its own: C's library, and what `<string.h>` and `<math.h>`
of glibc and newlib declare beyond it.

The standard keeps the names of its functions for them whether their header is included or not (C99 7.1.3), and
compilers know them as builtins.
"""

from __future__ import annotations

_MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs
fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb infinity isinf isnan j0 j1 jn ldexp lgamma llrint llround
log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round
roundeven scalb scalbln scalbn significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn""".split()

_COMPLEX = """cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin
csinh csqrt ctan ctanh""".split()

_OTHERS = """
abort abs aligned_alloc asctime at_quick_exit atexit atof atoi atol atoll bsearch btowc c16rtomb c32rtomb call_once
calloc clearerr clock cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait ctime difftime div exit
fclose feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feof feraiseexcept ferror fesetenv
fesetexceptflag fesetround fetestexcept feupdateenv fflush fgetc fgetpos fgets fgetwc fgetws fopen fprintf fputc fputs
fputwc fputws fread free freopen fscanf fseek fsetpos ftell fwide fwprintf fwrite fwscanf getc getchar getenv gets
getwc getwchar gmtime imaxabs imaxdiv isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace
isupper iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper
iswxdigit isxdigit labs ldiv llabs lldiv localeconv localtime longjmp malloc mblen mbrlen mbrtoc16 mbrtoc32 mbrtowc
mbsinit mbsrtowcs mbstowcs mbtowc memchr memcmp memcpy memmove memset mktime mtx_destroy mtx_init mtx_lock
mtx_timedlock mtx_trylock mtx_unlock perror printf putc putchar puts putwc putwchar qsort quick_exit raise rand
realloc remove rename rewind scanf setbuf setjmp setlocale setvbuf signal snprintf sprintf srand sscanf strcat strchr
strcmp strcoll strcpy strcspn strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod
strtof strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax strxfrm swprintf swscanf system thrd_create
thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield time timespec_get tmpfile tmpnam tolower
toupper towctrans towlower towupper tss_create tss_delete tss_get tss_set ungetc ungetwc vfprintf vfscanf vfwprintf
vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wcrtomb wcscat wcschr wcscmp
wcscoll wcscpy wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof
wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcstoumax wcsxfrm wctob wctomb wctrans wctype wmemchr
wmemcmp wmemcpy wmemmove wmemset wprintf wscanf

basename bcmp bcopy bzero explicit_bzero ffs ffsl ffsll fls flsl flsll gamma_r gammaf_r index lgamma_r lgammaf_r
lgammal_r memccpy memfrob memmem mempcpy memrchr rawmemchr rindex stpcpy stpncpy strcasecmp strcasecmp_l strcasestr
strchrnul strcoll_l strdup strerror_l strerror_r strfry strlcat strlcpy strlwr strncasecmp strncasecmp_l strndup
strnlen strnstr strsep strsignal strtok_r strupr strverscmp strxfrm_l timingsafe_bcmp timingsafe_memcmp

_exit _Exit execl execle execlp execv execve execvp fork fprintf_unlocked fputc_unlocked fputs_unlocked
fwrite_unlocked gettext dcgettext dgettext printf_unlocked putchar_unlocked puts_unlocked strfmon toascii""".split()

FUNCTIONS = frozenset(
    [
        *(f"{name}{suffix}" for name in (*_MATH, *_COMPLEX) for suffix in ("", "f", "l")),
        *_OTHERS,
    ]
)
"""Names of the functions."""

_BINARY = "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder".split()
_NOT_REAL = """finite frexp ilogb infinity isinf isnan jn ldexp llrint llround lrint lround modf nan nexttoward remquo
scalbln scalbn sincos yn""".split()


def reals_of(name: str) -> int | None:
    """How many numbers of its own type, `float` or `double`, a function of `<math.h>` takes to give another of it; None
    if it is no such function.
    """
    stem = name.removesuffix("f") if name.removesuffix("f") in _MATH else name
    if stem not in _MATH or stem in _NOT_REAL:
        return None
    return 3 if stem == "fma" else 2 if stem in _BINARY else 1


def takes_float(name: str) -> bool:
    """Whether a function of `<math.h>` is the one of `float`."""
    return name not in _MATH
