/// Directories for Swift: the system calls the Glibc module lacks.
///
/// Every function returns a count or a descriptor on success and a negated errno on failure, so
/// that Swift never reads the thread-local errno, and retries EINTR, which FUSE and NFS do return.

#ifndef CDIRECTORY_H
#define CDIRECTORY_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// openat(2) of a directory for reading, with `flags` besides.
int cdirectory_open(int parent, const char *_Nonnull path, int flags);

/// open(2) of a directory as O_PATH, links followed: to go through it needs no right to list it.
int cdirectory_reach(const char *_Nonnull path);

/// Whether a path may lead out of the directory that it begins at.
typedef enum __attribute__((enum_extensibility(closed))) cdirectory_bounds {
  cdirectory_anywhere = 0,
  cdirectory_beneath = 1,
} cdirectory_bounds;

/// openat2(2) of a directory as O_PATH, following no link anywhere on the way: ELOOP where there is
/// one. ENOSYS before Linux 5.6; a seccomp filter that does not know the call answers EPERM.
int cdirectory_locate(int root, const char *_Nonnull path, cdirectory_bounds bounds);

/// openat(2) of one component as O_PATH, following no link: ELOOP where it is one.
int cdirectory_step(int parent, const char *_Nonnull name);

/// openat(2) of any file as O_PATH, which needs no right to it, waits for no FIFO and wakes no device.
///
/// A `nofollow` of 1 opens a symbolic link named last itself.
int cdirectory_touch(int parent, const char *_Nonnull path, int nofollow);

/// getdents64(2): the bytes of the records it wrote, 0 at the end.
///
/// A directory that has been removed is at its end, as in readdir(3): nothing was left in it.
ssize_t cdirectory_read(int descriptor, void *_Nonnull records, size_t size);

/// renameat2(2) of one entry to a name that nothing has yet: EEXIST where something has.
int cdirectory_put(int directory, const char *_Nonnull from, const char *_Nonnull to);

/// openat(2) of a file without a name, for writing, which is gone with its last descriptor unless it
/// is linked. Not every file system has such: EOPNOTSUPP, or EISDIR where the kernel does not.
int cdirectory_create(int directory);

/// linkat(2) of an open file that has no name to one that nothing has yet: EEXIST where something
/// has.
int cdirectory_link(int file, int directory, const char *_Nonnull to);

/// sched_getaffinity(2): how many processors this process may use, at least one.
int cdirectory_processors(void);

#ifdef __cplusplus
}
#endif

#endif
