#include "cxattr.h"

#include <attr/error_context.h>
#include <attr/libattr.h>
#include <errno.h>

// libattr reports each attribute it could not copy here and goes on; its own result is -1 or 0.
struct failures {
  struct error_context context;
  int first;
};

static void remember(struct error_context *context, const char *format, ...) {
  struct failures *failures = (struct failures *)context;
  (void)format;
  if (failures->first == 0) failures->first = errno ? errno : EIO;
}

static int outcome(const struct failures *failures, int result) {
  if (result == 0) return 0;
  return failures->first ? -failures->first : -(errno ? errno : EIO);
}

int cxattr_copy(const char *from, const char *to) {
  struct failures failures = {{remember, 0, 0}, 0};
  errno = 0;
  int result = attr_copy_file(from, to, 0, &failures.context);
  return outcome(&failures, result);
}

int cxattr_fcopy(const char *from_path, int from, const char *to_path, int to) {
  struct failures failures = {{remember, 0, 0}, 0};
  errno = 0;
  int result = attr_copy_fd(from_path, from, to_path, to, 0, &failures.context);
  return outcome(&failures, result);
}
