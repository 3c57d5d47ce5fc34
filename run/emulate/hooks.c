/* What the emulator calls for every basic block and every memory access.
 *
 * Compiled for the machine that runs the emulator and loaded beside it: callbacks in Python would take a hundred times
 * longer.
 *
 * The first callback counts executed instructions. Instruction lengths follow from the first halfword in Thumb (0b11101, 0b11110,
 * 0b11111 start 32-bit encodings) and RISC-V (low bits 0b11 start 32-bit encodings).
 *
 * Blocks are counted once per slot. Slot 0 holds the code of the entry function itself, whose addresses alone say which
 * operator each instruction was inlined from; the other slots hold what the operators' calls run outside of it.
 */
#include <stdint.h>

#define OUTSIDE 0xFFFFu
#define NO_SLOT 0xFFFFFFFFu
#define IT_BITS 0x0600FC00u

typedef struct guard {
  const uint32_t *first; /* per region: first address */
  const uint32_t *end;   /* per region: address behind the last */
  const uint8_t *writable;
  int (*read_register)(void *engine, int name, void *value);
  int (*write_register)(void *engine, int name, const void *value);
  int (*stop)(void *engine);
  int (*add)(void *engine, uintptr_t *hook, int kinds, void *callback, void *user, uint64_t begin, uint64_t end, ...);
  int (*remove)(void *engine, uintptr_t hook);
  uint64_t *unchecked;   /* per slot: accesses whose alignment is still to be checked */
  uintptr_t watching;    /* the hook for all accesses, while it is there */
  uint32_t regions;
  uint32_t aligned;      /* 1: accesses must be aligned to their size */
  uint32_t slot;         /* whose accesses are checked */
  int all_kinds;         /* the engine's number of reads and writes */
  int program_counter;   /* the engine's name of that register */
  int program_status;    /* the same of Arm's xPSR; 0 where there is none */
  int write_kind;        /* the engine's number of a write */
  uint32_t recent;       /* region of the access before */
  uint32_t violated;     /* 0: no; 1: outside of all regions; 2: misaligned */
  uint32_t address;      /* of the first refused access, with what follows */
  uint32_t bytes;
  uint32_t writes;
  uint32_t pc;
} guard;

typedef struct counter {
  uint32_t base;          /* address of the first halfword of code */
  uint32_t halfwords;     /* number of halfwords of code */
  const uint16_t *code;   /* the code */
  const uint16_t *sites;  /* per halfword: slot of the operator whose call stands there; OUTSIDE the entry function */
  uint64_t *hits;         /* per slot and halfword: executions of the block that begins there */
  uint64_t *fallthrough;  /* per slot and halfword: of these, entered by running on from the block before */
  uint32_t *sizes;        /* per halfword: bytes of the block that begins there */
  uint32_t *lengths;      /* per halfword: instructions of the block that begins there */
  uint32_t *lasts;        /* per halfword: the last instruction of the block that begins there, in halfwords */
  uint64_t total;         /* executed instructions */
  uint32_t riscv;         /* 0: Thumb, 1: RISC-V */
  uint32_t current;       /* slot that code outside of the entry function counts for */
  uint32_t previous_end;  /* address behind the block executed last */
  guard *watch;
} counter;

static void measure(counter *c, uint32_t first, uint32_t bytes) {
  uint32_t position = first, end = first + bytes / 2u, count = 0, last = first;
  while (position < end) {
    const uint32_t halfword = c->code[position];
    const uint32_t is_long = c->riscv ? (halfword & 3u) == 3u : (halfword >> 11) >= 0x1du;
    last = position;
    position += is_long ? 2u : 1u;
    ++count;
  }
  c->sizes[first] = bytes;
  c->lengths[first] = count;
  c->lasts[first] = last;
}

static void watch_alignment(void *engine, guard *g, uint32_t slot);

void on_block(void *engine, uint64_t address, uint32_t size, void *user) {
  counter *const c = (counter *)user;
  const uint32_t first = ((uint32_t)address - c->base) / 2u;
  uint64_t at;
  (void)engine;
  if (first >= c->halfwords) return;
  if (c->sizes[first] != size) measure(c, first, size);
  if (c->sites[first] != OUTSIDE) {
    at = first;
    c->current = c->sites[c->lasts[first]];
  } else {
    at = (uint64_t)c->current * c->halfwords + first;
  }
  if (c->watch->aligned && c->current != c->watch->slot) watch_alignment(engine, c->watch, c->current);
  ++c->hits[at];
  if (c->previous_end == (uint32_t)address) ++c->fallthrough[at];
  c->previous_end = (uint32_t)address + size;
  c->total += c->lengths[first];
}

/* The second callback guards the memory: an access that is not wholly within one region, or that the region does not
 * allow, is noted and ends the run. A call takes ten times longer than an access, so the engine is asked to call only for
 * addresses where something can be wrong; where processors refuse misaligned accesses, also for the first many accesses
 * of each operator. */

static int allowed(const guard *g, uint32_t region, uint32_t address, uint32_t size, int writes) {
  return address >= g->first[region] && address < g->end[region] && size <= g->end[region] - address &&
         (!writes || g->writable[region]);
}

/* Of an access in an IT block the engine (2.1.4) writes the block's state to the status register before it calls, and never
 * takes it away: what follows the block would then run under its condition. The engine itself has no use for it there. */
static void forget_conditions(void *engine, const guard *g) {
  uint32_t status = 0;
  if (!g->program_status) return;
  g->read_register(engine, g->program_status, &status);
  if (!(status & IT_BITS)) return;
  status &= ~IT_BITS;
  g->write_register(engine, g->program_status, &status);
}

void on_access(void *engine, int kind, uint64_t address, int size, int64_t value, void *user) {
  guard *const g = (guard *)user;
  const uint32_t at = (uint32_t)address, bytes = (uint32_t)size;
  const int writes = kind == g->write_kind;
  uint32_t region, pc = 0;
  (void)value;
  if (g->violated) return;
  region = g->recent;
  if (!allowed(g, region, at, bytes, writes)) {
    for (region = 0; region < g->regions && !allowed(g, region, at, bytes, writes); ++region) {
    }
  }
  if (region < g->regions && (!g->aligned || at % bytes == 0u)) {
    g->recent = region;
    forget_conditions(engine, g);
    return;
  }
  g->violated = region < g->regions ? 2u : 1u;
  g->address = at;
  g->bytes = bytes;
  g->writes = (uint32_t)writes;
  g->read_register(engine, g->program_counter, &pc);
  g->pc = pc;
  g->stop(engine);
}

/* Every access, to check its alignment. */
void on_any_access(void *engine, int kind, uint64_t address, int size, int64_t value, void *user) {
  guard *const g = (guard *)user;
  on_access(engine, kind, address, size, value, user);
  if (--g->unchecked[g->slot] == 0u) {
    g->remove(engine, g->watching);
    g->watching = 0u;
  }
}

static void watch_alignment(void *engine, guard *g, uint32_t slot) {
  /* Code between operators counts for the one before: removed hooks cost time, so their number must stay small. */
  if (slot == 0u && g->slot != NO_SLOT) return;
  g->slot = slot;
  if (g->unchecked[slot] != 0u && !g->watching) {
    g->add(engine, &g->watching, g->all_kinds, (void *)(uintptr_t)on_any_access, g, 1u, 0u);
  } else if (g->unchecked[slot] == 0u && g->watching) {
    g->remove(engine, g->watching);
    g->watching = 0u;
  }
}
