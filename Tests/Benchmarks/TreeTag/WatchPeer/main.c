// What `docsource watch` is compared with, and the processes that write for it.
//
// Usage: WatchPeer floor DIRECTORY ATTRIBUTE FILE PATH
//                                                   sets an attribute of each file that is written on
//                                                   DIRECTORY's file system and has none, from FILE's
//                                                   bytes with the file's path in place of PATH: the
//                                                   system calls that tagging cannot do
//                                                   without (owner, value, path, names, value), those
//                                                   that notice what happens beside the files
//                                                   (inotify), and no question who wrote it. Like the
//                                                   watch, one process reads each event at once, and
//                                                   every 50 ms hands the files and pidfds over to
//                                                   another, which holds those without the attribute
//                                                   for 500 ms. Until SIGTERM
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
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The files that are held, the oldest first.
enum { most_held = 1 << 16 };
static struct {
  int file;
  double due;
} held[most_held];
static unsigned first_held, held_count;

// The directories that were found in this turn, and what has happened in all of them.
enum { most_found = 16 };
static char found[most_found][4096];
static unsigned found_count;
static int changes;

static void begin_turn(void) {
  static char buffer[65536];
  found_count = 0;
  while (read(changes, buffer, sizeof buffer) > 0) {}
}

static void follow(const char *directory) {
  for (unsigned i = 0; i < found_count; i++)
    if (strcmp(found[i], directory) == 0) return;
  inotify_add_watch(changes, directory,
                    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF |
                        IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK);
  if (found_count < most_found) strcpy(found[found_count++], directory);
}

// Where the path below the watched directory begins, and the value that has it, too: on ext4 equal
// values share a block, and a value is compared with all others of its hash, which differs little by
// path.
static size_t lead;
static char *path_in_value, *value_end;

static void ask_path(int file, int files, int takes) {
  char name[16], text[4096];
  snprintf(name, sizeof name, "%d", file);
  ssize_t size = readlinkat(files, name, text, sizeof text - 1);
  if (size < 0) fail("readlinkat");
  text[size] = 0;
  if (takes && (size_t)size > lead) {
    size_t rest = (size_t)size - lead, room = (size_t)(value_end - path_in_value);
    memcpy(path_in_value, text + lead, rest < room ? rest : room);
  }
  char *slash = strrchr(text, '/');
  if (!slash) return;
  *slash = 0;
  follow(text);
}

static void take(int file, int files, const char *attribute) {
  char text[4096];
  if (fgetxattr(file, attribute, text, sizeof text) >= 0) {
    ask_path(file, files, 0);
    close(file);
    return;
  }
  if (held_count == most_held) fail("too many files are held");
  unsigned last = (first_held + held_count++) % most_held;
  held[last].file = file;
  held[last].due = now(CLOCK_MONOTONIC) + 0.5;
}

static void tag(int file, int files, const char *attribute, const char *value, size_t size) {
  char text[4096];
  struct statx status;
  if (statx(file, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status) < 0) fail("statx");
  ask_path(file, files, 1);
  if (flistxattr(file, text, sizeof text) >= 0) fsetxattr(file, attribute, value, size, 0);
  close(file);
}

// As many events go over together as one message has room for, with two descriptors each.
enum { most = 126, status_size = 128 };

struct batch {
  int count;
  int files[2 * most];
  char statuses[most * status_size];
};

static union {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int) * 2 * most)];
} control;

static void hand_over(int channel, struct batch *batch) {
  if (batch->count == 0) return;
  struct iovec part = {batch->statuses, (size_t)batch->count * status_size};
  size_t size = sizeof(int) * 2 * (size_t)batch->count;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                           .msg_controllen = CMSG_SPACE(size)};
  control.head = (struct cmsghdr){CMSG_LEN(size), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(&control.head), batch->files, size);
  if (sendmsg(channel, &message, 0) < 0) fail("sendmsg");
  for (int i = 0; i < 2 * batch->count; i++) close(batch->files[i]);
  batch->count = 0;
  char answer[64];
  while (recv(channel, answer, sizeof answer, MSG_DONTWAIT) > 0) {}
}

