#define _GNU_SOURCE
#include "cpeer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

struct arguments {
  uint64_t value __attribute__((aligned(8)));
  uint32_t size;
  uint32_t flags;
};

static long get(int directory, const char *name, const char *attribute, char *value, size_t size) {
  struct arguments arguments = {(uint64_t)(uintptr_t)value, (uint32_t)size, 0};
  long result = syscall(464, directory, name, AT_SYMLINK_NOFOLLOW, attribute, &arguments,
                        sizeof arguments);
  if (result >= 0 || errno != ENOSYS) return result;
  int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return -1;
  result = fgetxattr(file, attribute, value, size);
  close(file);
  return result;
}

static long count(int directory, const char *attribute) {
  char records[32768], value[1024];
  long found = 0;
  ssize_t size;
  while ((size = getdents64(directory, records, sizeof records)) > 0) {
    for (ssize_t at = 0; at < size;) {
      struct dirent64 *entry = (struct dirent64 *)(records + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      if (entry->d_type == DT_REG) {
        found += get(directory, entry->d_name, attribute, value, sizeof value) >= 0;
      } else if (entry->d_type == DT_DIR) {
        int child = openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (child < 0) continue;
        found += count(child, attribute);
        close(child);
      }
    }
  }
  return found;
}

long cpeer_count(const char *root, const char *attribute) {
  int directory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return -1;
  long found = count(directory, attribute);
  close(directory);
  return found;
}

extern char **environ;

int cpeer_run(char *const *arguments) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int result = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (result != 0) return result;
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  // getfattr ends with 1 where a file lacks the attribute.
  return WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? 0 : -1;
}
