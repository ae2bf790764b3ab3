#define _GNU_SOURCE
#include "clinux.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void clinux_memory_expect(size_t size) {
  // All of it from the heap, large blocks too, and nothing back in between.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);
  uintptr_t const page = 2 << 20;
  char *room = malloc(size);
  if (!room) return;
  uintptr_t const begin = ((uintptr_t)room + page - 1) & ~(page - 1);
  uintptr_t const end = ((uintptr_t)room + size) & ~(page - 1);
  // Where this fails, pages have the usual size.
  if (begin < end) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
  free(room);
}

ssize_t clinux_memory_find(const void *bytes, size_t size, const void *wanted, size_t wanted_size) {
  const char *found = memmem(bytes, size, wanted, wanted_size);
  return found ? found - (const char *)bytes : -1;
}
