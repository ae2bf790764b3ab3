#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>

/// A file of the local file systems, for which no module of GIO has to be loaded.
static inline GFile *cgio_local_file(const char *path) {
  return g_vfs_get_file_for_path(g_vfs_get_local(), path);
}

/// The kind of file by its name and content, and by its name alone; NULL with an error.
static inline GFileInfo *cgio_content_type(GFile *file, gboolean follows, GError **error) {
  return g_file_query_info(
      file, G_FILE_ATTRIBUTE_STANDARD_CONTENT_TYPE "," G_FILE_ATTRIBUTE_STANDARD_FAST_CONTENT_TYPE
      "," G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_SIZE
      "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
      follows ? G_FILE_QUERY_INFO_NONE : G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, error);
}

/// The kind of file that the name alone decides, as `cgio_content_type` would tell it, to be freed; NULL
/// if GIO takes more than the name, or there is no such file. GIO's own way prepares all that it has for
/// files, which takes longer than finding the type.
static inline char *cgio_certain_type(const char *path, gboolean follows) {
  // What GIO takes the path for: `..` after a link is another directory for the kernel.
  char *canonical = g_canonicalize_filename(path, NULL);
  struct stat status;
  int result = follows ? stat(canonical, &status) : lstat(canonical, &status);
  char *type = NULL;
  if (result == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    gboolean is_uncertain = FALSE;
    type = g_content_type_guess(strrchr(canonical, '/') + 1, NULL, 0, &is_uncertain);
    if (is_uncertain) g_clear_pointer(&type, g_free);
  }
  g_free(canonical);
  return type;
}

/// NULL for a regular file that GIO knows by its size alone: it is empty, and its name is not that of a
/// text.
static inline const char *cgio_name_type(GFileInfo *info) {
  if (g_file_info_get_file_type(info) == G_FILE_TYPE_REGULAR && g_file_info_get_size(info) == 0) {
    char *guess = g_content_type_guess(g_file_info_get_name(info), NULL, 0, NULL);
    gboolean is_same = g_content_type_equals(guess, g_file_info_get_content_type(info));
    g_free(guess);
    if (!is_same) return NULL;
  }
  return g_file_info_get_attribute_string(info, G_FILE_ATTRIBUTE_STANDARD_FAST_CONTENT_TYPE);
}
