/// File events and their writers, for Swift: the system calls the Glibc module lacks.
///
/// Every function returns a descriptor, a count or 0 on success and a negated errno on failure, so
/// that Swift never reads the thread-local errno, and retries EINTR unless it waits.

#ifndef CFANOTIFY_H
#define CFANOTIFY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// fanotify_init(2): a group that is told of files after the fact, so that nobody waits for it.
///
/// Its events have the writer as a pid and as a pidfd, which Linux 5.15 and CAP_SYS_ADMIN allow,
/// and a file that cannot be opened is an event too where the kernel is 6.13 or later.
int cfanotify_open(void);

/// What a mark covers.
typedef enum __attribute__((enum_extensibility(closed))) cfanotify_extent {
  cfanotify_file_system = 0,
  cfanotify_mount = 1,
} cfanotify_extent;

/// fanotify_mark(2): files below `path` that were open for writing and are closed. Of terminals it is
/// not told.
int cfanotify_mark(int group, cfanotify_extent extent, const char *_Nonnull path);
/// fanotify_mark(2) with FAN_MARK_REMOVE.
int cfanotify_unmark(int group, cfanotify_extent extent, const char *_Nonnull path);

/// read(2): as many whole events as fit; -EAGAIN where there is none.
ssize_t cfanotify_read(int group, void *_Nonnull buffer, size_t size);

/// An event. Both descriptors are to be closed.
struct cfanotify_event {
  int32_t file;     // open for reading, or a negated errno
  int32_t process;  // a pidfd; negative where the process is gone, or cannot be had
  int32_t pid;      // 0 where it is in no pid namespace of ours
  uint32_t is_overflow;  // 1 where the queue was full and events are lost; there is no file then
};

/// Takes the event at `offset` of what was read.
///
/// Returns where the next one begins; 0 where there is none, or none of a known form.
size_t cfanotify_next(const void *_Nonnull buffer, size_t size, size_t offset,
                      struct cfanotify_event *_Nonnull event);

/// pidfd_send_signal(2) without a signal: 1 where the process's number is still its own, else 0.
int cfanotify_holds_number(int process);

/// pidfd_open(2).
int cfanotify_process(pid_t pid);

/// setfsuid(2), setfsgid(2): whose rights the calling thread has to files.
void cfanotify_rights(uint32_t *_Nonnull user, uint32_t *_Nonnull group);
/// setfsuid(2), setfsgid(2): whose rights the calling thread has to files from now on.
void cfanotify_act_as(uint32_t user, uint32_t group);

/// kill(2) with SIGKILL. Where root's rights do not suffice, which without CAP_KILL they do for its own
/// processes only, with those of `user`, which setresuid(2) gives to the calling thread meanwhile.
int cfanotify_kill(pid_t process, uint32_t user);

/// signalfd(2) for SIGHUP, SIGINT and SIGTERM, which no longer do what they did.
int cfanotify_signals(void);
/// The next signal's number, or -EAGAIN.
int cfanotify_signal(int descriptor);

/// setrlimit(2): as many open files as the process may have. Returns their number.
long cfanotify_raise_files(void);

#ifdef __cplusplus
}
#endif

#endif
