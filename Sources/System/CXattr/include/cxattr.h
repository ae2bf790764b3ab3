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

/// How a call reaches a file.
///
/// `cxattr_route_kernel` and `cxattr_route_open` are for a path relative to a directory, which may
/// be AT_FDCWD. The first uses the calls of Linux 6.13 (getxattrat and its kin, 463 to 466), which
/// open nothing. The second opens the file with O_PATH and uses its name in /proc/self/fd; without
/// /proc it opens the file for reading and uses the descriptor's calls.
typedef enum __attribute__((enum_extensibility(closed))) cxattr_route {
  cxattr_route_kernel = 0,
  cxattr_route_open = 1,
  cxattr_route_path = 2,        // a path from the working directory: getxattr(2), lgetxattr(2)
  cxattr_route_descriptor = 3,  // an open file: fgetxattr(2); O_PATH descriptors give EBADF
  cxattr_route_held = 4,        // an O_PATH descriptor, by its name in /proc/self/fd
} cxattr_route;

/// The route relative to a directory that this kernel allows, determined once.
///
/// A kernel that has the calls answers EINVAL to a deliberately short argument block. An older
/// kernel answers ENOSYS, and a seccomp filter that does not know the calls EPERM.
cxattr_route cxattr_best_route(void);

/// A file, as a route reaches it.
typedef struct cxattr_file {
  // The file itself by cxattr_route_descriptor, AT_FDCWD by cxattr_route_path; by cxattr_route_held
  // /proc/self/fd, or AT_FDCWD if that is not open.
  int directory;
  const char *_Nullable path;  // NULL by cxattr_route_descriptor and cxattr_route_held
  cxattr_links links;
  cxattr_route route;
  int held;  // the file itself by cxattr_route_held, else -1
} cxattr_file;

/// getxattr(2) and its kin.
ssize_t cxattr_get(cxattr_file file, const char *_Nonnull name, void *_Nullable value, size_t size);
/// setxattr(2) and its kin. A read-only descriptor is enough.
int cxattr_set(cxattr_file file, const char *_Nonnull name, const void *_Nullable value,
               size_t size, cxattr_mode mode);
/// listxattr(2) and its kin: names, each with its NUL.
ssize_t cxattr_list(cxattr_file file, char *_Nullable list, size_t size);
/// removexattr(2) and its kin.
int cxattr_remove(cxattr_file file, const char *_Nonnull name);

/// The kind of a file, where that explains a refusal.
typedef enum __attribute__((enum_extensibility(closed))) cxattr_kind {
  cxattr_kind_regular = 0,
  cxattr_kind_link = 1,
  cxattr_kind_special = 2,
  cxattr_kind_immutable = 3,
  cxattr_kind_append_only = 4,
  cxattr_kind_sticky = 5,  // a directory in which only owners may remove files
} cxattr_kind;

/// statx(2): the kind of a file. Returns a `cxattr_kind` or a negated errno.
int cxattr_observe(cxattr_file file);

/// The size of a buffer for the name of any attribute and its NUL (XATTR_NAME_MAX and 1).
enum { cxattr_name_size = 256 };

/// Copies the attributes of one file to another by the rules of /etc/xattr.conf.
///
/// The corresponding function is attr_copy_file(3) of libattr; it follows no link, neither path's.
/// Attributes that the rules skip, or that hold permissions, are left alone. Every other attribute
/// is tried; the first failure is returned, and the name of its attribute written to `attribute`,
/// which has room for `cxattr_name_size` bytes. The name is empty if the failure concerns the file.
int cxattr_copy(const char *_Nonnull from, const char *_Nonnull to, char *_Nonnull attribute);

/// Whether cxattr_copy copies attributes of a name: 1 or 0.
int cxattr_is_copied(const char *_Nonnull name);

/// cxattr_copy between open files, of attributes of the namespace `user` only where `all` is 0. The
/// paths serve messages only.
int cxattr_fcopy(const char *_Nonnull from_path, int from, const char *_Nonnull to_path, int to,
                 int all, char *_Nonnull attribute);

#ifdef __cplusplus
}
#endif

#endif
