/* A counter that goes up while the processor runs: cycles on Arm processors that have the DWT unit's counter,
 * ticks of clock() on anything else. */
#ifndef CYCLES_H
#define CYCLES_H

#include <stdint.h>

#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__) || \
    defined(__ARM_ARCH_8_1M_MAIN__)

#define CYCLES_DEMCR (*(volatile uint32_t *)0xE000EDFCu)
#define CYCLES_DWT_CTRL (*(volatile uint32_t *)0xE0001000u)
#define CYCLES_DWT_CYCCNT (*(volatile uint32_t *)0xE0001004u)
#define CYCLES_DWT_LAR (*(volatile uint32_t *)0xE0001FB0u)

static void cycles_start(void)
{
    CYCLES_DEMCR |= 1u << 24;      /* TRCENA: the DWT unit is on */
    CYCLES_DWT_LAR = 0xC5ACCE55u;  /* some Cortex-M7 lock the unit; elsewhere the write does nothing */
    CYCLES_DWT_CYCCNT = 0u;
    CYCLES_DWT_CTRL |= 1u;         /* CYCCNTENA */
}

static uint32_t cycles_now(void)
{
    return CYCLES_DWT_CYCCNT;
}

#else

#include <time.h>

static void cycles_start(void)
{
}

static uint32_t cycles_now(void)
{
    return (uint32_t)clock();
}

#endif

#endif
