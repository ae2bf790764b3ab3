// contract DIRECTORY [ROUNDS]: what documentsource.h promises, on files made in a directory.

#define _GNU_SOURCE
#include <documentsource.h>

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NATIVE "user.x-document-source"
#define STREAM "user.DosStream.x-document-source:$DATA"

// The options are no type of any function, so the dump of the ABI has none of them.
_Static_assert(DOCSOURCE_NO_FOLLOW == 1 && DOCSOURCE_REPLACE == 2 && DOCSOURCE_ANY_URL == 4
                   && DOCSOURCE_NO_OUTLINE == 8 && DOCSOURCE_NO_STROKE == 16
                   && DOCSOURCE_OFFLINE == 32 && DOCSOURCE_REFRESH == 64
                   && DOCSOURCE_KEEP_OTHER_FIELDS == 128,
               "an option has another number");

static const docsource_values editor = {
    .identifier = "org.example.editor", .name = "Editor", .path = "drafts/\xc3\xa9.txt"};

// A status with its error, which is freed.
static void expect(docsource_status status, docsource_status wanted, docsource_error **given,
                   const char *message) {
  const docsource_error *error = *given;
  CHECK(status == wanted);
  CHECK(docsource_error_status(error) == wanted);
  if (!same(docsource_error_message(error), message))
    fprintf(stderr, "message: %s\n", docsource_error_message(error));
  CHECK(same(docsource_error_message(error), message));
  docsource_error_free(*given);
}

static void check_values(docsource_source *source, const docsource_values *values) {
  const char *wanted[] = {values->identifier, values->name, values->path, values->app_info_url};
  for (int field = 0; field < 4; field++) {
    size_t length = 99;
    const char *value = docsource_source_value(source, (docsource_field)field, &length);
    CHECK(same(value, wanted[field]));
    CHECK(length == (wanted[field] ? strlen(wanted[field]) : 0));
  }
  docsource_source_free(source);
}

// A part of the short answer.
static void check_part(const docsource_report *report, size_t part, docsource_part kind,
                       const char *origin, const char *program, const char *time) {
  size_t length = 99;
  CHECK(docsource_report_part_kind(report, part) == kind);
  CHECK(same(docsource_report_part_origin(report, part, &length), origin));
  CHECK(length == (origin ? strlen(origin) : 0));
  CHECK(same(docsource_report_part_program(report, part, &length), program));
  CHECK(length == (program ? strlen(program) : 0));
  CHECK(same(docsource_report_part_time(report, part), time));
}

// What is asked of a mark that is not there.
static void check_no_mark(const docsource_report *report, size_t mark) {
  size_t length = 9, size = 9;
  CHECK(docsource_report_mark_name(report, mark) == NULL);
  CHECK(docsource_report_mark_form(report, mark) == NULL);
  CHECK(docsource_report_mark_carrier(report, mark) == NULL);
  CHECK(docsource_report_mark_trust(report, mark) == 0);
  CHECK(docsource_report_mark_value(report, mark, DOCSOURCE_ABOUT_NAME, &length) == NULL);
  CHECK(docsource_report_mark_value(report, mark, DOCSOURCE_ABOUT_NAME, NULL) == NULL);
  CHECK(docsource_report_mark_failure(report, mark) == NULL);
  CHECK(docsource_report_mark_offset(report, mark) == -1);
  CHECK(docsource_report_mark_bytes(report, mark, &size) == NULL);
  CHECK(docsource_report_mark_bytes(report, mark, NULL) == NULL);
  CHECK(length == 0 && size == 0);
}

