// forks FILE: children that were forked off after use, while other threads read, read and write.

#include <documentsource.h>

#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const docsource_values values = {.identifier = "org.example.fork"};
static atomic_int is_over;

static void read_once(const char *file) {
  docsource_source *source;
  CHECK(docsource_read(file, 0, &source, NULL) == DOCSOURCE_OK);
  CHECK(same(docsource_source_value(source, DOCSOURCE_IDENTIFIER, NULL), "org.example.fork"));
  docsource_source_free(source);
}

static void *keep_reading(void *file) {
  while (!atomic_load(&is_over)) read_once(file);
  return NULL;
}

int main(int count, char **words) {
  CHECK(count == 2);
  char *file = words[1];
  CHECK(docsource_write(file, 0, &values, NULL) == DOCSOURCE_OK);
  read_once(file);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    CHECK(pthread_create(&threads[i], NULL, keep_reading, file) == 0);
  for (int i = 0; i < 100; i++) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      alarm(60);  // one that hangs fails
      read_once(file);
      CHECK(docsource_write(file, DOCSOURCE_REPLACE, &values, NULL) == DOCSOURCE_OK);
      _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  atomic_store(&is_over, 1);
  for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  puts("kept");
  return 0;
}
