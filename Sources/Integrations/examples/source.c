// source FILE...: shows where files came from, and the icon of the application.
//
//     cc source.c $(pkg-config --cflags --libs documentsource) -o source
//
// Exit status: 0, or 1 if a file has no document source or cannot be read.

#include <documentsource.h>

#include <poll.h>
#include <stdio.h>

static const struct {
  docsource_field field;
  const char *name;
} fields[] = {
    {DOCSOURCE_IDENTIFIER, "identifier"},
    {DOCSOURCE_NAME, "name"},
    {DOCSOURCE_PATH, "path"},
    {DOCSOURCE_APP_INFO_URL, "app info"},
};

// Texts come from other programs: shows `?` for bytes that could control the terminal.
static void print(const char *name, const char *text) {
  printf("  %-10s  ", name);
  for (; *text; text++) {
    unsigned char byte = (unsigned char)*text;
    putchar(byte < 0x20 || byte >= 0x7f ? '?' : byte);
  }
  putchar('\n');
}

// Fetches an icon. A program with a main loop would watch the descriptor there instead.
static void fetch(const char *url) {
  docsource_fetch *fetch;
  docsource_error *error;
  if (docsource_fetch_start(url, 48, 1, 0, &fetch, &error) == DOCSOURCE_OK) {
    struct pollfd ended = {.fd = docsource_fetch_descriptor(fetch), .events = POLLIN};
    if (poll(&ended, 1, 20000) == 0) docsource_fetch_cancel(fetch);
    docsource_fetch_result(fetch, &error);
    docsource_fetch_free(fetch);
  }
  if (error != NULL) fprintf(stderr, "%s\n", docsource_error_message(error));
  docsource_error_free(error);
}

static void show_icon(const docsource_source *source) {
  const char *identifier = docsource_source_value(source, DOCSOURCE_IDENTIFIER, NULL);
  const char *url = docsource_source_value(source, DOCSOURCE_APP_INFO_URL, NULL);
  docsource_icon *icon;
  docsource_icon_find(identifier, url, 48, 1, 0, &icon, NULL);
  if (docsource_icon_is_fetchable(icon)) {
    docsource_icon_free(icon);
    fetch(url);
    docsource_icon_find(identifier, url, 48, 1, 0, &icon, NULL);
  }
  if (docsource_icon_path(icon) != NULL) print("icon", docsource_icon_path(icon));
  docsource_icon_free(icon);
}

static int show(const char *file) {
  docsource_source *source;
  docsource_error *error;
  docsource_status status = docsource_read(file, 0, &source, &error);
  if (status != DOCSOURCE_OK) {
    fprintf(stderr, "%s: %s\n", file, docsource_error_message(error));
    docsource_error_free(error);
    return 1;
  }
  printf("%s\n", file);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    const char *value = docsource_source_value(source, fields[i].field, NULL);
    if (value != NULL) print(fields[i].name, value);
  }
  print("carrier", docsource_source_carrier(source));
  show_icon(source);
  docsource_source_free(source);
  return 0;
}

int main(int count, char **files) {
  int status = 0;
  for (int i = 1; i < count; i++) status |= show(files[i]);
  return status;
}
