/* How the application talks to the emulator. */
#ifndef STILLPOOL_SESSION_H
#define STILLPOOL_SESSION_H
#include <stdint.h>

#define STILLPOOL_PAINT 0xA5A5A5A5u
#define STILLPOOL_INLINE static inline __attribute__((always_inline))

extern uint32_t stillpool_stack_bottom[];

int stillpool_sample(void);                        /* whether there is one more sample */
void stillpool_read(void *to, uint32_t bytes);     /* the next input of the sample */
void stillpool_begin(void);                        /* right before the model runs; must not touch the stack */
void stillpool_end(int32_t status, uint32_t now, uint32_t depth); /* what a run took */
void stillpool_write(const void *from, uint32_t bytes);           /* the next output of the sample */
void stillpool_application(void);

STILLPOOL_INLINE uint32_t stillpool_stack_pointer(void) {
  uint32_t here;
#if defined(__riscv)
  __asm__ volatile("mv %0, sp" : "=r"(here));
#else
  __asm__ volatile("mov %0, sp" : "=r"(here));
#endif
  return here;
}

/* Ticks to go until the timer wraps. */
STILLPOOL_INLINE uint32_t stillpool_now(void) {
#if defined(__riscv)
  return 0u;
#else
  return *(volatile uint32_t *)0xE000E018u; /* SYST_CVR */
#endif
}

/* Paint the free stack. */
STILLPOOL_INLINE void stillpool_paint(void) {
  const uint32_t end = stillpool_stack_pointer();
  for (volatile uint32_t *at = stillpool_stack_bottom; (uint32_t)(uintptr_t)at < end; ++at) *at = STILLPOOL_PAINT;
}

/* Bytes of stack that were taken since it was painted. */
STILLPOOL_INLINE uint32_t stillpool_depth(void) {
  const uint32_t end = stillpool_stack_pointer();
  const volatile uint32_t *at = stillpool_stack_bottom;
  while ((uint32_t)(uintptr_t)at < end && *at == STILLPOOL_PAINT) ++at;
  return end - (uint32_t)(uintptr_t)at;
}
#endif
