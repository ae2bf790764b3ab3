// hammer DIRECTORY SECONDS: eight threads read and write the same few files, and each value that is
// read is one that was written, whole.

#define _GNU_SOURCE
#include <documentsource.h>

#include "check.h"

#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { thread_count = 8, file_count = 4, name_length = 600 };

static const char *directory;
static time_t end;

static void make_path(char *path, size_t size, int file) {
  snprintf(path, size, "%s/file%d", directory, file);
}

// A name that is one letter again and again, so that a torn one shows.
static void check_name(const docsource_source *source) {
  size_t length;
  const char *name = docsource_source_value(source, DOCSOURCE_NAME, &length);
  CHECK(name != NULL && length > 0 && length <= name_length);
  for (size_t i = 1; i < length; i++) CHECK(name[i] == name[0]);
}

static void *work(void *argument) {
  unsigned int random = (unsigned int)(size_t)argument + 1;
  long calls = 0;
  char name[name_length + 1];
  for (; time(NULL) < end; calls++) {
    char path[4096];
    make_path(path, sizeof path, rand_r(&random) % file_count);
    docsource_source *source;
    docsource_error *error;
    docsource_status status;
    switch (rand_r(&random) % 256) {
    case 0 ... 63: {
      size_t length = (size_t)rand_r(&random) % name_length + 1;
      memset(name, 'a' + rand_r(&random) % 26, length);
      name[length] = 0;
      docsource_values values = {.identifier = "org.example.hammer", .name = name};
      status = docsource_write(path, DOCSOURCE_REPLACE, &values, &error);
      CHECK(status == DOCSOURCE_OK);
      break;
    }
    case 64 ... 95:
      status = docsource_remove(path, 0, &error);
      CHECK(status == DOCSOURCE_OK || status == DOCSOURCE_NO_SOURCE);
      docsource_error_free(error);
      break;
    case 96: {
      docsource_icon *icon;
      docsource_icon_find("org.example.hammer", NULL, 48, 1, 0, &icon, NULL);
      docsource_icon_free(icon);
      break;
    }
    default: {
      int descriptor = open(path, O_RDONLY | O_CLOEXEC);
      status = docsource_read_fd(descriptor, 0, &source, &error);
      CHECK(status == DOCSOURCE_OK || status == DOCSOURCE_NO_SOURCE);
      if (status == DOCSOURCE_OK) check_name(source);
      CHECK(docsource_error_message(error) != NULL || status == DOCSOURCE_OK);
      docsource_source_free(source);
      docsource_error_free(error);
      close(descriptor);
    }
    }
  }
  return (void *)calls;
}

int main(int count, char **words) {
  CHECK(count == 3);
  directory = words[1];
  end = time(NULL) + atoi(words[2]);
  for (int file = 0; file < file_count; file++) {
    char path[4096];
    make_path(path, sizeof path, file);
    int descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    CHECK(descriptor >= 0 && close(descriptor) == 0);
  }
  pthread_t threads[thread_count];
  long calls = 0;
  for (size_t i = 0; i < thread_count; i++)
    CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
  for (size_t i = 0; i < thread_count; i++) {
    void *result;
    CHECK(pthread_join(threads[i], &result) == 0);
    calls += (long)result;
  }
  CHECK(calls > 0);
  fprintf(stderr, "%ld calls\n", calls);
  puts("kept");
  return 0;
}