static void work(int channel, const char *attribute, const char *value, size_t size) {
  static char bytes[most * status_size];
  int files = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
  if (files < 0) fail("/proc/self/fd");
  changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (changes < 0) fail("inotify_init1");
  for (;;) {
    double time = now(CLOCK_MONOTONIC);
    if (held_count > 0 && held[first_held].due <= time) begin_turn();
    for (; held_count > 0 && held[first_held].due <= time; held_count--) {
      tag(held[first_held].file, files, attribute, value, size);
      first_held = (first_held + 1) % most_held;
    }
    struct pollfd wanted = {channel, POLLIN, 0};
    int rest = held_count > 0 ? 1 + (int)(1e3 * (held[first_held].due - time)) : -1;
    if (poll(&wanted, 1, rest) <= 0) continue;
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                             .msg_controllen = sizeof control};
    if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) <= 0) return;
    begin_turn();
    int received[2 * most];
    size_t count = (control.head.cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(received, CMSG_DATA(&control.head), count * sizeof(int));
    for (size_t i = 0; i < count; i += 2) {
      take(received[i], files, attribute);
      close(received[i + 1]);
    }
    send(channel, bytes, 64, 0);
  }
}

static int floor_of(const char *directory, const char *attribute, const char *source,
                    const char *path) {
  static char value[65536], buffer[8192] __attribute__((aligned(8)));
  FILE *file = fopen(source, "r");
  if (!file) fail(source);
  size_t size = fread(value, 1, sizeof value, file);
  fclose(file);
  lead = strlen(directory) + 1;
  path_in_value = memmem(value, size, path, strlen(path));
  value_end = value + size;
  if (!path_in_value) fail(path);
  int channels[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channels) < 0) fail("socketpair");
  pid_t worker = fork();
  if (worker < 0) fail("fork");
  if (worker == 0) {
    close(channels[0]);
    work(channels[1], attribute, value, size);
    _exit(0);
  }
  close(channels[1]);
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
  int group = fanotify_init(FAN_CLOEXEC | FAN_CLASS_NOTIF | FAN_NONBLOCK | FAN_REPORT_PIDFD,
                            O_RDONLY | O_LARGEFILE | O_CLOEXEC);
  if (group < 0) fail("fanotify_init");
  if (fanotify_mark(group, FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_CLOSE_WRITE, AT_FDCWD,
                    directory) < 0)
    fail(directory);
  static struct batch batch;
  for (double last = 0; !is_over;) {
    struct pollfd wanted = {group, POLLIN, 0};
    if (poll(&wanted, 1, batch.count > 0 ? pause_milliseconds : -1) < 0) continue;
    for (ssize_t count; (count = read(group, buffer, sizeof buffer)) > 0;) {
      struct fanotify_event_metadata *event = (void *)buffer;
      for (; FAN_EVENT_OK(event, count); event = FAN_EVENT_NEXT(event, count)) {
        struct fanotify_event_info_pidfd *process = (void *)(event + 1);
        struct statx status;
        if (event->fd < 0) continue;
        if (process->pidfd < 0 || statx(event->fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
                                        STATX_BASIC_STATS, &status) < 0) {
          close(event->fd);
          continue;
        }
        memcpy(batch.statuses + batch.count * status_size, &status, status_size);
        batch.files[2 * batch.count] = event->fd;
        batch.files[2 * batch.count + 1] = process->pidfd;
        if (++batch.count == most) hand_over(channels[0], &batch);
      }
    }
    if (now(CLOCK_MONOTONIC) - last < pause_milliseconds / 1e3) continue;
    hand_over(channels[0], &batch);
    last = now(CLOCK_MONOTONIC);
  }
  hand_over(channels[0], &batch);
  close(channels[0]);
  waitpid(worker, NULL, 0);
  printf("ended\n");
  return 0;
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
  if (count == 6 && strcmp(words[1], "floor") == 0)
    return floor_of(words[2], words[3], words[4], words[5]);
  if (count == 6 && strcmp(words[1], "write") == 0)
    return write_files(words[2], atol(words[3]), atof(words[4]), atol(words[5]));
  fprintf(stderr, "Usage: WatchPeer floor|write ...; see the source\n");
  return 64;
}
