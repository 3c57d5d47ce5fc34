/* The functions that emitted code may call, for freestanding compilers without a C library of their own. */
#ifndef STILLPOOL_MATH_H
#define STILLPOOL_MATH_H
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
float expf(float), logf(float), sqrtf(float), sinf(float), cosf(float), tanhf(float), powf(float, float);
float floorf(float), ceilf(float), roundf(float), truncf(float), fabsf(float), fmaxf(float, float), fminf(float, float);
float erff(float), expm1f(float), log1pf(float), atan2f(float, float), fmodf(float, float), rintf(float), copysignf(float, float);
double exp(double), log(double), sqrt(double), floor(double), ceil(double), round(double), fabs(double);
#endif
