#define _GNU_SOURCE
#include "cxattr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define RETRIED(call) ({ long result_ = TEMP_FAILURE_RETRY(call); result_ < 0 ? -errno : result_; })

// The numbers are the same on every architecture; glibc 2.36 does not know them yet.
enum { call_setxattrat = 463, call_getxattrat = 464, call_listxattrat = 465,
       call_removexattrat = 466 };

// struct xattr_args of linux/xattr.h, new in Linux 6.13.
struct arguments {
  uint64_t value __attribute__((aligned(8)));
  uint32_t size;
  uint32_t flags;
};

cxattr_route cxattr_best_route(void) {
  static int known;  // 0 unknown, else 1 + route; racing threads store the same answer
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    int saved = errno;
    struct arguments none = {0};
    long result = syscall(call_getxattrat, AT_FDCWD, ".", 0, "user.x", &none, (size_t)0);
    answer = 1 + (result < 0 && errno == EINVAL ? cxattr_route_kernel : cxattr_route_open);
    errno = saved;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return (cxattr_route)(answer - 1);
}

static unsigned int at_flags(cxattr_links links) {
  return links == cxattr_nofollow ? AT_SYMLINK_NOFOLLOW : 0;
}

// The longest name of a descriptor in /proc and its NUL.
enum { proc_name_size = 32 };

// A held file by the name of its descriptor, which is written to `name`: snprintf would take as long as
// the call. In an open directory one name is looked up instead of four.
static cxattr_file by_name(cxattr_file file, char name[proc_name_size]) {
  static const char lead[] = "/proc/self/fd/";
  char *start = name + proc_name_size - 1;
  unsigned int rest = (unsigned int)file.held;
  *start = '\0';
  do *--start = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (file.directory != AT_FDCWD && cxattr_best_route() == cxattr_route_kernel)
    return (cxattr_file){file.directory, start, cxattr_follow, cxattr_route_kernel, -1};
  start -= sizeof lead - 1;
  memcpy(start, lead, sizeof lead - 1);
  return (cxattr_file){AT_FDCWD, start, cxattr_follow, cxattr_route_path, -1};
}

// A file reached without the *xattrat calls.
struct opened {
  int descriptor;
  char proc[proc_name_size];
  cxattr_file file;  // by the /proc name of an O_PATH descriptor, or by an ordinary descriptor
};

// O_PATH opens nothing: it waits for no FIFO's writer and breaks no lease, as smbd holds them.
static int open_for_attributes(struct opened *opened, cxattr_file file) {
  int flags = O_CLOEXEC | (file.links == cxattr_nofollow ? O_NOFOLLOW : 0);
  opened->descriptor = (int)RETRIED(openat(file.directory, file.path, flags | O_PATH));
  if (opened->descriptor < 0) return opened->descriptor;
  snprintf(opened->proc, sizeof opened->proc, "/proc/self/fd/%d", opened->descriptor);
  opened->file = (cxattr_file){AT_FDCWD, opened->proc, cxattr_follow, cxattr_route_path, -1};
  if (access("/proc/self/fd", F_OK) == 0) return 0;
  // Without /proc, as in some chroots.
  close(opened->descriptor);
  flags |= O_RDONLY | O_NONBLOCK | O_NOCTTY;
  opened->descriptor = (int)RETRIED(openat(file.directory, file.path, flags));
  opened->file =
      (cxattr_file){opened->descriptor, NULL, cxattr_follow, cxattr_route_descriptor, -1};
  return opened->descriptor < 0 ? opened->descriptor : 0;
}

static long closed(const struct opened *opened, long result) {
  close(opened->descriptor);
  return result;
}

// The result of a call on `opened.file`, which is the file opened for this call.
#define OPENED(original, call) ({ \
  struct opened opened; \
  long failed_ = open_for_attributes(&opened, original); \
  failed_ ? failed_ : closed(&opened, call); })

