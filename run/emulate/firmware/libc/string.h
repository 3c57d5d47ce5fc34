/* The functions that emitted code may call, for freestanding compilers without a C library of their own. */
#ifndef STILLPOOL_STRING_H
#define STILLPOOL_STRING_H
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
#endif
