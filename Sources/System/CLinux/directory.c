#define _GNU_SOURCE
#include "clinux.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "retried.h"

int clinux_directory_open(int parent, const char *path, int flags) {
  // O_NONBLOCK: what was a directory may by now be a FIFO without a writer.
  flags |= O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
  return (int)RETRIED(openat(parent, path, flags));
}

int clinux_directory_reach(const char *path) {
  return (int)RETRIED(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

int clinux_directory_locate(int root, const char *path, clinux_bounds bounds) {
  struct open_how how = {
      .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
      .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  if (bounds == clinux_beneath) how.resolve |= RESOLVE_BENEATH;
  return (int)RETRIED(syscall(SYS_openat2, root, path, &how, sizeof how));
}

int clinux_directory_step(int parent, const char *name) {
  int result = (int)RETRIED(openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (result == -ENOTDIR && fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode)) {
    return -ELOOP;
  }
  return result;
}

int clinux_directory_folds_case(int descriptor) {
  int flags = 0;
  return ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0;
}

ssize_t clinux_directory_read(int descriptor, void *records, size_t size) {
  ssize_t result = RETRIED(getdents64(descriptor, records, size));
  return result == -ENOENT ? 0 : result;
}
