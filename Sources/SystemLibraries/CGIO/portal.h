// Portals of freedesktop.org: methods that answer with a request, which sends a signal when the user
// has decided.

#define CGIO_PORTAL "org.freedesktop.portal.Desktop"
#define CGIO_PORTAL_PATH "/org/freedesktop/portal/desktop"
/// How long a user may take, in seconds.
#define CGIO_PORTAL_PATIENCE 300
/// How long the portal itself may take, which may have to be started; in milliseconds.
#define CGIO_PORTAL_CALL 25000

struct cgio_request {
  GMainLoop *loop;
  /// The path of the request; portals before version 0.9 choose it themselves.
  const char *handle;
  /// What the user has decided: 0 done, 1 cancelled, 2 ended in another way; -1 nothing yet.
  int response;
};

static inline void cgio_responded(
    GDBusConnection *bus, const char *sender, const char *path, const char *interface,
    const char *signal, GVariant *parameters, gpointer data) {
  (void)bus, (void)sender, (void)interface, (void)signal;
  struct cgio_request *request = (struct cgio_request *)data;
  if (strcmp(path, request->handle) != 0) return;
  guint32 response = 2;
  if (g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ua{sv})")))
    g_variant_get_child(parameters, 0, "u", &response);
  request->response = response > 2 ? 2 : (int)response;
  g_main_loop_quit(request->loop);
}

static inline gboolean cgio_request_late(gpointer data) {
  g_main_loop_quit(((struct cgio_request *)data)->loop);
  return G_SOURCE_REMOVE;
}

/// Calls a method of a portal and waits for what the user decides.
///
/// - first: the parameters before the options, a tuple that is taken over.
/// - options: without `handle_token`, to be ended here.
/// - files: the descriptors that the parameters mean; NULL for none.
/// Returns 0 done, 1 cancelled, 2 ended in another way, and -1 with an error.
static inline int cgio_portal_request(
    GDBusConnection *bus, const char *interface, const char *method, GVariant *first,
    GVariantBuilder *options, GUnixFDList *files, GError **error) {
  g_variant_ref_sink(first);
  char *token = g_strdup_printf("docsource%u", g_random_int());
  char *sender = g_strdup(g_dbus_connection_get_unique_name(bus) + 1);
  for (char *at = sender; *at != 0; at++)
    if (*at == '.') *at = '_';
  char *path = g_strconcat(CGIO_PORTAL_PATH "/request/", sender, "/", token, NULL);
  g_variant_builder_add(options, "{sv}", "handle_token", g_variant_new_string(token));

  GVariantBuilder parameters;
  g_variant_builder_init(&parameters, G_VARIANT_TYPE_TUPLE);
  for (gsize index = 0; index < g_variant_n_children(first); index++) {
    GVariant *child = g_variant_get_child_value(first, index);
    g_variant_builder_add_value(&parameters, child);
    g_variant_unref(child);
  }
  g_variant_builder_add_value(&parameters, g_variant_builder_end(options));

  struct cgio_request request = {g_main_loop_new(NULL, FALSE), path, -1};
  // Before the call, whose request may have ended when its answer comes. Signals wait for the loop to
  // run, when it is known which one is meant.
  guint watch = g_dbus_connection_signal_subscribe(
      bus, CGIO_PORTAL, "org.freedesktop.portal.Request", "Response", NULL, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, cgio_responded, &request, NULL);
  GVariant *answer = g_dbus_connection_call_with_unix_fd_list_sync(
      bus, CGIO_PORTAL, CGIO_PORTAL_PATH, interface, method,
      g_variant_builder_end(&parameters), G_VARIANT_TYPE("(o)"), G_DBUS_CALL_FLAGS_NONE,
      CGIO_PORTAL_CALL, files, NULL, NULL, error);
  if (answer != NULL) {
    g_variant_get_child(answer, 0, "&o", &request.handle);
    guint timer = g_timeout_add_seconds(CGIO_PORTAL_PATIENCE, cgio_request_late, &request);
    if (request.response < 0) g_main_loop_run(request.loop);
    if (request.response >= 0) g_source_remove(timer);
    else
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "the portal does not answer");
    g_variant_unref(answer);
  }
  g_dbus_connection_signal_unsubscribe(bus, watch);
  g_main_loop_unref(request.loop);
  g_variant_unref(first);
  g_free(path), g_free(sender), g_free(token);
  return request.response;
}

/// How the portal is asked to open a target.
struct cgio_opening {
  /// OpenFile for a path, OpenURI else: the portal refuses URIs of files.
  const char *method;
  /// The descriptor that is passed; -1 for none.
  int file;
  /// Whether the application may write to the file.
  gboolean is_writable;
};

/// Opens the file of a path, for writing where that is possible; NULL method with errno set where it
/// cannot be opened.
static inline struct cgio_opening cgio_opening(const char *target) {
  struct cgio_opening opening = {"OpenURI", -1, FALSE};
  if (target[0] != '/') return opening;
  opening.method = "OpenFile";
  opening.file = open(target, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  opening.is_writable = opening.file >= 0;
  if (opening.file < 0) opening.file = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opening.file < 0) opening.method = NULL;
  return opening;
}

/// Lets the portal open a target; closes the opening's file. Returns as `cgio_portal_request`.
///
/// - asks: whether the user is to choose the application.
/// - activation: the token by which the new window gets the focus; NULL for none.
static inline int cgio_portal_open(
    GDBusConnection *bus, struct cgio_opening opening, const char *target, gboolean asks,
    const char *activation, GError **error) {
  GUnixFDList *files = NULL;
  GVariant *first;
  GVariantBuilder options;
  g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
  if (opening.file >= 0) {
    files = g_unix_fd_list_new_from_array(&opening.file, 1);
    first = g_variant_new("(sh)", "", 0);
    g_variant_builder_add(
        &options, "{sv}", "writable", g_variant_new_boolean(opening.is_writable));
  } else {
    first = g_variant_new("(ss)", "", target);
  }
  if (asks) g_variant_builder_add(&options, "{sv}", "ask", g_variant_new_boolean(TRUE));
  if (activation != NULL)
    g_variant_builder_add(
        &options, "{sv}", "activation_token", g_variant_new_string(activation));
  int result = cgio_portal_request(
      bus, "org.freedesktop.portal.OpenURI", opening.method, first, &options, files, error);
  if (files != NULL) g_object_unref(files);
  return result;
}
