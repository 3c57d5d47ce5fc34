/* What the examples share: scans of digits, and how a model takes and gives numbers. */
#ifndef SCANS_H
#define SCANS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "samples.h"

/* A pixel of 0 to 16 as a model takes it: 0.0 to 1.0, quantised. */
static inline int8_t quantise(uint8_t pixel, float scale, int zero_point)
{
    const float level = floorf((float)pixel / 16.0f / scale + 0.5f) + (float)zero_point;
    return (int8_t)fminf(fmaxf(level, -128.0f), 127.0f);
}

/* The position of the largest score. */
static inline int best(const int8_t *scores, int count)
{
    int found = 0;
    for (int i = 1; i < count; ++i) {
        found = scores[i] > scores[found] ? i : found;
    }
    return found;
}

/* Says how many predictions were right; the exit code of an example. */
static inline int verdict(const char *name, int right)
{
    printf("%s: %d of %d right\n", name, right, SAMPLES_COUNT);
    return right >= SAMPLES_COUNT * 9 / 10 ? 0 : 1;
}

#endif
