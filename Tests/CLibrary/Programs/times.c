// times FILE: what loading the library takes, and reading a file's source beside a bare fgetxattr.

#define _GNU_SOURCE
#include <documentsource.h>

#include "check.h"

#include <fcntl.h>
#include <sys/xattr.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void read_bare(int file) {
  char value[4096];
  CHECK(fgetxattr(file, "user.x-document-source", value, sizeof value) > 0);
}

static void read_source(int file) {
  docsource_source *source;
  CHECK(docsource_read_fd(file, 0, &source, NULL) == DOCSOURCE_OK);
  for (int field = 0; field < 4; field++)
    CHECK(docsource_source_value(source, (docsource_field)field, NULL) != NULL);
  docsource_source_free(source);
}

// The least of many, in microseconds a call.
static double time_of(void (*call)(int), int file) {
  enum { calls = 1000, rounds = 300 };
  double least = 1e9;
  for (int round = 0; round < rounds; round++) {
    double begin = now();
    for (int i = 0; i < calls; i++) call(file);
    double time = now() - begin;
    if (time < least) least = time;
  }
  return least * 1e6 / calls;
}

int main(int count, char **words) {
  CHECK(count == 2);
  int file = open(words[1], O_RDONLY | O_CLOEXEC);
  CHECK(file >= 0);
  double bare = time_of(read_bare, file), source = time_of(read_source, file);
  printf("docsource_read_fd with its values: %.3f us, bare fgetxattr %.3f us, ratio %.2f\n", source,
         bare, source / bare);
  return 0;
}
