/* Start-up code for RISC-V: data and bss, then the application; the emulator sets the stack pointer. */
#include "session.h"

extern uint32_t stillpool_data_load[], stillpool_data_start[], stillpool_data_end[];
extern uint32_t stillpool_bss_start[], stillpool_bss_end[];

void stillpool_start(void);

__attribute__((noreturn)) void stillpool_start(void) {
  const uint32_t *from = stillpool_data_load;
  for (volatile uint32_t *to = stillpool_data_start; to != stillpool_data_end; ++to) *to = *from++;
  for (volatile uint32_t *to = stillpool_bss_start; to != stillpool_bss_end; ++to) *to = 0;
  stillpool_application();
  for (;;) {
  }
}
