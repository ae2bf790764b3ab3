#include <fcntl.h>
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Applications by GIO: which ones open a type, and starting them. A target is an absolute path or a
// URI.

/// The MIME type of a file, or `x-scheme-handler/SCHEME` of a URI, to be freed; NULL with an error.
static inline char *cgio_target_type(const char *target, GError **error) {
  if (target[0] != '/') {
    char *scheme = g_uri_parse_scheme(target);
    if (scheme == NULL) {
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "it is no URI");
      return NULL;
    }
    char *type = g_ascii_strdown(scheme, -1), *whole = g_strconcat("x-scheme-handler/", type, NULL);
    g_free(scheme), g_free(type);
    return whole;
  }
  GFile *file = cgio_local_file(target);
  GFileInfo *info = cgio_content_type(file, TRUE, error);
  g_object_unref(file);
  if (info == NULL) return NULL;
  char *type = g_strdup(g_file_info_get_content_type(info));
  g_object_unref(info);
  if (type == NULL)
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, "its type cannot be determined");
  return type;
}

static inline GList *cgio_add_target(GList *uris, const char *target) {
  char *uri = target[0] == '/' ? g_filename_to_uri(target, NULL, NULL) : g_strdup(target);
  return uri == NULL ? uris : g_list_append(uris, uri);
}

static inline void cgio_free_targets(GList *uris) { g_list_free_full(uris, g_free); }

static inline GDesktopAppInfo *cgio_default(const char *type) {
  return (GDesktopAppInfo *)g_app_info_get_default_for_type(type, FALSE);
}

/// Text for an Exec line, where '%' begins a field; to be freed.
static inline char *cgio_exec_quoted(const char *text) {
  char *quoted = g_shell_quote(text);
  char **parts = g_strsplit(quoted, "%", -1);
  char *result = g_strjoinv("%%", parts);
  g_strfreev(parts), g_free(quoted);
  return result;
}

/// A desktop entry with what Nemo's action says. `<script ARGUMENTS>` is a script beside the action.
static inline GKeyFile *cgio_entry_of_action(GKeyFile *file, const char *path, GError **error) {
  const char *action = "Nemo Action", *group = G_KEY_FILE_DESKTOP_GROUP;
  char *exec = g_key_file_get_string(file, action, "Exec", error);
  if (exec == NULL) return NULL;
  if (exec[0] == '<' && g_str_has_suffix(exec, ">")) {
    exec[strlen(exec) - 1] = 0;
    gsize length = strcspn(exec + 1, " ");
    char *script = g_strndup(exec + 1, length), *directory = g_path_get_dirname(path);
    char *whole = g_build_filename(directory, script, NULL), *quoted = cgio_exec_quoted(whole);
    char *line = g_strconcat(quoted, exec + 1 + length, NULL);
    g_free(script), g_free(directory), g_free(whole), g_free(quoted), g_free(exec);
    exec = line;
  }
  char *name = g_key_file_get_locale_string(file, action, "Name", NULL, NULL);
  // GIO takes a file for an entry by its first group.
  GKeyFile *entry = g_key_file_new();
  g_key_file_set_string(entry, group, G_KEY_FILE_DESKTOP_KEY_TYPE, "Application");
  g_key_file_set_string(entry, group, G_KEY_FILE_DESKTOP_KEY_NAME, name == NULL ? path : name);
  g_key_file_set_string(entry, group, G_KEY_FILE_DESKTOP_KEY_EXEC, exec);
  g_free(exec), g_free(name);
  return entry;
}

/// A desktop entry, or an action of Nemo as one, by its path; NULL with an error.
static inline GKeyFile *cgio_load_entry(const char *path, GError **error) {
  GKeyFile *file = g_key_file_new(), *entry = NULL;
  if (g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, error)) {
    if (!g_str_has_suffix(path, ".nemo_action")) return file;
    entry = cgio_entry_of_action(file, path, error);
  }
  g_key_file_free(file);
  return entry;
}

