/* Counts executed instructions inside the emulator's block callback.
 *
 * Compiled for the machine that runs the emulator and loaded beside it: a callback in Python for every basic block
 * would take a hundred times longer. Instruction lengths follow from the first halfword in Thumb (0b11101, 0b11110,
 * 0b11111 start 32-bit encodings) and RISC-V (low bits 0b11 start 32-bit encodings).
 */
#include <stdint.h>

typedef struct counter {
  uint32_t base;          /* address of the first halfword of code */
  uint32_t halfwords;     /* number of halfwords of code */
  const uint16_t *code;   /* the code */
  uint32_t riscv;         /* 0: Thumb, 1: RISC-V */
  uint32_t glue_first;    /* the entry function's address range: executed outside all operators */
  uint32_t glue_end;
  const uint8_t *entry;   /* per halfword: 1 where an operator function begins */
  uint64_t total;         /* executed instructions */
  uint64_t *calls;        /* executed instructions per operator call; slot 0: outside all operators */
  uint32_t slots;         /* number of slots */
  uint32_t next_call;     /* operator calls so far */
  uint32_t current;       /* slot that instructions count for */
  uint64_t *hits;         /* per halfword: executions of the block that begins there */
  uint64_t *fallthrough;  /* per halfword: of these, entered by running on from the block before */
  uint32_t *sizes;        /* per halfword: bytes of the block that begins there */
  uint32_t *lengths;      /* per halfword: instructions of the block that begins there */
  uint32_t previous_end;  /* address behind the block executed last */
} counter;

static uint32_t instructions(const counter *c, uint32_t first, uint32_t bytes) {
  uint32_t position = first, end = first + bytes / 2u, count = 0;
  while (position < end) {
    const uint32_t halfword = c->code[position];
    const uint32_t is_long = c->riscv ? (halfword & 3u) == 3u : (halfword >> 11) >= 0x1du;
    position += is_long ? 2u : 1u;
    ++count;
  }
  return count;
}

void on_block(void *engine, uint64_t address, uint32_t size, void *user) {
  counter *const c = (counter *)user;
  const uint32_t first = ((uint32_t)address - c->base) / 2u;
  (void)engine;
  if (first >= c->halfwords) return;
  if (c->entry[first]) {
    ++c->next_call;
    c->current = c->next_call < c->slots ? c->next_call : 0u;
  } else if ((uint32_t)address >= c->glue_first && (uint32_t)address < c->glue_end) {
    c->current = 0u;
  }
  if (c->sizes[first] != size) {
    c->sizes[first] = size;
    c->lengths[first] = instructions(c, first, size);
  }
  ++c->hits[first];
  if (c->previous_end == (uint32_t)address) ++c->fallthrough[first];
  c->previous_end = (uint32_t)address + size;
  c->total += c->lengths[first];
  c->calls[c->current] += c->lengths[first];
}
