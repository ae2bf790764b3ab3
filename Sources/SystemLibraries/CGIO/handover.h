// Handing things over: mail by the portal, and the list of what is to be read.

#define CGIO_EMAIL "org.freedesktop.portal.Email"

/// The version of a portal's interface; 0 with an error.
static inline guint32 cgio_portal_version(
    GDBusConnection *bus, const char *interface, GError **error) {
  GVariant *answer = g_dbus_connection_call_sync(
      bus, CGIO_PORTAL, CGIO_PORTAL_PATH, "org.freedesktop.DBus.Properties", "Get",
      g_variant_new("(ss)", interface, "version"), G_VARIANT_TYPE("(v)"), G_DBUS_CALL_FLAGS_NONE,
      CGIO_PORTAL_CALL, NULL, error);
  if (answer == NULL) return 0;
  GVariant *value;
  g_variant_get(answer, "(v)", &value);
  guint32 version = g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32(value) : 1;
  g_variant_unref(value), g_variant_unref(answer);
  return version;
}

/// Lets the user write a mail. Returns as `cgio_portal_request`.
///
/// - words: names and values, each with a NUL after it: `to`, `cc`, `bcc`, `subject`, `body`, and
///   `attach` with an absolute path.
static inline int cgio_portal_email(
    GDBusConnection *bus, const char *words, gsize size, GError **error) {
  guint32 version = cgio_portal_version(bus, CGIO_EMAIL, error);
  if (version == 0) return -1;
  static const char *const names[] = {"to", "cc", "bcc"};
  static const char *const options_of[] = {"addresses", "cc", "bcc"};
  GPtrArray *lists[3];
  for (int index = 0; index < 3; index++) lists[index] = g_ptr_array_new();
  GVariantBuilder options, handles;
  g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_init(&handles, G_VARIANT_TYPE("ah"));
  GUnixFDList *files = g_unix_fd_list_new();
  gboolean is_complete = TRUE;
  for (const char *name = words; is_complete && name < words + size;) {
    const char *value = name + strlen(name) + 1;
    if (value >= words + size) break;
    for (int index = 0; index < 3; index++)
      if (strcmp(name, names[index]) == 0) g_ptr_array_add(lists[index], (gpointer)value);
    if (strcmp(name, "subject") == 0 || strcmp(name, "body") == 0)
      g_variant_builder_add(&options, "{sv}", name, g_variant_new_string(value));
    if (strcmp(name, "attach") == 0) {
      int file = open(value, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      int handle = file < 0 ? -1 : g_unix_fd_list_append(files, file, error);
      if (file < 0)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", value, g_strerror(errno));
      if (file >= 0) close(file);
      if (handle >= 0) g_variant_builder_add(&handles, "h", handle);
      is_complete = handle >= 0;
    }
    name = value + strlen(value) + 1;
  }
  if (is_complete && version < 3 && (lists[0]->len > 1 || lists[1]->len + lists[2]->len > 0)) {
    g_set_error_literal(
        error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "the portal takes one recipient, and no cc or bcc");
    is_complete = FALSE;
  }
  if (version < 3 && lists[0]->len == 1) {
    g_variant_builder_add(
        &options, "{sv}", "address", g_variant_new_string((char *)lists[0]->pdata[0]));
  } else {
    for (int index = 0; index < 3; index++)
      if (lists[index]->len > 0)
        g_variant_builder_add(
            &options, "{sv}", options_of[index],
            g_variant_new_strv((const char *const *)lists[index]->pdata, lists[index]->len));
  }
  for (int index = 0; index < 3; index++) g_ptr_array_free(lists[index], TRUE);
  GVariant *attachments = g_variant_ref_sink(g_variant_builder_end(&handles));
  if (g_variant_n_children(attachments) > 0)
    g_variant_builder_add(&options, "{sv}", "attachment_fds", attachments);
  int result = -1;
  if (is_complete)
    result = cgio_portal_request(
        bus, CGIO_EMAIL, "ComposeEmail", g_variant_new("(s)", ""), &options, files, error);
  else
    g_variant_builder_clear(&options);
  g_variant_unref(attachments);
  g_object_unref(files);
  return result;
}

/// Gives each bookmark an application that has none: GLib writes no others.
static inline void cgio_keep_bookmarks(GBookmarkFile *file) {
  gsize count = 0;
  char **uris = g_bookmark_file_get_uris(file, &count);
  for (gsize index = 0; index < count; index++) {
    gsize known = 0;
    g_strfreev(g_bookmark_file_get_applications(file, uris[index], &known, NULL));
    if (known == 0)
      g_bookmark_file_add_application(file, uris[index], "docsource", "docsource open %u");
  }
  g_strfreev(uris);
}

/// A list of bookmarks with one that is added or brought up to date, to be freed; NULL with an error.
///
/// - list: XBEL, perhaps empty.
/// - title, description: empty for none.
static inline char *cgio_bookmark(
    const char *list, gsize size, const char *url, const char *title, const char *description,
    const char *type, gsize *length, GError **error) {
  GBookmarkFile *file = g_bookmark_file_new();
  char *result = NULL;
  if (size == 0 || g_bookmark_file_load_from_data(file, list, size, error)) {
    g_bookmark_file_set_mime_type(file, url, type);
    if (title[0] != 0) g_bookmark_file_set_title(file, url, title);
    if (description[0] != 0) g_bookmark_file_set_description(file, url, description);
    if (!g_bookmark_file_has_group(file, url, "reading-list", NULL))
      g_bookmark_file_add_group(file, url, "reading-list");
    g_bookmark_file_add_application(file, url, "docsource", "docsource open %u");
    g_bookmark_file_set_is_private(file, url, TRUE);
    cgio_keep_bookmarks(file);
    result = g_bookmark_file_to_data(file, length, error);
  }
  g_bookmark_file_free(file);
  return result;
}

/// The URI, title and description of each of a list's bookmarks, perhaps empty, each with a NUL after
/// it, to be freed; NULL with an error.
///
/// - list: XBEL, perhaps empty.
static inline char *cgio_bookmarks(
    const char *list, gsize size, gsize *length, GError **error) {
  GBookmarkFile *file = g_bookmark_file_new();
  GString *texts = NULL;
  if (size == 0 || g_bookmark_file_load_from_data(file, list, size, error)) {
    texts = g_string_new(NULL);
    gsize count = 0;
    char **uris = g_bookmark_file_get_uris(file, &count);
    for (gsize index = 0; index < count; index++) {
      char *title = g_bookmark_file_get_title(file, uris[index], NULL);
      char *description = g_bookmark_file_get_description(file, uris[index], NULL);
      const char *words[] = {uris[index], title, description};
      for (int word = 0; word < 3; word++) {
        g_string_append(texts, words[word] == NULL ? "" : words[word]);
        g_string_append_c(texts, 0);
      }
      g_free(title), g_free(description);
    }
    g_strfreev(uris);
  }
  g_bookmark_file_free(file);
  if (texts == NULL) return NULL;
  *length = texts->len;
  return g_string_free(texts, FALSE);
}

/// A list of bookmarks without the one of a URI, to be freed; NULL with an error.
static inline char *cgio_bookmark_removed(
    const char *list, gsize size, const char *url, gsize *length, GError **error) {
  GBookmarkFile *file = g_bookmark_file_new();
  char *result = NULL;
  if (g_bookmark_file_load_from_data(file, list, size, error) &&
      g_bookmark_file_remove_item(file, url, error)) {
    cgio_keep_bookmarks(file);
    result = g_bookmark_file_to_data(file, length, error);
  }
  g_bookmark_file_free(file);
  return result;
}