/// An application by its identifier, or by the path of its entry.
static inline GDesktopAppInfo *cgio_application(const char *identifier) {
  if (strchr(identifier, '/') == NULL) return g_desktop_app_info_new(identifier);
  GKeyFile *file = identifier[0] == '/' ? cgio_load_entry(identifier, NULL) : NULL;
  if (file == NULL) return NULL;
  GDesktopAppInfo *application = g_desktop_app_info_new_from_keyfile(file);
  g_key_file_free(file);
  if (application != NULL)
    g_object_set_data_full((GObject *)application, "path", g_strdup(identifier), g_free);
  return application;
}

static inline const char *cgio_identifier(GDesktopAppInfo *application) {
  return g_app_info_get_id((GAppInfo *)application);
}

static inline const char *cgio_name(GDesktopAppInfo *application) {
  return g_app_info_get_display_name((GAppInfo *)application);
}

/// The name or path of the icon, to be freed; NULL where there is none.
static inline char *cgio_icon(GDesktopAppInfo *application) {
  GIcon *icon = g_app_info_get_icon((GAppInfo *)application);
  return icon == NULL ? NULL : g_icon_to_string(icon);
}

static inline gboolean cgio_takes_files(GDesktopAppInfo *application) {
  GAppInfo *info = (GAppInfo *)application;
  return g_app_info_supports_uris(info) || g_app_info_supports_files(info);
}

static inline gboolean cgio_takes_uris(GDesktopAppInfo *application) {
  return g_app_info_supports_uris((GAppInfo *)application);
}

static inline gboolean cgio_is_shown(GDesktopAppInfo *application) {
  return g_app_info_should_show((GAppInfo *)application);
}

static inline gboolean cgio_is_in_terminal(GDesktopAppInfo *application) {
  return g_desktop_app_info_get_boolean(application, "Terminal");
}

static inline gboolean cgio_is_activatable(GDesktopAppInfo *application) {
  return g_desktop_app_info_get_boolean(application, "DBusActivatable");
}

/// Whether the entry's own MimeType has a type or a general type of it, as it does before the
/// database of applications is brought up to date.
static inline gboolean cgio_declares(GDesktopAppInfo *application, const char *type) {
  const char **own = g_app_info_get_supported_types(G_APP_INFO(application));
  for (; own != NULL && *own != NULL; own++)
    if (g_content_type_is_a(type, *own)) return TRUE;
  return FALSE;
}

/// The applications for a type, in the order of preference, to be freed with `cgio_free_list`.
///
/// - which: 0 those that declare the type, 1 those of its general types, 2 all installed ones.
static inline GList *cgio_applications(const char *type, int which) {
  switch (which) {
    case 0: return g_app_info_get_recommended_for_type(type);
    case 1: return g_app_info_get_fallback_for_type(type);
    default: return g_app_info_get_all();
  }
}

static inline GDesktopAppInfo *cgio_element(GList *list) {
  return (GDesktopAppInfo *)list->data;
}

static inline void cgio_free_list(GList *list) { g_list_free_full(list, g_object_unref); }

/// The Exec line with %k put in by ourselves, since a copy of an entry has no file; to be freed.
static inline char *cgio_placed_exec(const char *exec, const char *prefix, const char *path) {
  GString *line = g_string_new(prefix);
  for (const char *at = exec; *at != 0; at++) {
    if (at[0] != '%' || at[1] == 0) {
      g_string_append_c(line, *at);
      continue;
    }
    at++;
    if (*at != 'k') {
      g_string_append_c(line, '%'), g_string_append_c(line, *at);
      continue;
    }
    char *quoted = cgio_exec_quoted(path);
    g_string_append(line, quoted);
    g_free(quoted);
  }
  return g_string_free(line, FALSE);
}

