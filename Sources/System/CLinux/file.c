#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "retried.h"

#ifndef STATX_MNT_ID_UNIQUE  // Linux 6.8
#define STATX_MNT_ID_UNIQUE 0x4000U
#endif

int clinux_file_touch(int parent, const char *path, int nofollow) {
  int flags = O_PATH | O_CLOEXEC | (nofollow ? O_NOFOLLOW : 0);
  return (int)RETRIED(openat(parent, path, flags));
}

int clinux_file_open(int parent, const char *path, int flags, uint32_t mode) {
  flags |= O_CLOEXEC;
  struct open_how how = {
      .flags = (uint64_t)flags,
      .mode = flags & O_CREAT ? mode : 0,
      .resolve = RESOLVE_NO_MAGICLINKS,
  };
  int result = (int)RETRIED(syscall(SYS_openat2, parent, path, &how, sizeof how));
  if (result != -ENOSYS && result != -EPERM) return result;
  return (int)RETRIED(openat(parent, path, flags | O_NOFOLLOW, mode));
}

void clinux_file_close_all(const int *files, size_t count) {
  for (size_t first = 0, next; first < count; first = next) {
    next = first + 1;
    while (next < count && files[next] == files[next - 1] + 1) next++;
    // It refuses a negative number.
    if (next > first + 1 &&
        syscall(SYS_close_range, (unsigned int)files[first], (unsigned int)files[next - 1], 0u) == 0)
      continue;
    for (size_t one = first; one < next; one++)
      if (files[one] >= 0) close(files[one]);
  }
}

int clinux_file_reach(int parent, const char *path) {
  return clinux_file_open(parent, path, O_PATH, 0);
}

int clinux_file_reserve(int descriptor, off_t size) {
  return (int)RETRIED(fallocate(descriptor, 0, 0, size));
}

static int stat_with(int descriptor, int flags, struct clinux_status *status) {
  struct statx file;
  int failed = (int)RETRIED(
      statx(descriptor, "", AT_EMPTY_PATH | flags, STATX_BASIC_STATS | STATX_MNT_ID, &file));
  if (failed) return failed;
  *status = (struct clinux_status){
      .mount = file.stx_mask & STATX_MNT_ID ? file.stx_mnt_id : 0,
      .inode = file.stx_ino,
      .mode = file.stx_mode,
      .links = file.stx_nlink,
      .owner = file.stx_uid,
      .group = file.stx_gid,
      .device_major = file.stx_dev_major,
      .device_minor = file.stx_dev_minor,
      .immutable = (file.stx_attributes & STATX_ATTR_IMMUTABLE) != 0,
      .append_only = (file.stx_attributes & STATX_ATTR_APPEND) != 0,
  };
  return 0;
}

int clinux_file_stat(int descriptor, struct clinux_status *status) {
  return stat_with(descriptor, 0, status);
}

int clinux_file_glance(int descriptor, struct clinux_status *status) {
  return stat_with(descriptor, AT_STATX_DONT_SYNC, status);
}

int clinux_file_status(int descriptor, struct clinux_status *status) {
  int failed = clinux_file_stat(descriptor, status);
  if (failed) return failed;
  struct statfs system;
  failed = (int)RETRIED(fstatfs(descriptor, &system));
  if (failed) return failed;
  status->read_only = (system.f_flags & ST_RDONLY) != 0;
  status->full = system.f_bavail == 0;
  // Some architectures have it signed, and some numbers have the highest bit.
  status->magic = (uint32_t)system.f_type;
  return 0;
}

static int nanoseconds(struct statx_timestamp time, int64_t *result) {
  if (__builtin_mul_overflow(time.tv_sec, 1000000000, result)) return -EOVERFLOW;
  return __builtin_add_overflow(*result, time.tv_nsec, result) ? -EOVERFLOW : 0;
}

int clinux_file_version(int descriptor, struct clinux_version *version) {
  struct statx file;
  unsigned int wanted = STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME | STATX_BTIME;
  int failed = (int)RETRIED(statx(descriptor, "", AT_EMPTY_PATH, wanted, &file));
  if (failed) return failed;
  *version = (struct clinux_version){
      .inode = file.stx_ino,
      .size = file.stx_size,
      .has_born = (file.stx_mask & STATX_BTIME) != 0,
      .device = (uint64_t)file.stx_dev_major << 32 | file.stx_dev_minor,
  };
  failed = nanoseconds(file.stx_mtime, &version->modified);
  if (!failed) failed = nanoseconds(file.stx_ctime, &version->changed);
  if (!failed && version->has_born) failed = nanoseconds(file.stx_btime, &version->born);
  return failed;
}

int clinux_file_lease(int file, int signal) {
  if (signal && fcntl(file, F_SETSIG, signal) != 0) return -errno;
  return (int)RETRIED(fcntl(file, F_SETLEASE, F_RDLCK));
}

int clinux_file_unlease(int file) { return (int)RETRIED(fcntl(file, F_SETLEASE, F_UNLCK)); }

int clinux_file_place(int parent, const char *name, struct clinux_place *place) {
  struct statx file;
  // A kernel that does not know a bit leaves it out of the answer's mask.
  unsigned int mount = STATX_MNT_ID | STATX_MNT_ID_UNIQUE;
  int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  int failed = (int)RETRIED(statx(parent, name, flags, STATX_INO | mount, &file));
  if (failed) return failed;
  *place = (struct clinux_place){
      .device = makedev(file.stx_dev_major, file.stx_dev_minor),
      .inode = file.stx_ino,
      .mount = file.stx_mask & mount ? file.stx_mnt_id : 0,
  };
  return 0;
}

int clinux_file_writable(const char *path, int nofollow) {
  int flags = AT_EACCESS | (nofollow ? AT_SYMLINK_NOFOLLOW : 0);
  return (int)RETRIED(faccessat(AT_FDCWD, path, W_OK, flags));
}

int clinux_file_put(int directory, const char *from, const char *to) {
  if (renameat2(directory, from, directory, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  // A file system that lacks the flag, as ntfs-3g.
  struct stat status;
  if (fstatat(directory, to, &status, AT_SYMLINK_NOFOLLOW) == 0) return -EEXIST;
  if (errno != ENOENT) return -errno;
  return renameat(directory, from, directory, to) == 0 ? 0 : -errno;
}

int clinux_file_exchange(int directory, const char *one, const char *other) {
  return renameat2(directory, one, directory, other, RENAME_EXCHANGE) == 0 ? 0 : -errno;
}

_Static_assert(clinux_no_access_time == O_NOATIME, "the value is of another architecture");

int clinux_file_unnamed(int parent, const char *directory, uint32_t mode) {
  return (int)RETRIED(openat(parent, directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
}

int clinux_file_link(int file, int directory, const char *to) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return linkat(AT_FDCWD, path, directory, to, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
}

int clinux_file_system_sync(int descriptor) {
  return syncfs(descriptor) == 0 ? 0 : -errno;
}

int clinux_file_memory(const char *name) {
  return (int)RETRIED(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

int clinux_file_seal(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW) == 0 ? 0 : -errno;
}
