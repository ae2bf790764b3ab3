// Claims of a test program: the first that is wrong ends it with its line and status 1.

#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(claim)                                                                               \
  do {                                                                                             \
    if (!(claim)) {                                                                                \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim);                          \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static inline int same(const char *one, const char *other) {
  if (one == NULL || other == NULL) return one == other;
  return strcmp(one, other) == 0;
}

#endif