ssize_t cxattr_get(cxattr_file file, const char *name, void *value, size_t size) {
  switch (file.route) {
    case cxattr_route_kernel: {
      struct arguments a = {(uint64_t)(uintptr_t)value,
                            size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, 0};
      return RETRIED(syscall(call_getxattrat, file.directory, file.path, at_flags(file.links), name,
                             &a, sizeof a));
    }
    case cxattr_route_open: return OPENED(file, cxattr_get(opened.file, name, value, size));
    case cxattr_route_path:
      return file.links == cxattr_follow ? RETRIED(getxattr(file.path, name, value, size))
                                         : RETRIED(lgetxattr(file.path, name, value, size));
    case cxattr_route_descriptor: return RETRIED(fgetxattr(file.directory, name, value, size));
    case cxattr_route_held:
      return cxattr_get(by_name(file, (char[proc_name_size]){0}), name, value, size);
  }
  return -EINVAL;
}

int cxattr_set(cxattr_file file, const char *name, const void *value, size_t size,
               cxattr_mode mode) {
  switch (file.route) {
    case cxattr_route_kernel: {
      if (size > UINT32_MAX) return -E2BIG;
      struct arguments a = {(uint64_t)(uintptr_t)value, (uint32_t)size, (uint32_t)mode};
      return (int)RETRIED(syscall(call_setxattrat, file.directory, file.path, at_flags(file.links),
                                  name, &a, sizeof a));
    }
    case cxattr_route_open:
      return (int)OPENED(file, cxattr_set(opened.file, name, value, size, mode));
    case cxattr_route_path:
      return file.links == cxattr_follow
                 ? (int)RETRIED(setxattr(file.path, name, value, size, (int)mode))
                 : (int)RETRIED(lsetxattr(file.path, name, value, size, (int)mode));
    case cxattr_route_descriptor:
      return (int)RETRIED(fsetxattr(file.directory, name, value, size, (int)mode));
    case cxattr_route_held:
      return cxattr_set(by_name(file, (char[proc_name_size]){0}), name, value, size, mode);
  }
  return -EINVAL;
}

ssize_t cxattr_list(cxattr_file file, char *list, size_t size) {
  switch (file.route) {
    case cxattr_route_kernel:
      return RETRIED(syscall(call_listxattrat, file.directory, file.path, at_flags(file.links),
                             list, size));
    case cxattr_route_open: return OPENED(file, cxattr_list(opened.file, list, size));
    case cxattr_route_path:
      return file.links == cxattr_follow ? RETRIED(listxattr(file.path, list, size))
                                         : RETRIED(llistxattr(file.path, list, size));
    case cxattr_route_descriptor: return RETRIED(flistxattr(file.directory, list, size));
    case cxattr_route_held:
      return cxattr_list(by_name(file, (char[proc_name_size]){0}), list, size);
  }
  return -EINVAL;
}

int cxattr_remove(cxattr_file file, const char *name) {
  switch (file.route) {
    case cxattr_route_kernel:
      return (int)RETRIED(syscall(call_removexattrat, file.directory, file.path,
                                  at_flags(file.links), name));
    case cxattr_route_open: return (int)OPENED(file, cxattr_remove(opened.file, name));
    case cxattr_route_path:
      return file.links == cxattr_follow ? (int)RETRIED(removexattr(file.path, name))
                                         : (int)RETRIED(lremovexattr(file.path, name));
    case cxattr_route_descriptor: return (int)RETRIED(fremovexattr(file.directory, name));
    case cxattr_route_held: return cxattr_remove(by_name(file, (char[proc_name_size]){0}), name);
  }
  return -EINVAL;
}

int cxattr_observe(cxattr_file file) {
  struct statx status;
  int descriptor = file.route == cxattr_route_held ? file.held : file.directory;
  int flags = AT_EMPTY_PATH | (int)at_flags(file.links);
  long result = RETRIED(statx(descriptor, file.path ? file.path : "", flags,
                              STATX_TYPE | STATX_MODE, &status));
  if (result < 0) return (int)result;
  if (S_ISLNK(status.stx_mode)) return cxattr_kind_link;
  if (!S_ISREG(status.stx_mode) && !S_ISDIR(status.stx_mode)) return cxattr_kind_special;
  if (status.stx_attributes & STATX_ATTR_IMMUTABLE) return cxattr_kind_immutable;
  if (status.stx_attributes & STATX_ATTR_APPEND) return cxattr_kind_append_only;
  if (S_ISDIR(status.stx_mode) && status.stx_mode & S_ISVTX) return cxattr_kind_sticky;
  return cxattr_kind_regular;
}
