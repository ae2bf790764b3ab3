// What `docsource watch` is compared with, and the processes that write for it.
//
// Usage: WatchPeer floor DIRECTORY ATTRIBUTE FILE   sets an attribute of each file that is written on
//                                                   DIRECTORY's file system and has none, from FILE's
//                                                   bytes: the system calls that tagging cannot do
//                                                   without (owner, value, path, names, value), and no
//                                                   question who wrote it. Until SIGTERM; then prints
//                                                   how many files it has set it of
//        WatchPeer write DIRECTORY COUNT RATE DISTINCT
//                                                   writes COUNT files of 4 KiB, RATE a second or, if
//                                                   that is 0, as fast as it can, by DISTINCT names;
//                                                   prints its processor time in microseconds, and
//                                                   ends with its standard input

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { pause_milliseconds = 50 };

static volatile sig_atomic_t is_over;

static void end(int signal) {
  (void)signal;
  is_over = 1;
}

static void fail(const char *what) {
  perror(what);
  exit(2);
}

// Whether the attribute is set now that was not there.
static int tag(int file, int files, const char *attribute, const char *value, size_t size) {
  static char text[4096];
  struct stat status;
  char name[16];
  if (fstat(file, &status) < 0 || !S_ISREG(status.st_mode)) return 0;
  if (fgetxattr(file, attribute, text, sizeof text) >= 0) return 0;
  snprintf(name, sizeof name, "%d", file);
  if (readlinkat(files, name, text, sizeof text) < 0) return 0;
  if (flistxattr(file, text, sizeof text) < 0) return 0;
  return fsetxattr(file, attribute, value, size, 0) == 0;
}

static int floor_of(const char *directory, const char *attribute, const char *source) {
  static char value[65536], buffer[8192] __attribute__((aligned(8)));
  FILE *file = fopen(source, "r");
  if (!file) fail(source);
  size_t size = fread(value, 1, sizeof value, file);
  fclose(file);
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
  int group = fanotify_init(FAN_CLOEXEC | FAN_CLASS_NOTIF | FAN_NONBLOCK | FAN_REPORT_PIDFD,
                            O_RDONLY | O_LARGEFILE | O_CLOEXEC);
  if (group < 0) fail("fanotify_init");
  if (fanotify_mark(group, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_CLOSE_WRITE, AT_FDCWD,
                    directory) < 0)
    fail(directory);
  int files = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (files < 0) fail("/proc/self/fd");
  long done = 0;
  while (!is_over) {
    struct pollfd wanted = {group, POLLIN, 0};
    if (poll(&wanted, 1, -1) < 0) continue;
    for (ssize_t count; (count = read(group, buffer, sizeof buffer)) > 0;) {
      struct fanotify_event_metadata *event = (void *)buffer;
      for (; FAN_EVENT_OK(event, count); event = FAN_EVENT_NEXT(event, count)) {
        struct fanotify_event_info_pidfd *process = (void *)(event + 1);
        if (event->fd < 0) continue;
        // Another value for each file, as another path is: equal ones would share a block on ext4.
        if (size >= sizeof done) memcpy(value + size / 2, &done, sizeof done);
        done += tag(event->fd, files, attribute, value, size);
        close(event->fd);
        if (process->pidfd >= 0) close(process->pidfd);
      }
    }
    poll(NULL, 0, pause_milliseconds);
  }
  printf("%ld\n", done);
  return 0;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int write_files(const char *directory, long count, double rate, long distinct) {
  static char content[4096];
  memset(content, 'x', sizeof content);
  mkdir(directory, 0755);
  int parent = open(directory, O_RDONLY | O_DIRECTORY);
  if (parent < 0) fail(directory);
  double start = now(CLOCK_MONOTONIC);
  double spent = now(CLOCK_PROCESS_CPUTIME_ID);
  for (long number = 0; number < count; number++) {
    char name[32];
    snprintf(name, sizeof name, "%ld", number % distinct);
    int file = openat(parent, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, content, sizeof content) < 0) fail(name);
    close(file);
    double rest = rate > 0 ? start + (double)(number + 1) / rate - now(CLOCK_MONOTONIC) : 0;
    if (rest > 0) {
      struct timespec time = {(time_t)rest, (long)((rest - (double)(time_t)rest) * 1e9)};
      nanosleep(&time, NULL);
    }
  }
  printf("%.0f\n", (now(CLOCK_PROCESS_CPUTIME_ID) - spent) * 1e6);
  fflush(stdout);
  // A writer that has ended would be unknown.
  while (read(STDIN_FILENO, content, sizeof content) > 0) {}
  return 0;
}

int main(int count, char **words) {
  if (count == 5 && strcmp(words[1], "floor") == 0)
    return floor_of(words[2], words[3], words[4]);
  if (count == 6 && strcmp(words[1], "write") == 0)
    return write_files(words[2], atol(words[3]), atof(words[4]), atol(words[5]));
  fprintf(stderr, "Usage: WatchPeer floor|write ...; see the source\n");
  return 64;
}
