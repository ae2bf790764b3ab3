/// What a file is and where it lies, for Swift: the system calls the Glibc module lacks.
///
/// Every function returns a descriptor or 0 on success and a negated errno on failure, so that Swift
/// never reads the thread-local errno, and retries EINTR, which FUSE and NFS do return.

#ifndef CFILESTATUS_H
#define CFILESTATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What statx(2) and fstatfs(2) tell.
struct cfilestatus {
  uint64_t mount;  // its number in /proc/self/mountinfo; 0 where the kernel does not tell
  uint64_t inode;
  uint32_t mode;
  uint32_t links;  // how many names it has
  uint32_t owner;
  uint32_t group;
  uint32_t device_major;
  uint32_t device_minor;
  uint32_t immutable;    // 1 or 0
  uint32_t append_only;  // 1 or 0
  uint32_t read_only;    // the mount or the file system is; 1 or 0
  uint64_t magic;        // the type of the file system, statfs(2)
};

/// open(2) with O_PATH: needs no right to the file, waits for no FIFO and wakes no device.
///
/// A `nofollow` of 1 opens a symbolic link named last itself.
int cfilestatus_open(const char *_Nonnull path, int nofollow);

/// What statx(2) tells of an open file; one of cfilestatus_open does. What fstatfs(2) tells is 0.
int cfilestatus_stat(int descriptor, struct cfilestatus *_Nonnull status);

/// The status of an open file; one of cfilestatus_open does.
int cfilestatus_read(int descriptor, struct cfilestatus *_Nonnull status);

/// open(2) with O_TMPFILE: a new file in a directory, without a name and gone when it is closed.
int cfilestatus_unnamed(const char *_Nonnull directory);

/// faccessat(2) for the effective user: whether a file may be written.
int cfilestatus_writable(const char *_Nonnull path, int nofollow);

#ifdef __cplusplus
}
#endif

#endif
