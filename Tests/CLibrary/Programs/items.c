// Reads share items: of files given by name, or as bytes from standard input.
#include "check.h"
#include <documentsource.h>
#include <stdio.h>
#include <string.h>

static void print(const docsource_item *item) {
  for (int field = DOCSOURCE_ITEM_TITLE; field <= DOCSOURCE_ITEM_REFERRER_ANDROID_APP_URL; field++) {
    size_t length = 1;
    const char *value = docsource_item_value(item, field, &length);
    CHECK((value == NULL ? 0 : strlen(value)) == length);
    if (value != NULL) printf("%d %s\n", field, value);
  }
  for (size_t tag = 0; tag < docsource_item_tag_count(item); tag++)
    printf("tag %s\n", docsource_item_tag(item, tag, NULL));
  for (size_t i = 0; i < docsource_item_attachment_count(item); i++) {
    size_t size = 0;
    const void *bytes = docsource_item_attachment_bytes(item, i, &size);
    const char *path = docsource_item_attachment_path(item, i);
    const char *name = docsource_item_attachment_name(item, i);
    CHECK((bytes == NULL) == (path != NULL));
    printf("attachment %s %zu %s %s\n", docsource_item_attachment_type(item, i, 0), size,
           path == NULL ? "-" : path, name == NULL ? "-" : name);
    CHECK(docsource_item_attachment_type(item, i, 1000) == NULL);
  }
}

static void check_null(void) {
  docsource_item *item = (docsource_item *)&item;
  CHECK(docsource_item_read(NULL, 0, &item, NULL) == DOCSOURCE_INVALID_ARGUMENT && item == NULL);
  CHECK(docsource_item_read_fd(-1, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_item_read_at(-1, NULL, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_item_read("/", 1u << 20, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_item_parse(NULL, 3, &item, NULL) == DOCSOURCE_INVALID_ARGUMENT && item == NULL);
  CHECK(docsource_item_parse("abc", 0, NULL, NULL) == DOCSOURCE_DAMAGED);
  CHECK(docsource_item_value(NULL, DOCSOURCE_ITEM_TITLE, NULL) == NULL);
  CHECK(docsource_item_tag_count(NULL) == 0 && docsource_item_tag(NULL, 0, NULL) == NULL);
  CHECK(docsource_item_attachment_count(NULL) == 0);
  CHECK(docsource_item_attachment_type(NULL, 0, 0) == NULL);
  CHECK(docsource_item_attachment_path(NULL, 0) == NULL);
  CHECK(docsource_item_attachment_name(NULL, 0) == NULL);
  CHECK(docsource_item_attachment_bytes(NULL, 0, NULL) == NULL);
  docsource_item_free(NULL);
}

int main(int count, char **names) {
  check_null();
  for (int i = 1; i < count; i++) {
    docsource_item *item;
    docsource_error *error;
    int status = docsource_item_read(names[i], 0, &item, &error);
    if (status == DOCSOURCE_OK) {
      print(item);
    } else {
      printf("%d %s\n", status, docsource_error_message(error));
    }
    docsource_item_free(item);
    docsource_error_free(error);
  }
  static char bytes[1 << 16];
  size_t size = count > 1 ? 0 : fread(bytes, 1, sizeof bytes, stdin);
  if (size > 0) {
    docsource_item *item;
    docsource_error *error;
    if (docsource_item_parse(bytes, size, &item, &error) == DOCSOURCE_OK) {
      print(item);
      CHECK(docsource_item_value(item, 99, NULL) == NULL);
      CHECK(docsource_item_tag(item, 99, NULL) == NULL);
    } else {
      printf("%s, %s, %lld\n", docsource_error_message(error), docsource_error_reason(error),
             (long long)docsource_error_offset(error));
    }
    docsource_item_free(item);
    docsource_error_free(error);
  }
  return 0;
}
