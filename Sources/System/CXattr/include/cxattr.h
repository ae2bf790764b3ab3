/// Extended attributes for Swift: the system calls the Glibc module lacks.
///
/// Every function returns a count (or 0) on success and a negated errno on failure, so that Swift
/// never reads the thread-local errno, and retries EINTR, which FUSE and CIFS do return. Names and
/// paths are NUL-terminated bytes. A `size` of 0 asks for the size alone, as in xattr(7).

#ifndef CXATTR_H
#define CXATTR_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a call acts on the target of a symbolic link at the end of the path, or on the link.
typedef enum __attribute__((enum_extensibility(closed))) cxattr_links {
  cxattr_follow = 0,
  cxattr_nofollow = 1,
} cxattr_links;

/// Whether setting may create or replace an attribute: the flags of setxattr(2).
typedef enum __attribute__((enum_extensibility(closed))) cxattr_mode {
  cxattr_create_or_replace = 0,
  cxattr_create = 1,
  cxattr_replace = 2,
} cxattr_mode;

/// getxattr(2), lgetxattr(2).
ssize_t cxattr_get(const char *_Nonnull path, const char *_Nonnull name, void *_Nullable value,
                   size_t size, cxattr_links links);
/// setxattr(2), lsetxattr(2).
int cxattr_set(const char *_Nonnull path, const char *_Nonnull name, const void *_Nullable value,
               size_t size, cxattr_mode mode, cxattr_links links);
/// listxattr(2), llistxattr(2): names, each with its NUL.
ssize_t cxattr_list(const char *_Nonnull path, char *_Nullable list, size_t size,
                    cxattr_links links);
/// removexattr(2), lremovexattr(2).
int cxattr_remove(const char *_Nonnull path, const char *_Nonnull name, cxattr_links links);

/// fgetxattr(2). A descriptor opened with O_PATH gives EBADF.
ssize_t cxattr_fget(int descriptor, const char *_Nonnull name, void *_Nullable value, size_t size);
/// fsetxattr(2). A read-only descriptor is enough.
int cxattr_fset(int descriptor, const char *_Nonnull name, const void *_Nullable value, size_t size,
                cxattr_mode mode);
/// flistxattr(2).
ssize_t cxattr_flist(int descriptor, char *_Nullable list, size_t size);
/// fremovexattr(2).
int cxattr_fremove(int descriptor, const char *_Nonnull name);

/// How a call relative to a directory reaches the file.
///
/// `cxattr_route_kernel` uses the calls of Linux 6.13 (getxattrat and its kin, 463 to 466), which
/// open nothing. `cxattr_route_open` opens the file with O_PATH and uses its name in /proc/self/fd;
/// without /proc it opens the file for reading and uses the descriptor's calls.
typedef enum __attribute__((enum_extensibility(closed))) cxattr_route {
  cxattr_route_kernel = 0,
  cxattr_route_open = 1,
} cxattr_route;

/// The route that this kernel allows, determined once.
///
/// A kernel that has the calls answers EINVAL to a deliberately short argument block. An older
/// kernel answers ENOSYS, and a seccomp filter that does not know the calls EPERM.
cxattr_route cxattr_best_route(void);

/// getxattrat, or its equivalent by `route`. `directory` may be AT_FDCWD.
ssize_t cxattr_getat(int directory, const char *_Nonnull path, const char *_Nonnull name,
                     void *_Nullable value, size_t size, cxattr_links links, cxattr_route route);
/// setxattrat, or its equivalent by `route`.
int cxattr_setat(int directory, const char *_Nonnull path, const char *_Nonnull name,
                 const void *_Nullable value, size_t size, cxattr_mode mode, cxattr_links links,
                 cxattr_route route);
/// listxattrat, or its equivalent by `route`.
ssize_t cxattr_listat(int directory, const char *_Nonnull path, char *_Nullable list, size_t size,
                      cxattr_links links, cxattr_route route);
/// removexattrat, or its equivalent by `route`.
int cxattr_removeat(int directory, const char *_Nonnull path, const char *_Nonnull name,
                    cxattr_links links, cxattr_route route);

/// The kind of a file, where that explains a refusal.
typedef enum __attribute__((enum_extensibility(closed))) cxattr_kind {
  cxattr_kind_regular = 0,
  cxattr_kind_link = 1,
  cxattr_kind_special = 2,
  cxattr_kind_immutable = 3,
  cxattr_kind_append_only = 4,
  cxattr_kind_sticky = 5,  // a directory in which only owners may remove files
} cxattr_kind;

/// statx(2): the kind of a file. An empty path is `directory` itself. Returns a `cxattr_kind` or a
/// negated errno.
int cxattr_observe(int directory, const char *_Nonnull path, cxattr_links links);

/// The size of a buffer for the name of any attribute and its NUL (XATTR_NAME_MAX and 1).
enum { cxattr_name_size = 256 };

/// Copies the attributes of one file to another by the rules of /etc/xattr.conf.
///
/// The function behind it is attr_copy_file(3) of libattr; it follows no link, neither path's.
/// Attributes that the rules skip, or that hold permissions, are left alone. Every other attribute
/// is tried; the first failure is returned, and the name of its attribute written to `attribute`,
/// which has room for `cxattr_name_size` bytes. The name is empty if the failure concerns the file.
int cxattr_copy(const char *_Nonnull from, const char *_Nonnull to, char *_Nonnull attribute);

/// cxattr_copy between open files. The paths serve messages only.
int cxattr_fcopy(const char *_Nonnull from_path, int from, const char *_Nonnull to_path, int to,
                 char *_Nonnull attribute);

#ifdef __cplusplus
}
#endif

#endif
