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

/// getdents64(2): the bytes of the records it wrote, 0 at the end.
///
/// A directory that has been removed is at its end, as in readdir(3): nothing was left in it.
ssize_t cdirectory_read(int descriptor, void *_Nonnull records, size_t size);

/// sched_getaffinity(2): how many processors this process may use, at least one.
int cdirectory_processors(void);

#ifdef __cplusplus
}
#endif

#endif
