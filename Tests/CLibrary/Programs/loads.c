// loads LIBRARY: loading and closing the library over and over, as hosts of plugins do, takes memory
// for the first time only.

#define _GNU_SOURCE
#include <documentsource.h>

#include "check.h"

#include <dlfcn.h>
#include <malloc.h>

enum { rounds = 200 };

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
  CHECK(library != NULL);
  __typeof__(docsource_read) *read = (__typeof__(docsource_read) *)dlsym(library, "docsource_read");
  CHECK(read != NULL);
  CHECK(read("missing", 0, NULL, NULL) == DOCSOURCE_NOT_FOUND);
  CHECK(dlclose(library) == 0);
}

static long allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

static int mappings(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  CHECK(file != NULL);
  int count = 0, character;
  while ((character = getc(file)) != EOF) count += character == '\n';
  fclose(file);
  return count;
}

int main(int count, char **words) {
  CHECK(count == 2);
  // Not linked with it: otherwise it would stay loaded for that.
  CHECK(dlopen(words[1], RTLD_NOW | RTLD_NOLOAD) == NULL);
  for (int i = 0; i < 3; i++) load(words[1]);
  long before = allocated();
  int mapped = mappings();
  for (int i = 0; i < rounds; i++) load(words[1]);
  long growth = allocated() - before;
  // Less than a byte a round is the C library's own.
  if (growth >= rounds) fprintf(stderr, "%ld bytes a round\n", growth / rounds);
  CHECK(growth < rounds);
  CHECK(mappings() == mapped);
  puts("kept");
  return 0;
}
