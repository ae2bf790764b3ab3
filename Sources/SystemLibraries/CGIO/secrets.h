#include <gio/gio.h>
#include <string.h>

// The Secret Service of freedesktop.org, by the attributes service, account and access-group. The
// session is not encrypted: the bus is the user's own. Functions return 0 where all is done, 1 where
// there is no such secret, and -1 with an error.

/// In milliseconds; nobody is asked anything meanwhile.
#define CGIO_SECRET_PATIENCE 25000
/// How long a user may take to unlock the secrets, in seconds.
#define CGIO_SECRET_PROMPT 300

#define CGIO_SECRET_PATH "/org/freedesktop/secrets"
#define CGIO_SECRET_SERVICE "org.freedesktop.Secret.Service"
#define CGIO_SECRET_ITEM "org.freedesktop.Secret.Item"

static inline GVariant *cgio_secret_call(
    GDBusConnection *bus, const char *path, const char *interface, const char *method,
    GVariant *parameters, const char *reply, GError **error) {
  return g_dbus_connection_call_sync(
      bus, "org.freedesktop.secrets", path, interface, method, parameters,
      G_VARIANT_TYPE(reply), G_DBUS_CALL_FLAGS_NONE, CGIO_SECRET_PATIENCE, NULL, error);
}

struct cgio_secret_prompt {
  GMainLoop *loop;
  gboolean completed, dismissed;
};

static inline void cgio_secret_completed(
    GDBusConnection *bus, const char *sender, const char *path, const char *interface,
    const char *signal, GVariant *parameters, gpointer data) {
  (void)bus, (void)sender, (void)path, (void)interface, (void)signal;
  struct cgio_secret_prompt *prompt = (struct cgio_secret_prompt *)data;
  g_variant_get_child(parameters, 0, "b", &prompt->dismissed);
  prompt->completed = TRUE;
  g_main_loop_quit(prompt->loop);
}

static inline gboolean cgio_secret_late(gpointer data) {
  g_main_loop_quit((GMainLoop *)data);
  return G_SOURCE_REMOVE;
}

