#include <gio/gio.h>

/// A file of the local file systems, for which no module of GIO has to be loaded.
static inline GFile *cgio_local_file(const char *path) {
  return g_vfs_get_file_for_path(g_vfs_get_local(), path);
}

/// The kind of file by its name and content, and by its name alone; NULL with an error.
static inline GFileInfo *cgio_content_type(GFile *file, gboolean follows, GError **error) {
  return g_file_query_info(
      file, G_FILE_ATTRIBUTE_STANDARD_CONTENT_TYPE "," G_FILE_ATTRIBUTE_STANDARD_FAST_CONTENT_TYPE,
      follows ? G_FILE_QUERY_INFO_NONE : G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, error);
}

static inline const char *cgio_name_type(GFileInfo *info) {
  return g_file_info_get_attribute_string(info, G_FILE_ATTRIBUTE_STANDARD_FAST_CONTENT_TYPE);
}
