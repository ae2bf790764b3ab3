#define _GNU_SOURCE
#include "cpinning.h"
#include <sched.h>

int cpinning_stay(void) {
  int processor = sched_getcpu();
  if (processor < 0) return -1;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set);
}