/// A copy of an application that is started by its Exec line alone.
///
/// - recorder: a program that is started in its place, with the words that it would have been
///   started with after `words`; NULL for none.
static inline GDesktopAppInfo *cgio_copy(
    GDesktopAppInfo *application, const char *recorder, GError **error) {
  const char *path = (const char *)g_object_get_data((GObject *)application, "path");
  if (path == NULL) path = g_desktop_app_info_get_filename(application);
  GKeyFile *file = path == NULL ? NULL : cgio_load_entry(path, error);
  GDesktopAppInfo *copy = NULL;
  if (file != NULL) {
    const char *group = G_KEY_FILE_DESKTOP_GROUP;
    char *exec = g_key_file_get_string(file, group, G_KEY_FILE_DESKTOP_KEY_EXEC, error);
    if (exec != NULL) {
      char *quoted = recorder == NULL ? NULL : g_shell_quote(recorder);
      char *prefix = quoted == NULL ? g_strdup("") : g_strconcat(quoted, " words ", NULL);
      char *line = cgio_placed_exec(exec, prefix, path);
      g_key_file_set_string(file, group, G_KEY_FILE_DESKTOP_KEY_EXEC, line);
      g_key_file_remove_key(file, group, G_KEY_FILE_DESKTOP_KEY_DBUS_ACTIVATABLE, NULL);
      if (recorder != NULL) {
        g_key_file_remove_key(file, group, G_KEY_FILE_DESKTOP_KEY_TERMINAL, NULL);
        g_key_file_remove_key(file, group, G_KEY_FILE_DESKTOP_KEY_TRY_EXEC, NULL);
      }
      copy = g_desktop_app_info_new_from_keyfile(file);
      g_free(line), g_free(prefix), g_free(quoted), g_free(exec);
    }
    g_key_file_free(file);
  }
  if (copy == NULL && error != NULL && *error == NULL)
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_FAILED, "its desktop entry cannot be used");
  return copy;
}

static inline void cgio_ended(GDesktopAppInfo *application, GPid process, gpointer data) {
  (void)application, (void)data;
  int status;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
}

static inline void cgio_keep_process(GDesktopAppInfo *application, GPid process, gpointer data) {
  (void)application;
  g_array_append_val((GArray *)data, process);
}

static inline GArray *cgio_processes(void) { return g_array_new(FALSE, FALSE, sizeof(GPid)); }

static inline GPid cgio_process(GArray *processes, guint index) {
  return g_array_index(processes, GPid, index);
}

static inline void cgio_free_processes(GArray *processes) { g_array_free(processes, TRUE); }

/// Starts an application by its Exec line, as often as GIO does for so many targets.
///
/// - output: what the processes write to; they are waited for one after the other. -1 for
///   /dev/null, and not to wait.
/// - processes: gets the processes that are not waited for, which are children of this one.
static inline gboolean cgio_start(
    GDesktopAppInfo *application, GList *uris, int output, GArray *processes, GError **error) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  gboolean waits = output >= 0;
  gboolean result = g_desktop_app_info_launch_uris_as_manager_with_fds(
      application, uris, NULL, (GSpawnFlags)(G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD), NULL,
      NULL, waits ? cgio_ended : cgio_keep_process, processes, nothing, waits ? output : nothing,
      nothing, error);
  if (nothing >= 0) close(nothing);
  return result;
}

struct cgio_launch {
  GMainLoop *loop;
  gboolean result;
  GError **error;
};

static inline void cgio_launched(GObject *source, GAsyncResult *result, gpointer data) {
  struct cgio_launch *launch = (struct cgio_launch *)data;
  launch->result = g_app_info_launch_uris_finish((GAppInfo *)source, result, launch->error);
  g_main_loop_quit(launch->loop);
}

/// Hands the targets to an application on the session bus, which starts it if need be.
static inline gboolean cgio_activate(GDesktopAppInfo *application, GList *uris, GError **error) {
  struct cgio_launch launch = {g_main_loop_new(NULL, FALSE), FALSE, error};
  g_app_info_launch_uris_async(
      (GAppInfo *)application, uris, NULL, NULL, cgio_launched, &launch);
  g_main_loop_run(launch.loop);
  g_main_loop_unref(launch.loop);
  return launch.result;
}

/// The session bus; NULL with an error where there is none.
static inline GDBusConnection *cgio_bus(GError **error) {
  return g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, error);
}

/// Sends what has not been sent yet: GIO tells the bus what it has started.
static inline void cgio_flush_bus(void) {
  GDBusConnection *bus = cgio_bus(NULL);
  if (bus == NULL) return;
  g_dbus_connection_flush_sync(bus, NULL, NULL);
  g_object_unref(bus);
}