static void check_null(void) {
  docsource_source *source = (docsource_source *)&editor;
  docsource_error *error = (docsource_error *)&editor;
  docsource_icon *icon = (docsource_icon *)&editor;
  docsource_fetch *fetch = (docsource_fetch *)&editor;
  docsource_report *report = (docsource_report *)&editor;
  expect(docsource_read(NULL, 0, &source, &error), DOCSOURCE_INVALID_ARGUMENT, &error,
         "no path is given");
  CHECK(source == NULL);
  // Whatever the place held is gone after each failure.
  source = (docsource_source *)&editor;
  CHECK(docsource_read_fd(-1, 0, &source, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(source == NULL);
  source = (docsource_source *)&editor;
  CHECK(docsource_read_at(AT_FDCWD, NULL, 0, &source, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(source == NULL);
  source = (docsource_source *)&editor;
  CHECK(docsource_read_at(AT_FDCWD, "missing", 0, &source, NULL) == DOCSOURCE_NOT_FOUND);
  CHECK(source == NULL);
  CHECK(docsource_read(NULL, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_read_fd(-1, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_read_at(AT_FDCWD, NULL, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_write(NULL, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_write(".", 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_write_fd(-1, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_write_at(-1, NULL, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_remove(NULL, 0, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_remove_fd(-1, 0, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_remove_at(-1, NULL, 0, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_report_read(NULL, 0, &report, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(report == NULL);
  report = (docsource_report *)&editor;
  CHECK(docsource_report_read_fd(-1, 0, &report, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(report == NULL);
  report = (docsource_report *)&editor;
  CHECK(docsource_report_read_at(AT_FDCWD, "missing", 0, &report, NULL) == DOCSOURCE_NOT_FOUND);
  CHECK(report == NULL);
  CHECK(docsource_report_read_fd(-1, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_report_read_at(AT_FDCWD, NULL, 0, NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  check_no_mark(NULL, 0);
  CHECK(docsource_report_value(NULL, DOCSOURCE_ABOUT_NAME, NULL) == NULL);
  CHECK(docsource_report_mark(NULL, DOCSOURCE_ABOUT_NAME) == -1);
  CHECK(docsource_report_part_count(NULL) == 0 && docsource_report_is_doubtful(NULL) == 0);
  CHECK(docsource_report_is_witnessed(NULL) == 0);
  CHECK(docsource_may_have_more(NULL, 0) == 1 && docsource_may_have_more_at(0, NULL, 0) == 1);
  check_part(NULL, 0, DOCSOURCE_PART_NONE, NULL, NULL, NULL);
  CHECK(docsource_report_count(NULL) == 0 && docsource_report_is_complete(NULL) == 0);
  CHECK(docsource_report_is_contradictory(NULL, DOCSOURCE_ABOUT_NAME) == 0);
  size_t length = 9;
  CHECK(docsource_source_value(NULL, DOCSOURCE_NAME, &length) == NULL && length == 0);
  CHECK(docsource_source_value(NULL, DOCSOURCE_NAME, NULL) == NULL);
  CHECK(docsource_source_carrier(NULL) == NULL);
  CHECK(docsource_error_status(NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_error_message(NULL) == NULL && docsource_error_reason(NULL) == NULL);
  CHECK(docsource_error_carrier(NULL) == NULL && docsource_error_number(NULL) == 0);
  CHECK(docsource_error_offset(NULL) == -1);
  CHECK(docsource_icon_path(NULL) == NULL && docsource_icon_is_fetchable(NULL) == 0);
  CHECK(docsource_icon_origin(NULL) == DOCSOURCE_ORIGIN_NONE);
  CHECK(docsource_fetch_start(NULL, 64, 1, 0, &fetch, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(fetch == NULL);
  CHECK(docsource_fetch_start("https://a.example/", 64, 1, 0, NULL, NULL)
        == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_fetch_descriptor(NULL) == -1 && docsource_fetch_picture(NULL, NULL) == NULL);
  CHECK(docsource_fetch_result(NULL, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  docsource_fetch_cancel(NULL);
  docsource_source_free(NULL), docsource_error_free(NULL), docsource_icon_free(NULL);
  docsource_fetch_free(NULL), docsource_report_free(NULL);

  const double sizes[] = {NAN, INFINITY, -1, 0, 1e300, 1025};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    CHECK(docsource_icon_find("a.b", NULL, sizes[i], 1, 0, &icon, NULL)
          == DOCSOURCE_INVALID_ARGUMENT);
    CHECK(icon == NULL);
    CHECK(docsource_fetch_start("https://a.example/", 1, sizes[i], 0, &fetch, NULL)
          == DOCSOURCE_INVALID_ARGUMENT);
  }
  CHECK(docsource_icon_find("\xff", NULL, 1, 1, 0, &icon, NULL) == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(docsource_icon_find(NULL, "\xff", 1, 1, 0, &icon, NULL) == DOCSOURCE_INVALID_ARGUMENT);
}

// Each function knows its own options and no other.
static void check_options(const char *file) {
  docsource_icon *icon;
  docsource_fetch *fetch;
  for (int bit = 0; bit < 32; bit++) {
    unsigned int option = 1U << bit;
    int reads = option == DOCSOURCE_NO_FOLLOW;
    int traces = reads || option == DOCSOURCE_RECORDS || option == DOCSOURCE_EMBEDDED;
    int writes = reads || option == DOCSOURCE_REPLACE || option == DOCSOURCE_ANY_URL
                 || option == DOCSOURCE_KEEP_OTHER_FIELDS;
    int draws = option == DOCSOURCE_NO_OUTLINE || option == DOCSOURCE_NO_STROKE;
    int fetches = draws || option == DOCSOURCE_OFFLINE || option == DOCSOURCE_REFRESH;
    CHECK((docsource_read(file, option, NULL, NULL) != DOCSOURCE_INVALID_ARGUMENT) == reads);
    CHECK((docsource_report_read(file, option, NULL, NULL) != DOCSOURCE_INVALID_ARGUMENT) == traces);
    CHECK((docsource_remove(file, option, NULL) != DOCSOURCE_INVALID_ARGUMENT) == reads);
    CHECK((docsource_write(file, option, &editor, NULL) != DOCSOURCE_INVALID_ARGUMENT) == writes);
    CHECK((docsource_icon_find("a.b", NULL, 9, 1, option, &icon, NULL)
           != DOCSOURCE_INVALID_ARGUMENT)
          == draws);
    docsource_icon_free(icon);
    docsource_status status = docsource_fetch_start("a", 9, 1, option, &fetch, NULL);
    CHECK((status != DOCSOURCE_INVALID_ARGUMENT) == fetches);
    docsource_fetch_free(fetch);
  }
  CHECK(docsource_fetch_start("a", 9, 1, DOCSOURCE_OFFLINE | DOCSOURCE_REFRESH, &fetch, NULL)
        == DOCSOURCE_INVALID_ARGUMENT);
}

static void check_files(const char *file) {
  docsource_source *source;
  docsource_error *error;
  expect(docsource_read(file, 0, &source, &error), DOCSOURCE_NO_SOURCE, &error,
         "no document source");
  expect(docsource_remove(file, 0, &error), DOCSOURCE_NO_SOURCE, &error, "no document source");

  CHECK(docsource_write(file, 0, &editor, &error) == DOCSOURCE_OK && error == NULL);
  CHECK(docsource_read(file, 0, &source, &error) == DOCSOURCE_OK && error == NULL);
  CHECK(same(docsource_source_carrier(source), NATIVE));
  CHECK(docsource_source_value(source, (docsource_field)4, NULL) == NULL);
  check_values(source, &editor);

  // What is not mentioned is kept, what is empty goes.
  docsource_values change = {.name = "", .app_info_url = "https://a.example/i.json"};
  docsource_values changed = editor;
  changed.name = NULL;
  changed.app_info_url = change.app_info_url;
  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  CHECK(docsource_write_fd(descriptor, 0, &change, NULL) == DOCSOURCE_OK);
  CHECK(docsource_read_fd(descriptor, 0, &source, NULL) == DOCSOURCE_OK);
  check_values(source, &changed);

  // Another identifier takes the values of the former application with it, unless they are to stay.
  docsource_values other = {.identifier = "org.example.other"}, kept = changed;
  kept.identifier = other.identifier;
  CHECK(docsource_write_fd(descriptor, DOCSOURCE_KEEP_OTHER_FIELDS, &other, NULL) == DOCSOURCE_OK);
  CHECK(docsource_read_fd(descriptor, 0, &source, NULL) == DOCSOURCE_OK);
  check_values(source, &kept);
  other.identifier = "org.example.third";
  CHECK(docsource_write_fd(descriptor, 0, &other, NULL) == DOCSOURCE_OK);
  CHECK(docsource_read_fd(descriptor, 0, &source, NULL) == DOCSOURCE_OK);
  check_values(source, &other);
  docsource_values fresh = {.name = "N"};
  CHECK(docsource_write_at(AT_FDCWD, file, DOCSOURCE_REPLACE, &fresh, NULL) == DOCSOURCE_OK);
  CHECK(docsource_read_at(AT_FDCWD, file, DOCSOURCE_NO_FOLLOW, &source, NULL) == DOCSOURCE_OK);
  check_values(source, &fresh);
  CHECK(docsource_remove_fd(descriptor, 0, NULL) == DOCSOURCE_OK);
  CHECK(docsource_remove_at(AT_FDCWD, file, 0, NULL) == DOCSOURCE_NO_SOURCE);
  close(descriptor);
  expect(docsource_read_fd(descriptor, 0, &source, &error), DOCSOURCE_INVALID_ARGUMENT, &error,
         "cannot read document source: the descriptor is closed, or was opened with O_PATH");
}

static void check_refusals(const char *file) {
  docsource_error *error;
  docsource_values values = {.name = "\xff"};
  expect(docsource_write(file, 0, &values, &error), DOCSOURCE_INVALID_ARGUMENT, &error,
         "name is not UTF-8");
  values = (docsource_values){.app_info_url = "http://a.example/"};
  expect(docsource_write(file, 0, &values, &error), DOCSOURCE_REFUSED, &error,
         "cannot write document source: appInfoURL: the scheme 'http' is not https;"
         " DOCSOURCE_ANY_URL allows other schemes");
  CHECK(docsource_write(file, DOCSOURCE_ANY_URL, &values, NULL) == DOCSOURCE_OK);
  values = (docsource_values){.app_info_url = ""};
  CHECK(docsource_write(file, 0, &values, NULL) == DOCSOURCE_REFUSED);
  CHECK(docsource_remove(file, 0, NULL) == DOCSOURCE_OK);

  expect(docsource_read("missing/file", 0, NULL, &error), DOCSOURCE_NOT_FOUND, &error,
         "cannot read document source: no such file or directory");
  CHECK(docsource_read("missing/file", 0, NULL, &error) == DOCSOURCE_NOT_FOUND);
  CHECK(docsource_error_number(error) == ENOENT);
  docsource_error_free(error);
  CHECK(docsource_write("/proc/self/status", 0, &editor, NULL) == DOCSOURCE_NOT_SUPPORTED);

  // More than the kernel takes as the value of an attribute, XATTR_SIZE_MAX.
  static char name[(64 << 10) + 1];
  memset(name, 'a', sizeof name - 1);
  values = (docsource_values){.name = name};
  CHECK(docsource_write(file, 0, &values, &error) == DOCSOURCE_NO_SPACE);
  CHECK(docsource_error_status(error) == DOCSOURCE_NO_SPACE);
  CHECK(docsource_error_number(error) == E2BIG);
  docsource_error_free(error);

  CHECK(symlink(file, "link") == 0);
  CHECK(docsource_write("link", DOCSOURCE_NO_FOLLOW, &editor, NULL) == DOCSOURCE_NOT_SUPPORTED);
  CHECK(docsource_write("link", 0, &editor, NULL) == DOCSOURCE_OK);
  CHECK(docsource_read("link", DOCSOURCE_NO_FOLLOW, NULL, NULL) == DOCSOURCE_NO_SOURCE);
  CHECK(docsource_remove(file, 0, NULL) == DOCSOURCE_OK);
  CHECK(unlink("link") == 0);
}

static void check_values_of_others(const char *file) {
  docsource_source *source;
  docsource_error *error;
  CHECK(setxattr(file, NATIVE, "bplist00garbage", 15, 0) == 0);
  CHECK(docsource_read(file, 0, &source, &error) == DOCSOURCE_DAMAGED && source == NULL);
  CHECK(same(docsource_error_reason(error), "too short for a binary property list"));
  CHECK(docsource_error_offset(error) == 15 && docsource_error_number(error) == 0);
  CHECK(same(docsource_error_carrier(error), NATIVE));
  expect(DOCSOURCE_DAMAGED, DOCSOURCE_DAMAGED, &error,
         "cannot read document source: the attribute is damaged: too short for a binary property"
         " list (at byte 15)");
  CHECK(docsource_write(file, 0, &editor, &error) == DOCSOURCE_DAMAGED);
  expect(DOCSOURCE_DAMAGED, DOCSOURCE_DAMAGED, &error,
         "cannot write document source: the attribute is damaged: too short for a binary property"
         " list (at byte 15); DOCSOURCE_REPLACE overwrites the value");
  CHECK(docsource_write(file, DOCSOURCE_REPLACE, &editor, NULL) == DOCSOURCE_OK);

  // What some programs write, and the command line reads, too.
  static const char xml[] =
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>identifier</key>"
      "<string>org.example.editor</string><key>name</key><string>Editor</string><key>path</key>"
      "<string>drafts/&#233;.txt</string></dict></plist>";
  CHECK(setxattr(file, NATIVE, xml, sizeof xml - 1, 0) == 0);
  CHECK(docsource_read(file, 0, &source, NULL) == DOCSOURCE_OK);
  CHECK(same(docsource_source_carrier(source), NATIVE));
  check_values(source, &editor);
  docsource_report *report;
  CHECK(docsource_report_read(file, 0, &report, NULL) == DOCSOURCE_OK);
  CHECK(same(docsource_report_value(report, DOCSOURCE_ABOUT_NAME, NULL), "Editor"));
  docsource_report_free(report);
  // Written without a list that is closed.
  CHECK(setxattr(file, NATIVE, xml, sizeof xml - 9, 0) == 0);
  CHECK(docsource_read(file, 0, &source, &error) == DOCSOURCE_DAMAGED && source == NULL);
  CHECK(same(docsource_error_carrier(error), NATIVE));
  expect(DOCSOURCE_DAMAGED, DOCSOURCE_DAMAGED, &error,
         "cannot read document source: the attribute is damaged: an XML property list, not a binary"
         " property list (at byte 0)");
  CHECK(docsource_write(file, DOCSOURCE_REPLACE, &editor, NULL) == DOCSOURCE_OK);

  // The same value in Samba's form, with its NUL.
  char value[1024];
  ssize_t size = getxattr(file, NATIVE, value, sizeof value - 1);
  CHECK(size > 0);
  value[size] = 0;
  CHECK(setxattr(file, STREAM, value, (size_t)size + 1, 0) == 0 && removexattr(file, NATIVE) == 0);
  CHECK(docsource_read(file, 0, &source, NULL) == DOCSOURCE_OK);
  CHECK(same(docsource_source_carrier(source), STREAM));
  check_values(source, &editor);
  CHECK(docsource_remove(file, 0, NULL) == DOCSOURCE_OK);
  CHECK(getxattr(file, STREAM, value, sizeof value) == -1);

  CHECK(setxattr(file, NATIVE, "", 0, 0) == 0);
  CHECK(docsource_read(file, 0, NULL, &error) == DOCSOURCE_NO_SOURCE);
  CHECK(same(docsource_error_carrier(error), NATIVE));
  CHECK(docsource_error_offset(error) == -1 && docsource_error_reason(error) == NULL);
  expect(DOCSOURCE_NO_SOURCE, DOCSOURCE_NO_SOURCE, &error,
         "no document source: the attribute is empty");

  // {"name": "a\0b"}: a NUL ends a C string, but not what `length` counts.
  static const char with_nul[] =
      "bplist00\xd1\x01\x02TnameSa\0b\x08\x0b\x10\0\0\0\0\0\0\1\1\0\0\0\0"
      "\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x14";
  CHECK(setxattr(file, NATIVE, with_nul, sizeof with_nul - 1, 0) == 0);
  CHECK(docsource_read(file, 0, &source, NULL) == DOCSOURCE_OK);
  size_t length;
  const char *name = docsource_source_value(source, DOCSOURCE_NAME, &length);
  CHECK(length == 3 && memcmp(name, "a\0b", 4) == 0);
  docsource_source_free(source);
  CHECK(docsource_remove(file, 0, NULL) == DOCSOURCE_OK);
}

// A mark as the report has it.
static void check_mark(const docsource_report *report, size_t mark, const char *name,
                       const char *form, const char *carrier, docsource_trust trust,
                       const char *content) {
  CHECK(same(docsource_report_mark_name(report, mark), name));
  CHECK(same(docsource_report_mark_form(report, mark), form));
  CHECK(same(docsource_report_mark_carrier(report, mark), carrier));
  CHECK(docsource_report_mark_trust(report, mark) == trust);
  size_t size = 9;
  const void *bytes = docsource_report_mark_bytes(report, mark, &size);
  CHECK(size == strlen(content) && memcmp(bytes, content, size) == 0);
}

// Whether a file may have more than its source, in all three ways.
static int may_have_more(const char *file) {
  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  int answer = docsource_may_have_more_fd(descriptor, 0);
  close(descriptor);
  CHECK(docsource_may_have_more(file, DOCSOURCE_NO_FOLLOW) == answer);
  CHECK(docsource_may_have_more_at(AT_FDCWD, file, 0) == answer);
  return answer;
}

// What a report says about a subject, the mark that says so, and whether others say otherwise.
static void check_answer(const docsource_report *report, docsource_subject subject,
                         const char *value, int64_t mark, int is_contradictory) {
  size_t length = 99;
  CHECK(same(docsource_report_value(report, subject, &length), value));
  CHECK(length == (value ? strlen(value) : 0));
  CHECK(docsource_report_mark(report, subject) == mark);
  CHECK(docsource_report_is_contradictory(report, subject) == is_contradictory);
  if (mark >= 0)
    CHECK(same(docsource_report_mark_value(report, (size_t)mark, subject, NULL), value));
}

static void check_reports(const char *file) {
  docsource_report *report;
  docsource_error *error;
  CHECK(docsource_report_read(file, 0, &report, &error) == DOCSOURCE_OK && error == NULL);
  CHECK(docsource_report_count(report) == 0 && docsource_report_is_complete(report) == 1);
  check_no_mark(report, 0);
  CHECK(docsource_report_part_count(report) == 0 && docsource_report_is_doubtful(report) == 0);
  check_part(report, 0, DOCSOURCE_PART_NONE, NULL, NULL, NULL);
  for (int subject = -1; subject < 12; subject++)
    check_answer(report, (docsource_subject)subject, NULL, -1, 0);
  docsource_report_free(report);
  expect(docsource_report_read("missing", 0, &report, &error), DOCSOURCE_NOT_FOUND, &error,
         "cannot read marks of origin: no such file or directory");
  CHECK(report == NULL);
  expect(docsource_report_read_fd(-1, 0, &report, &error), DOCSOURCE_INVALID_ARGUMENT, &error,
         "cannot read marks of origin: the descriptor is closed, or was opened with O_PATH");

  static const char quarantine[] = "0081;5fad2a6e;Safari;";
  static const char url[] = "https://example.com/a", other[] = "https://other.example/b";
  static const char zone[] = "[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://other.example/b\r\n";
  CHECK(may_have_more(file) == 0);
  CHECK(docsource_write(file, 0, &editor, NULL) == DOCSOURCE_OK);
  CHECK(setxattr(file, "user.rating", "5", 1, 0) == 0);
  CHECK(may_have_more(file) == 0 && removexattr(file, "user.rating") == 0);
  CHECK(docsource_may_have_more("missing", 0) == 1 && docsource_may_have_more_fd(-1, 0) == 1);
  CHECK(docsource_may_have_more(file, DOCSOURCE_REPLACE) == 1);
  CHECK(setxattr(file, "user.com.apple.quarantine", quarantine, strlen(quarantine), 0) == 0);
  CHECK(may_have_more(file) == 1);
  CHECK(setxattr(file, "user.xdg.origin.url", url, strlen(url), 0) == 0);
  CHECK(setxattr(file, "user.xdg.referrer.url", "", 0, 0) == 0);
  CHECK(setxattr(file, "user.com.apple.lastuseddate#PS", "short", 5, 0) == 0);
  char beside[64];
  snprintf(beside, sizeof beside, "%s:Zone.Identifier", file);
  FILE *stream = fopen(beside, "w");
  CHECK(stream != NULL && fputs(zone, stream) >= 0 && fclose(stream) == 0);

  int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  for (int way = 0; way < 3; way++) {
    docsource_status status =
        way == 0   ? docsource_report_read(file, DOCSOURCE_NO_FOLLOW, &report, &error)
        : way == 1 ? docsource_report_read_fd(descriptor, 0, &report, &error)
                   : docsource_report_read_at(AT_FDCWD, file, 0, &report, &error);
    CHECK(status == DOCSOURCE_OK && error == NULL);
    CHECK(docsource_report_count(report) == 6 && docsource_report_is_complete(report) == 1);
    CHECK(docsource_report_part_count(report) == 2 && docsource_report_is_doubtful(report) == 1);
    check_part(report, 0, DOCSOURCE_PART_APPLICATION, editor.name, NULL, NULL);
    check_part(report, 1, DOCSOURCE_PART_DOWNLOAD, "example.com", "Safari",
               "2020-11-12T12:28:30Z");
    check_part(report, 2, DOCSOURCE_PART_NONE, NULL, NULL, NULL);
    check_part(report, SIZE_MAX, DOCSOURCE_PART_NONE, NULL, NULL, NULL);
    CHECK(same(docsource_report_mark_carrier(report, 0), NATIVE));
    check_mark(report, 1, "com.apple.quarantine", "attribute", "user.com.apple.quarantine",
               DOCSOURCE_TRUST_CLAIM, quarantine);
    check_mark(report, 2, "xdg.origin.url", "attribute", "user.xdg.origin.url",
               DOCSOURCE_TRUST_CLAIM, url);
    check_mark(report, 3, "xdg.referrer.url", "attribute", "user.xdg.referrer.url",
               DOCSOURCE_TRUST_CLAIM, "");
    check_mark(report, 4, "Zone.Identifier", "sibling", beside, DOCSOURCE_TRUST_BESIDE, zone);
    check_mark(report, 5, "com.apple.lastuseddate#PS", "attribute",
               "user.com.apple.lastuseddate#PS", DOCSOURCE_TRUST_CLAIM, "short");
    check_no_mark(report, 6);
    check_no_mark(report, SIZE_MAX);

    check_answer(report, DOCSOURCE_ABOUT_IDENTIFIER, editor.identifier, 0, 0);
    check_answer(report, DOCSOURCE_ABOUT_NAME, editor.name, 0, 0);
    check_answer(report, DOCSOURCE_ABOUT_PATH, editor.path, 0, 0);
    check_answer(report, DOCSOURCE_ABOUT_CREATOR, NULL, -1, 0);
    check_answer(report, DOCSOURCE_ABOUT_URL, url, 2, 1);
    check_answer(report, DOCSOURCE_ABOUT_REFERRER, NULL, -1, 0);
    check_answer(report, DOCSOURCE_ABOUT_SENDER, NULL, -1, 0);
    check_answer(report, DOCSOURCE_ABOUT_AGENT, "Safari", 1, 0);
    check_answer(report, DOCSOURCE_ABOUT_DOWNLOADED, "2020-11-12T12:28:30Z", 1, 0);
    // The stream contradicts the file, so that nothing of the stream counts.
    check_answer(report, DOCSOURCE_ABOUT_ZONE, NULL, -1, 0);
    CHECK(same(docsource_report_mark_value(report, 4, DOCSOURCE_ABOUT_ZONE, NULL), "Internet"));
    check_answer(report, DOCSOURCE_ABOUT_TAGGED_BY_WATCH, NULL, -1, 0);
    CHECK(same(docsource_report_mark_value(report, 4, DOCSOURCE_ABOUT_URL, NULL), other));
    CHECK(docsource_report_mark_value(report, 2, DOCSOURCE_ABOUT_ZONE, NULL) == NULL);
    CHECK(docsource_report_mark_failure(report, 2) == NULL);
    CHECK(docsource_report_mark_offset(report, 2) == -1);
    CHECK(same(docsource_report_mark_failure(report, 3), "empty"));
    CHECK(docsource_report_mark_offset(report, 3) == -1);
    CHECK(same(docsource_report_mark_failure(report, 5), "damaged: the value has the wrong length"));
    CHECK(docsource_report_mark_offset(report, 5) == 5);
    docsource_report_free(report);
  }
  close(descriptor);

  // A file beside that is not what its name says.
  char double_name[64];
  snprintf(double_name, sizeof double_name, "._%s", file);
  stream = fopen(double_name, "w");
  CHECK(stream != NULL && fputs("no AppleDouble", stream) >= 0 && fclose(stream) == 0);
  CHECK(docsource_report_read(file, 0, &report, NULL) == DOCSOURCE_OK);
  CHECK(docsource_report_count(report) == 6 && docsource_report_is_complete(report) == 0);
  docsource_report_free(report);

  CHECK(unlink(beside) == 0 && unlink(double_name) == 0);
  CHECK(docsource_remove(file, 0, NULL) == DOCSOURCE_OK);
  static const char *const names[] = {"user.com.apple.quarantine", "user.xdg.origin.url",
                                      "user.xdg.referrer.url", "user.com.apple.lastuseddate#PS"};
  for (int i = 0; i < 4; i++) CHECK(removexattr(file, names[i]) == 0);
}

static void check_statuses(void) {
  CHECK(docsource_abi_version() == (DOCSOURCE_ABI_MAJOR << 16 | DOCSOURCE_ABI_MINOR));
  CHECK(docsource_abi_version() == 0x10009);
  const char *unknown = docsource_status_text(-1);
  CHECK(same(unknown, "unknown status"));
  CHECK(docsource_status_text(15) == unknown);
  for (int status = 0; status < 15; status++) {
    CHECK(docsource_status_text(status) != NULL);
    for (int other = -1; other < status; other++)
      CHECK(!same(docsource_status_text(status), docsource_status_text(other)));
  }
}

int main(int count, char **words) {
  CHECK(count > 1 && chdir(words[1]) == 0);
  int file = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  CHECK(file >= 0 && close(file) == 0);
  for (int rounds = count > 2 ? atoi(words[2]) : 1; rounds > 0; rounds--) {
    check_statuses();
    check_null();
    check_options("file");
    CHECK(docsource_write("file", DOCSOURCE_REPLACE, &editor, NULL) == DOCSOURCE_OK);
    CHECK(docsource_remove("file", 0, NULL) == DOCSOURCE_OK);
    check_files("file");
    check_refusals("file");
    check_values_of_others("file");
    check_reports("file");
    docsource_icon *icon;
    CHECK(docsource_icon_find("org.example.nobody", NULL, 64, 1, 0, &icon, NULL)
          != DOCSOURCE_INVALID_ARGUMENT);
    CHECK(icon != NULL);
    docsource_icon_free(icon);
  }
  puts("kept");
  return 0;
}
