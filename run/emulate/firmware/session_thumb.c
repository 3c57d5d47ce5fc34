/* A session over semihosting (Arm IHI 0100), for emulators that cannot reach into the firmware.
 *
 * `samples.bin` holds the inputs of all samples one after the other; `results.bin` receives for every sample the
 * status, the SysTick ticks that the model took, the bytes of stack, and the outputs. The reset vector leads here; an
 * emulator that starts at the image's entry address instead does all of this itself and gets every call as a no-op. */
#include "session.h"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)
#define TICK_MASK 0xFFFFFFu

enum { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_READ = 0x06, SYS_EXIT_EXTENDED = 0x20 };

void stillpool_initialise(void);
void stillpool_reset(void);
void stillpool_tick(void);
void stillpool_fault(void);

static uint32_t stillpool_hosted, stillpool_samples_file, stillpool_results_file;
static volatile uint32_t stillpool_wraps;
static uint32_t stillpool_started_wraps, stillpool_started;

static uint32_t stillpool_host(uint32_t operation, const void *block) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory", "cc");
  return r0;
}

static uint32_t stillpool_opened(const char *name, uint32_t length, uint32_t mode) {
  const uint32_t block[3] = {(uint32_t)(uintptr_t)name, mode, length};
  return stillpool_host(SYS_OPEN, block);
}

static uint32_t stillpool_moved(uint32_t operation, uint32_t file, const void *data, uint32_t bytes) {
  const uint32_t block[3] = {file, (uint32_t)(uintptr_t)data, bytes};
  return stillpool_host(operation, block);
}

static void stillpool_leave(uint32_t code) {
  const uint32_t block[2] = {0x20026u, code}; /* ADP_Stopped_ApplicationExit */
  (void)stillpool_host(SYS_EXIT_EXTENDED, block);
  for (;;) {
  }
}

void stillpool_tick(void) { ++stillpool_wraps; }

void stillpool_fault(void) {
  if (stillpool_hosted) stillpool_leave(99u);
  for (;;) {
  }
}

__attribute__((noreturn)) void stillpool_reset(void) {
  stillpool_initialise();
  stillpool_hosted = 1u;
  stillpool_samples_file = stillpool_opened("samples.bin", 11u, 1u /* rb */);
  stillpool_results_file = stillpool_opened("results.bin", 11u, 5u /* wb */);
  SYST_RVR = TICK_MASK;
  SYST_CVR = 0u;
  SYST_CSR = 7u; /* processor clock, interrupt, on */
  stillpool_application();
  stillpool_leave(0u);
  for (;;) {
  }
}

int stillpool_sample(void) {
  char more = 0;
  /* One byte announces each sample; SYS_READ returns how many bytes it could not read. */
  return !stillpool_hosted || (stillpool_moved(SYS_READ, stillpool_samples_file, &more, 1u) == 0u && more != 0);
}

void stillpool_read(void *to, uint32_t bytes) {
  if (stillpool_hosted && stillpool_moved(SYS_READ, stillpool_samples_file, to, bytes) != 0u) stillpool_leave(98u);
}

void stillpool_write(const void *from, uint32_t bytes) {
  if (stillpool_hosted && stillpool_moved(SYS_WRITE, stillpool_results_file, from, bytes) != 0u) stillpool_leave(97u);
}

/* A fresh tick begins: what follows takes the whole ticks that it says, and a part of one more. */
void stillpool_begin(void) {
  uint32_t edge = SYST_CVR;
  if (!stillpool_hosted) return;
  while (SYST_CVR == edge) {
  }
  stillpool_started_wraps = stillpool_wraps;
  stillpool_started = SYST_CVR;
}

void stillpool_end(int32_t status, uint32_t now, uint32_t depth) {
  const uint64_t ticks = ((uint64_t)(stillpool_wraps - stillpool_started_wraps) << 24) + stillpool_started - now;
  const uint32_t result[4] = {(uint32_t)status, (uint32_t)ticks, (uint32_t)(ticks >> 32), depth};
  stillpool_write(result, sizeof result);
}
