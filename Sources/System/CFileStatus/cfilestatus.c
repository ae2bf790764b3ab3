#define _GNU_SOURCE
#include "cfilestatus.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define RETRIED(call) ({ int result_ = TEMP_FAILURE_RETRY(call); result_ < 0 ? -errno : result_; })

int cfilestatus_open(const char *path, int nofollow) {
  return RETRIED(open(path, O_PATH | O_CLOEXEC | (nofollow ? O_NOFOLLOW : 0)));
}

int cfilestatus_stat(int descriptor, struct cfilestatus *status) {
  struct statx file;
  int failed = RETRIED(
      statx(descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &file));
  if (failed) return failed;
  *status = (struct cfilestatus){
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

int cfilestatus_read(int descriptor, struct cfilestatus *status) {
  int failed = cfilestatus_stat(descriptor, status);
  if (failed) return failed;
  struct statfs system;
  failed = RETRIED(fstatfs(descriptor, &system));
  if (failed) return failed;
  status->read_only = (system.f_flags & ST_RDONLY) != 0;
  // Some architectures have it signed, and some numbers have the highest bit.
  status->magic = (uint32_t)system.f_type;
  return 0;
}

int cfilestatus_unnamed(const char *directory) {
  return RETRIED(open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
}

int cfilestatus_writable(const char *path, int nofollow) {
  return RETRIED(
      faccessat(AT_FDCWD, path, W_OK, AT_EACCESS | (nofollow ? AT_SYMLINK_NOFOLLOW : 0)));
}