/// Lets the desktop ask the user, and waits for the answer; nothing for the path `/`.
static inline int cgio_secret_ask(GDBusConnection *bus, const char *path, GError **error) {
  if (strcmp(path, "/") == 0) return 0;
  struct cgio_secret_prompt prompt = {g_main_loop_new(NULL, FALSE), FALSE, FALSE};
  guint watch = g_dbus_connection_signal_subscribe(
      bus, "org.freedesktop.secrets", "org.freedesktop.Secret.Prompt", "Completed", path, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, cgio_secret_completed, &prompt, NULL);
  GVariant *answer = cgio_secret_call(
      bus, path, "org.freedesktop.Secret.Prompt", "Prompt", g_variant_new("(s)", ""), "()", error);
  if (answer != NULL) {
    g_variant_unref(answer);
    guint timer = g_timeout_add_seconds(CGIO_SECRET_PROMPT, cgio_secret_late, prompt.loop);
    if (!prompt.completed) g_main_loop_run(prompt.loop);
    if (prompt.completed) g_source_remove(timer);
    if (!prompt.completed || prompt.dismissed)
      g_set_error_literal(
          error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the secrets were not unlocked");
  }
  g_dbus_connection_signal_unsubscribe(bus, watch);
  g_main_loop_unref(prompt.loop);
  return answer != NULL && prompt.completed && !prompt.dismissed ? 0 : -1;
}

static inline int cgio_secret_unlock(GDBusConnection *bus, const char *path, GError **error) {
  const char *paths[] = {path, NULL};
  GVariant *answer = cgio_secret_call(
      bus, CGIO_SECRET_PATH, CGIO_SECRET_SERVICE, "Unlock", g_variant_new("(^ao)", paths),
      "(aoo)", error);
  if (answer == NULL) return -1;
  const char *prompt;
  g_variant_get_child(answer, 1, "&o", &prompt);
  int result = cgio_secret_ask(bus, prompt, error);
  g_variant_unref(answer);
  return result;
}

static inline GVariant *cgio_secret_attributes(
    const char *group, const char *service, const char *account) {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a{ss}"));
  g_variant_builder_add(&builder, "{ss}", "access-group", group);
  g_variant_builder_add(&builder, "{ss}", "service", service);
  g_variant_builder_add(&builder, "{ss}", "account", account);
  return g_variant_builder_end(&builder);
}

/// Finds a secret and unlocks it; its path is to be freed.
static inline int cgio_secret_find(
    GDBusConnection *bus, const char *group, const char *service, const char *account,
    char **path, GError **error) {
  GVariant *found = cgio_secret_call(
      bus, CGIO_SECRET_PATH, CGIO_SECRET_SERVICE, "SearchItems",
      g_variant_new("(@a{ss})", cgio_secret_attributes(group, service, account)), "(aoao)", error);
  if (found == NULL) return -1;
  int result = 1;
  for (gsize locked = 0; locked < 2 && result == 1; locked++) {
    GVariant *paths = g_variant_get_child_value(found, locked);
    if (g_variant_n_children(paths) > 0) {
      g_variant_get_child(paths, 0, "o", path);
      result = locked ? cgio_secret_unlock(bus, *path, error) : 0;
    }
    g_variant_unref(paths);
  }
  g_variant_unref(found);
  return result;
}

/// Opens a session; its path is to be freed.
static inline int cgio_secret_session(GDBusConnection *bus, char **session, GError **error) {
  GVariant *answer = cgio_secret_call(
      bus, CGIO_SECRET_PATH, CGIO_SECRET_SERVICE, "OpenSession",
      g_variant_new("(sv)", "plain", g_variant_new_string("")), "(vo)", error);
  if (answer == NULL) return -1;
  g_variant_get_child(answer, 1, "o", session);
  g_variant_unref(answer);
  return 0;
}

/// Gives the bytes of a secret, to be freed.
static inline int cgio_secret_lookup(
    GDBusConnection *bus, const char *group, const char *service, const char *account,
    GBytes **secret, GError **error) {
  char *session = NULL, *path = NULL;
  int result = cgio_secret_session(bus, &session, error);
  if (result == 0) result = cgio_secret_find(bus, group, service, account, &path, error);
  if (result == 0) {
    GVariant *answer = cgio_secret_call(
        bus, path, CGIO_SECRET_ITEM, "GetSecret", g_variant_new("(o)", session), "((oayays))",
        error);
    result = answer == NULL ? -1 : 0;
    if (answer != NULL) {
      GVariant *value = g_variant_get_child_value(answer, 0);
      GVariant *bytes = g_variant_get_child_value(value, 2);
      *secret = g_variant_get_data_as_bytes(bytes);
      g_variant_unref(bytes), g_variant_unref(value), g_variant_unref(answer);
    }
  }
  g_free(session), g_free(path);
  return result;
}

static inline int cgio_secret_clear(
    GDBusConnection *bus, const char *group, const char *service, const char *account,
    GError **error) {
  char *path = NULL;
  int result = cgio_secret_find(bus, group, service, account, &path, error);
  if (result == 0) {
    GVariant *answer = cgio_secret_call(
        bus, path, CGIO_SECRET_ITEM, "Delete", NULL, "(o)", error);
    result = -1;
    if (answer != NULL) {
      const char *prompt;
      g_variant_get_child(answer, 0, "&o", &prompt);
      result = cgio_secret_ask(bus, prompt, error);
      g_variant_unref(answer);
    }
  }
  g_free(path);
  return result;
}

/// Stores a secret in the user's default collection, in the place of one with the same attributes.
static inline int cgio_secret_store(
    GDBusConnection *bus, const char *group, const char *service, const char *account,
    const char *label, const void *bytes, gsize size, GError **error) {
  char *session = NULL, *collection = NULL;
  int result = cgio_secret_session(bus, &session, error);
  GVariant *alias = result != 0 ? NULL : cgio_secret_call(
      bus, CGIO_SECRET_PATH, CGIO_SECRET_SERVICE, "ReadAlias", g_variant_new("(s)", "default"),
      "(o)", error);
  result = alias == NULL ? -1 : 0;
  if (alias != NULL) {
    g_variant_get_child(alias, 0, "o", &collection);
    g_variant_unref(alias);
    if (strcmp(collection, "/") == 0) {
      g_set_error_literal(
          error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no default keyring to store it in");
      result = -1;
    }
  }
  if (result == 0) result = cgio_secret_unlock(bus, collection, error);
  if (result == 0) {
    GVariantBuilder properties;
    g_variant_builder_init(&properties, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(
        &properties, "{sv}", CGIO_SECRET_ITEM ".Label", g_variant_new_string(label));
    g_variant_builder_add(
        &properties, "{sv}", CGIO_SECRET_ITEM ".Attributes",
        cgio_secret_attributes(group, service, account));
    GVariant *none = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, NULL, 0, 1);
    GVariant *value = g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, bytes, size, 1);
    GVariant *answer = cgio_secret_call(
        bus, collection, "org.freedesktop.Secret.Collection", "CreateItem",
        g_variant_new("(a{sv}(o@ay@ays)b)", &properties, session, none, value,
                      "application/octet-stream", TRUE),
        "(oo)", error);
    result = -1;
    if (answer != NULL) {
      const char *prompt;
      g_variant_get_child(answer, 1, "&o", &prompt);
      result = cgio_secret_ask(bus, prompt, error);
      g_variant_unref(answer);
    }
  }
  g_free(session), g_free(collection);
  return result;
}

/// Whether an error says that nobody offers secrets.
static inline gboolean cgio_secret_is_missing(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
      || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER);
}
