#define _GNU_SOURCE
#include "cfanotify.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define RETRIED(call) ({ long result_ = TEMP_FAILURE_RETRY(call); result_ < 0 ? -errno : result_; })

// New in Linux 6.13, after Debian 12's headers.
enum { report_fd_error = 0x2000 };

// What the numbers are on every architecture.
enum { call_pidfd_send_signal = 424, call_pidfd_open = 434 };

int cfanotify_open(void) {
  unsigned int flags = FAN_CLOEXEC | FAN_CLASS_NOTIF | FAN_NONBLOCK | FAN_REPORT_PIDFD;
  // O_NONBLOCK: smbd may hold a lease, for which reading would wait.
  unsigned int files = O_RDONLY | O_LARGEFILE | O_CLOEXEC | O_NONBLOCK;
  int group = fanotify_init(flags | report_fd_error, files);
  if (group < 0 && errno == EINVAL) group = fanotify_init(flags, files);
  return group < 0 ? -errno : group;
}

// To open a terminal for an event could make it this process's own, whose keys are signals then: the
// kernel does not take O_NOCTTY for events.
static int has_devices(const struct statfs *status) {
  return status->f_type == DEVPTS_SUPER_MAGIC;
}

static int change(int group, unsigned int action, cfanotify_extent extent, const char *path) {
  unsigned int kind = extent == cfanotify_mount ? FAN_MARK_MOUNT : FAN_MARK_FILESYSTEM;
  // What is looked at is what is marked, whatever users do to the path meanwhile.
  int place = (int)RETRIED(open(path, O_PATH | O_CLOEXEC));
  if (place < 0) return place;
  struct statfs status;
  int result = (int)RETRIED(fstatfs(place, &status));
  if (result == 0 && !has_devices(&status)) {
    char link[sizeof "/proc/self/fd/" + 3 * sizeof place];
    snprintf(link, sizeof link, "/proc/self/fd/%d", place);
    result = (int)RETRIED(fanotify_mark(group, action | kind, FAN_CLOSE_WRITE, AT_FDCWD, link));
  }
  close(place);
  return result;
}

int cfanotify_mark(int group, cfanotify_extent extent, const char *path) {
  return change(group, FAN_MARK_ADD, extent, path);
}

int cfanotify_unmark(int group, cfanotify_extent extent, const char *path) {
  return change(group, FAN_MARK_REMOVE, extent, path);
}

ssize_t cfanotify_read(int group, void *buffer, size_t size) {
  return RETRIED(read(group, buffer, size));
}

size_t cfanotify_next(const void *buffer, size_t size, size_t offset,
                      struct cfanotify_event *event) {
  struct fanotify_event_metadata head;
  if (offset > size || size - offset < sizeof head) return 0;
  const char *start = (const char *)buffer + offset;
  memcpy(&head, start, sizeof head);
  if (head.vers != FANOTIFY_METADATA_VERSION || head.event_len < head.metadata_len ||
      head.event_len > size - offset || head.metadata_len < sizeof head)
    return 0;
  uint32_t is_overflow = (head.mask & FAN_Q_OVERFLOW) != 0;
  *event = (struct cfanotify_event){head.fd, FAN_NOPIDFD, head.pid, is_overflow};
  size_t position = head.metadata_len;
  while (head.event_len - position >= sizeof(struct fanotify_event_info_header)) {
    struct fanotify_event_info_pidfd record;
    memcpy(&record.hdr, start + position, sizeof record.hdr);
    if (record.hdr.len < sizeof record.hdr || record.hdr.len > head.event_len - position) break;
    if (record.hdr.info_type == FAN_EVENT_INFO_TYPE_PIDFD && record.hdr.len >= sizeof record) {
      memcpy(&record, start + position, sizeof record);
      event->process = record.pidfd;
    }
    position += record.hdr.len;
  }
  return offset + head.event_len;
}

int cfanotify_holds_number(int process) {
  return syscall(call_pidfd_send_signal, process, 0, NULL, 0) == 0 || errno != ESRCH;
}

int cfanotify_process(pid_t pid) {
  int process = (int)syscall(call_pidfd_open, pid, 0);
  return process < 0 ? -errno : process;
}

void cfanotify_rights(uint32_t *user, uint32_t *group) {
  // No user has this number, so nothing changes.
  *user = (uint32_t)setfsuid((uid_t)-1);
  *group = (uint32_t)setfsgid((gid_t)-1);
}

void cfanotify_act_as(uint32_t user, uint32_t group) {
  // The group first: only root may change it.
  if (user == 0) setfsuid(user);
  setfsgid(group);
  setfsuid(user);
}

int cfanotify_kill(pid_t process, uint32_t user) {
  if (kill(process, SIGKILL) == 0) return 0;
  if (errno != EPERM || geteuid() != 0) return -errno;
  // The C library's own changes the user of all threads.
  if (syscall(SYS_setresuid, -1, user, -1) != 0) return -errno;
  int result = kill(process, SIGKILL) != 0 ? -errno : 0;
  // The saved user is still root, so that this cannot fail.
  syscall(SYS_setresuid, -1, 0, -1);
  return result;
}

int cfanotify_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) < 0) return -errno;
  int descriptor = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

int cfanotify_signal(int descriptor) {
  struct signalfd_siginfo signal;
  ssize_t count = RETRIED(read(descriptor, &signal, sizeof signal));
  return count < 0 ? (int)count : count == sizeof signal ? (int)signal.ssi_signo : -EIO;
}

long cfanotify_raise_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
  return (long)limit.rlim_cur;
}
