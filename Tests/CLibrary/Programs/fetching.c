// fetching: how docsource-fetch is run. It is a stand-in here, a script that does what the host of
// its URL says: cached, picture, none, environment, failed, slow, killed or defaults.

#define _GNU_SOURCE
#include <documentsource.h>

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static docsource_fetch *start(const char *url, unsigned int options) {
  docsource_fetch *fetch;
  docsource_error *error;
  docsource_status status = docsource_fetch_start(url, 29, 2, options, &fetch, &error);
  if (status != DOCSOURCE_OK) fprintf(stderr, "%s\n", docsource_error_message(error));
  CHECK(status == DOCSOURCE_OK && error == NULL && fetch != NULL);
  return fetch;
}

static int has_ended(docsource_fetch *fetch, int milliseconds) {
  struct pollfd ended = {.fd = docsource_fetch_descriptor(fetch), .events = POLLIN};
  int count;
  while ((count = poll(&ended, 1, milliseconds)) < 0 && errno == EINTR) continue;
  return count == 1 && (ended.revents & POLLIN) != 0;
}

// Runs one to its end, which is reported as often as it is asked for.
static void expect(const char *url, unsigned int options, docsource_status wanted,
                   const char *message, const char *picture) {
  docsource_fetch *fetch = start(url, options);
  CHECK(has_ended(fetch, 60000));
  for (int i = 0; i < 2; i++) {
    docsource_error *error;
    CHECK(docsource_fetch_result(fetch, &error) == wanted);
    if (!same(docsource_error_message(error), message))
      fprintf(stderr, "message: %s\n", docsource_error_message(error));
    CHECK(same(docsource_error_message(error), message));
    docsource_error_free(error);
  }
  size_t size = 99;
  const void *bytes = docsource_fetch_picture(fetch, &size);
  if (picture != NULL && (size != strlen(picture) || memcmp(bytes, picture, size) != 0))
    fprintf(stderr, "picture: %.*s\n", (int)size, (const char *)bytes);
  CHECK(size == (picture ? strlen(picture) : 0));
  CHECK((bytes == NULL) == (picture == NULL));
  if (picture != NULL) CHECK(memcmp(bytes, picture, size) == 0);
  docsource_fetch_free(fetch);
}

static int open_descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  CHECK(directory != NULL);
  int count = 0;
  while (readdir(directory) != NULL) count++;
  closedir(directory);
  return count;
}

static void check_cancelling(void) {
  docsource_fetch *fetch = start("https://slow/", 0);
  CHECK(docsource_fetch_result(fetch, NULL) == DOCSOURCE_RUNNING);
  CHECK(!has_ended(fetch, 0));
  CHECK(docsource_fetch_picture(fetch, NULL) == NULL);
  docsource_fetch_cancel(fetch);
  CHECK(has_ended(fetch, 60000));
  docsource_error *error;
  CHECK(docsource_fetch_result(fetch, &error) == DOCSOURCE_CANCELLED);
  CHECK(same(docsource_error_message(error), "cancelled"));
  docsource_error_free(error);
  docsource_fetch_cancel(fetch);
  CHECK(docsource_fetch_result(fetch, NULL) == DOCSOURCE_CANCELLED);
  docsource_fetch_free(fetch);

  // Freed while it runs.
  docsource_fetch_free(start("https://slow/", 0));
}

// A child neither ends what its parent has started nor learns of it.
static void check_fork(void) {
  docsource_fetch *fetch = start("https://slow/", 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    CHECK(docsource_fetch_result(fetch, NULL) == DOCSOURCE_INVALID_ARGUMENT);
    docsource_fetch_cancel(fetch);
    docsource_fetch_free(fetch);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(docsource_fetch_result(fetch, NULL) == DOCSOURCE_RUNNING);
  docsource_fetch_free(fetch);
}

// The host waits for its own children, and gets their status. If it takes ours, the result is
// known all the same.
static void check_children(void) {
  docsource_fetch *fetch = start("https://cached/", 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) _exit(7);
  CHECK(has_ended(fetch, 60000));
  CHECK(docsource_fetch_result(fetch, NULL) == DOCSOURCE_OK);
  int status;
  CHECK(waitpid(-1, &status, 0) == child && WEXITSTATUS(status) == 7);
  docsource_fetch_free(fetch);

  const char *urls[] = {"https://cached/", "https://picture/", "https://none/"};
  for (int i = 0; i < 3; i++) {
    fetch = start(urls[i], 0);
    CHECK(waitpid(-1, NULL, 0) > 0);
    CHECK(has_ended(fetch, 0));
    CHECK(docsource_fetch_result(fetch, NULL) == (i < 2 ? DOCSOURCE_OK : DOCSOURCE_FETCH_FAILED));
    docsource_fetch_free(fetch);
  }
  errno = 0;
  CHECK(waitpid(-1, NULL, __WALL) == -1 && errno == ECHILD);
}

// Of the host's environment the program gets what tells of the user's directories.
static void check_environment(void) {
  const char *directories[] = {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                               "XDG_DATA_DIRS"};
  for (int i = 0; i < 4; i++) CHECK(unsetenv(directories[i]) == 0);
  CHECK(setenv("HOME", "/nonexistent", 1) == 0);
  CHECK(setenv("SSLKEYLOGFILE", "/nonexistent", 1) == 0);
  expect("https://environment/", 0, DOCSOURCE_OK, NULL, "HOME\n");
}

int main(void) {
  int before = open_descriptors();
  expect("https://cached/", 0, DOCSOURCE_OK, NULL, NULL);
  expect("https://picture/", 0, DOCSOURCE_OK, NULL, "icon https://picture/ 29.0 2.0 continuous"
         " stroke --trusted\n");
  expect("https://picture/", DOCSOURCE_OFFLINE | DOCSOURCE_NO_OUTLINE, DOCSOURCE_OK, NULL,
         "icon https://picture/ 29.0 2.0 none stroke --trusted --offline\n");
  expect("https://picture/", DOCSOURCE_REFRESH | DOCSOURCE_NO_STROKE, DOCSOURCE_OK, NULL,
         "icon https://picture/ 29.0 2.0 continuous no-stroke --trusted --refresh\n");
  expect("https://none/", 0, DOCSOURCE_NO_ICON, "https://none/: it offers no icon", NULL);
  expect("https://failed/", 0, DOCSOURCE_FETCH_FAILED, "one\ntwo", NULL);
  expect("https://killed/", 0, DOCSOURCE_FETCH_FAILED, "docsource-fetch ended with status 143",
         NULL);
  check_environment();
  check_cancelling();
  check_children();
  check_fork();

  // What the host blocks, ignores and has open is not the program's.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_IGN);
  sigset_t all, none;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &none);
  CHECK(open("/dev/zero", O_RDONLY) >= 0);  // no O_CLOEXEC
  expect("https://defaults/", 0, DOCSOURCE_OK, NULL,
         "SigBlk: 0\nSigIgn: 0\n0\n");
  sigset_t now;
  sigprocmask(SIG_SETMASK, &none, &now);
  CHECK(sigismember(&now, SIGTERM) == 1);
  CHECK(open_descriptors() == before + 1);

  // Standard descriptors that the host has closed are the program's all the same.
  close(STDIN_FILENO), close(STDOUT_FILENO);
  expect("https://defaults/", 0, DOCSOURCE_OK, NULL,
         "SigBlk: 0\nSigIgn: 0\n0\n");
  fputs("kept\n", stderr);
  return 0;
}
