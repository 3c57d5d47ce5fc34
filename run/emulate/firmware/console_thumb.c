/* A program with a `main` of its own in an emulator: what it prints goes to the session's results, and after it one
 * byte, what `main` returned. newlib's printf comes down to the functions here. */
#include <errno.h>
#include <sys/stat.h>

#include "session.h"

int main(void);
int _write(int file, const char *data, int count);
int _read(int file, char *data, int count);
int _close(int file);
int _lseek(int file, int offset, int whence);
int _fstat(int file, struct stat *state);
int _isatty(int file);
int _kill(int process, int signal);
int _getpid(void);
void *_sbrk(int bytes);
void _exit(int code);

static char stillpool_heap[16384];
static int stillpool_heap_used;

void stillpool_application(void) {
  const char code = (char)main();
  stillpool_write(&code, 1u);
}

int _write(int file, const char *data, int count) {
  (void)file;
  stillpool_write(data, (uint32_t)count);
  return count;
}

void *_sbrk(int bytes) {
  char *const start = stillpool_heap + stillpool_heap_used;
  if (bytes > (int)sizeof stillpool_heap - stillpool_heap_used) return (void *)-1;
  stillpool_heap_used += bytes;
  return start;
}

int _fstat(int file, struct stat *state) {
  (void)file;
  state->st_mode = S_IFCHR; /* no buffering: nothing is left when `main` returns */
  return 0;
}

int _isatty(int file) {
  (void)file;
  return 1;
}

int _read(int file, char *data, int count) {
  (void)file, (void)data, (void)count;
  return 0;
}

int _close(int file) {
  (void)file;
  return -1;
}

int _lseek(int file, int offset, int whence) {
  (void)file, (void)offset, (void)whence;
  return 0;
}

int _kill(int process, int signal) {
  (void)process, (void)signal;
  return -1;
}

int _getpid(void) { return 1; }

void _exit(int code) {
  (void)code;
  for (;;) {
  }
}
