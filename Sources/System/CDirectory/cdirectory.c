#define _GNU_SOURCE
#include "cdirectory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int cdirectory_open(int parent, const char *path, int flags) {
  int result;
  do {
    // O_NONBLOCK: what was a directory may by now be a FIFO without a writer.
    result = openat(parent, path, flags | O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

int cdirectory_reach(const char *path) {
  int result;
  do {
    result = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

int cdirectory_locate(int root, const char *path, cdirectory_bounds bounds) {
  struct open_how how = {
      .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
      .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  if (bounds == cdirectory_beneath) how.resolve |= RESOLVE_BENEATH;
  long result;
  do {
    result = syscall(SYS_openat2, root, path, &how, sizeof how);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : (int)result;
}

int cdirectory_step(int parent, const char *name) {
  int result;
  do {
    result = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  } while (result < 0 && errno == EINTR);
  if (result >= 0) return result;
  int error = errno;
  struct stat status;
  if (error == ENOTDIR && fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode)) {
    error = ELOOP;
  }
  return -error;
}

int cdirectory_touch(int parent, const char *path, int nofollow) {
  int result;
  do {
    result = openat(parent, path, O_PATH | O_CLOEXEC | (nofollow ? O_NOFOLLOW : 0));
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

ssize_t cdirectory_read(int descriptor, void *records, size_t size) {
  ssize_t result;
  do {
    result = getdents64(descriptor, records, size);
  } while (result < 0 && errno == EINTR);
  if (result >= 0) return result;
  return errno == ENOENT ? 0 : -errno;
}

int cdirectory_put(int directory, const char *from, const char *to) {
  if (renameat2(directory, from, directory, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  // A file system that lacks the flag, as ntfs-3g.
  struct stat status;
  if (fstatat(directory, to, &status, AT_SYMLINK_NOFOLLOW) == 0) return -EEXIST;
  if (errno != ENOENT) return -errno;
  return renameat(directory, from, directory, to) == 0 ? 0 : -errno;
}

int cdirectory_create(int directory) {
  int result;
  do {
    result = openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

int cdirectory_link(int file, int directory, const char *to) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return linkat(AT_FDCWD, path, directory, to, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
}

int cdirectory_processors(void) {
  cpu_set_t set;
  // Fails where there are more processors than the set has room for.
  if (sched_getaffinity(0, sizeof set, &set) != 0) return CPU_SETSIZE;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}
