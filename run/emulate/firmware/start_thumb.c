/* Start-up code for Cortex-M: vector table, data and bss, FPU, then the application. */
#include "session.h"

extern uint32_t stillpool_data_load[], stillpool_data_start[], stillpool_data_end[];
extern uint32_t stillpool_bss_start[], stillpool_bss_end[], stillpool_stack_top[];

void stillpool_initialise(void);
void stillpool_start(void);
void stillpool_reset(void);
void stillpool_tick(void);
void stillpool_fault(void);

void stillpool_initialise(void) {
  const uint32_t *from = stillpool_data_load;
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* full access to the FPU and vector registers */
  __asm__ volatile("dsb\n isb" ::: "memory");
#endif
  for (volatile uint32_t *to = stillpool_data_start; to != stillpool_data_end; ++to) *to = *from++;
  for (volatile uint32_t *to = stillpool_bss_start; to != stillpool_bss_end; ++to) *to = 0;
}

__attribute__((noreturn)) void stillpool_start(void) {
  stillpool_initialise();
  stillpool_application();
  for (;;) {
  }
}

__attribute__((section(".vectors"), used)) const void *const stillpool_vectors[16] = {
    (const void *)stillpool_stack_top, (const void *)stillpool_reset, (const void *)stillpool_fault,
    (const void *)stillpool_fault,     (const void *)stillpool_fault, (const void *)stillpool_fault,
    (const void *)stillpool_fault,     0, 0, 0, 0,
    (const void *)stillpool_fault,     (const void *)stillpool_fault, 0,
    (const void *)stillpool_fault,     (const void *)stillpool_tick};
