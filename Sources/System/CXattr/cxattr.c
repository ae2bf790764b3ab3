#define _GNU_SOURCE
#include "cxattr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define RETRIED(call) ({ long result_ = TEMP_FAILURE_RETRY(call); result_ < 0 ? -errno : result_; })

ssize_t cxattr_get(const char *path, const char *name, void *value, size_t size,
                   cxattr_links links) {
  return links == cxattr_follow ? RETRIED(getxattr(path, name, value, size))
                                : RETRIED(lgetxattr(path, name, value, size));
}

int cxattr_set(const char *path, const char *name, const void *value, size_t size, cxattr_mode mode,
               cxattr_links links) {
  return links == cxattr_follow ? RETRIED(setxattr(path, name, value, size, (int)mode))
                                : RETRIED(lsetxattr(path, name, value, size, (int)mode));
}

ssize_t cxattr_list(const char *path, char *list, size_t size, cxattr_links links) {
  return links == cxattr_follow ? RETRIED(listxattr(path, list, size))
                                : RETRIED(llistxattr(path, list, size));
}

int cxattr_remove(const char *path, const char *name, cxattr_links links) {
  return links == cxattr_follow ? RETRIED(removexattr(path, name))
                                : RETRIED(lremovexattr(path, name));
}

ssize_t cxattr_fget(int descriptor, const char *name, void *value, size_t size) {
  return RETRIED(fgetxattr(descriptor, name, value, size));
}

int cxattr_fset(int descriptor, const char *name, const void *value, size_t size,
                cxattr_mode mode) {
  return RETRIED(fsetxattr(descriptor, name, value, size, (int)mode));
}

ssize_t cxattr_flist(int descriptor, char *list, size_t size) {
  return RETRIED(flistxattr(descriptor, list, size));
}

int cxattr_fremove(int descriptor, const char *name) {
  return RETRIED(fremovexattr(descriptor, name));
}

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

// A file reached without the *xattrat calls: the /proc name of an O_PATH file, or an open file.
struct opened {
  int descriptor;
  char proc[32];  // empty when the descriptor itself takes the f*xattr calls
};

// O_PATH opens nothing: it waits for no FIFO's writer and breaks no lease, as smbd holds them.
static int open_for_attributes(struct opened *file, int directory, const char *path,
                               cxattr_links links) {
  int flags = O_CLOEXEC | (links == cxattr_nofollow ? O_NOFOLLOW : 0);
  file->descriptor = (int)RETRIED(openat(directory, path, flags | O_PATH));
  if (file->descriptor < 0) return file->descriptor;
  snprintf(file->proc, sizeof file->proc, "/proc/self/fd/%d", file->descriptor);
  if (access("/proc/self/fd", F_OK) == 0) return 0;
  // Without /proc, as in some chroots.
  close(file->descriptor);
  file->proc[0] = 0;
  file->descriptor = (int)RETRIED(openat(directory, path, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY));
  return file->descriptor < 0 ? file->descriptor : 0;
}

static long closed(const struct opened *file, long result) {
  close(file->descriptor);
  return result;
}

ssize_t cxattr_getat(int directory, const char *path, const char *name, void *value, size_t size,
                     cxattr_links links, cxattr_route route) {
  if (route == cxattr_route_kernel) {
    struct arguments a = {(uint64_t)(uintptr_t)value, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
                          0};
    return RETRIED(syscall(call_getxattrat, directory, path, at_flags(links), name, &a, sizeof a));
  }
  struct opened file;
  int failed = open_for_attributes(&file, directory, path, links);
  if (failed) return failed;
  return closed(&file, file.proc[0] ? cxattr_get(file.proc, name, value, size, cxattr_follow)
                                    : cxattr_fget(file.descriptor, name, value, size));
}

int cxattr_setat(int directory, const char *path, const char *name, const void *value, size_t size,
                 cxattr_mode mode, cxattr_links links, cxattr_route route) {
  if (size > UINT32_MAX) return -E2BIG;
  if (route == cxattr_route_kernel) {
    struct arguments a = {(uint64_t)(uintptr_t)value, (uint32_t)size, (uint32_t)mode};
    return RETRIED(syscall(call_setxattrat, directory, path, at_flags(links), name, &a, sizeof a));
  }
  struct opened file;
  int failed = open_for_attributes(&file, directory, path, links);
  if (failed) return failed;
  return (int)closed(&file, file.proc[0]
                                ? cxattr_set(file.proc, name, value, size, mode, cxattr_follow)
                                : cxattr_fset(file.descriptor, name, value, size, mode));
}

ssize_t cxattr_listat(int directory, const char *path, char *list, size_t size, cxattr_links links,
                      cxattr_route route) {
  if (route == cxattr_route_kernel)
    return RETRIED(syscall(call_listxattrat, directory, path, at_flags(links), list, size));
  struct opened file;
  int failed = open_for_attributes(&file, directory, path, links);
  if (failed) return failed;
  return closed(&file, file.proc[0] ? cxattr_list(file.proc, list, size, cxattr_follow)
                                    : cxattr_flist(file.descriptor, list, size));
}

int cxattr_removeat(int directory, const char *path, const char *name, cxattr_links links,
                    cxattr_route route) {
  if (route == cxattr_route_kernel)
    return RETRIED(syscall(call_removexattrat, directory, path, at_flags(links), name));
  struct opened file;
  int failed = open_for_attributes(&file, directory, path, links);
  if (failed) return failed;
  return (int)closed(&file, file.proc[0] ? cxattr_remove(file.proc, name, cxattr_follow)
                                         : cxattr_fremove(file.descriptor, name));
}

int cxattr_observe(int directory, const char *path, cxattr_links links) {
  struct statx status;
  long result = RETRIED(statx(directory, path, AT_EMPTY_PATH | (int)at_flags(links), STATX_TYPE | STATX_MODE,
                              &status));
  if (result < 0) return (int)result;
  if (S_ISLNK(status.stx_mode)) return cxattr_kind_link;
  if (!S_ISREG(status.stx_mode) && !S_ISDIR(status.stx_mode)) return cxattr_kind_special;
  if (status.stx_attributes & STATX_ATTR_IMMUTABLE) return cxattr_kind_immutable;
  if (status.stx_attributes & STATX_ATTR_APPEND) return cxattr_kind_append_only;
  if (S_ISDIR(status.stx_mode) && status.stx_mode & S_ISVTX) return cxattr_kind_sticky;
  return cxattr_kind_regular;
}
