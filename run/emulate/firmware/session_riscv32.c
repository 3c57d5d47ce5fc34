/* The emulator itself places inputs, counts, and takes outputs: nothing is left to do here. */
#include "session.h"

int stillpool_sample(void) { return 1; }
void stillpool_read(void *to, uint32_t bytes) { (void)to, (void)bytes; }
void stillpool_begin(void) {}
void stillpool_end(int32_t status, uint32_t now, uint32_t depth) { (void)status, (void)now, (void)depth; }
void stillpool_write(const void *from, uint32_t bytes) { (void)from, (void)bytes; }
