#include "cxattr.h"

#include <attr/error_context.h>
#include <attr/libattr.h>
#include <errno.h>
#include <string.h>

// libattr reports each attribute it could not copy here and goes on; its own result is -1 or 0.
struct failures {
  struct error_context context;
  const char *from;
  const char *to;
  // What the current report is about besides the two files.
  const char *quoted;
  int first;
  char *attribute;
};

// libattr passes on what its message will name: one of our paths, an attribute's name, or its
// configuration file.
static const char *quote(struct error_context *context, const char *text) {
  struct failures *failures = (struct failures *)context;
  if (text != failures->from && text != failures->to) failures->quoted = text;
  return text;
}

static void remember(struct error_context *context, const char *format, ...) {
  struct failures *failures = (struct failures *)context;
  const char *name = failures->quoted;
  (void)format;
  failures->quoted = NULL;
  // An unreadable configuration counts as missing; its report must not hide an attribute's.
  if (failures->first != 0 || (name && name[0] == '/')) return;
  failures->first = errno ? errno : EIO;
  if (name && strlen(name) < cxattr_name_size) strcpy(failures->attribute, name);
}

static struct failures failures_between(const char *from, const char *to, char *attribute) {
  attribute[0] = '\0';
  errno = 0;
  return (struct failures){{remember, quote, 0}, from, to, NULL, 0, attribute};
}

static int outcome(const struct failures *failures, int result) {
  if (result == 0) return 0;
  return failures->first ? -failures->first : -(errno ? errno : EIO);
}

int cxattr_copy(const char *from, const char *to, char *attribute) {
  struct failures failures = failures_between(from, to, attribute);
  int result = attr_copy_file(from, to, 0, &failures.context);
  return outcome(&failures, result);
}

int cxattr_is_copied(const char *name) {
  struct failures failures = failures_between("", "", (char[cxattr_name_size]){0});
  return attr_copy_check_permissions(name, &failures.context) != 0;
}

static int is_of_user(const char *name, struct error_context *context) {
  return strncmp(name, "user.", 5) == 0 && attr_copy_check_permissions(name, context);
}

int cxattr_fcopy(const char *from_path, int from, const char *to_path, int to, int all,
                 char *attribute) {
  struct failures failures = failures_between(from_path, to_path, attribute);
  int result =
      attr_copy_fd(from_path, from, to_path, to, all ? 0 : is_of_user, &failures.context);
  return outcome(&failures, result);
}
