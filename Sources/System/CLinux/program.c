#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "retried.h"

// What the child needs and leaves, in memory that it shares with the parent until it is a program.
struct start {
  const clinux_launch *launch;
  int streams[3];  // copies above the three standard descriptors; -1 for those of the parent
  const sigset_t *mask;
  int error;
};

// glibc 2.36 declares these in headers that need the same macros; the numbers are the same on
// every architecture.
enum { call_pidfd_send_signal = 424, call_pidfd_open = 434, call_close_range = 436 };
enum { close_range_cloexec = 1 << 2 };
// PIDFS_MAGIC of <linux/magic.h> since 6.9.
enum { pidfs_magic = 0x50494446 };

// Runs on a stack of its own while the calling thread stands still. Only what is safe in a signal
// handler is called.
static int become(void *argument) {
  struct start *start = argument;
  const clinux_launch *launch = start->launch;
  // A handler of the host must not run here. What the host ignores would be ignored by the program:
  // GTK sets SIGPIPE so, and without SIGCHLD the program could not wait for its own children.
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction current;
    if (sigaction(signal, NULL, &current) != 0 || current.sa_handler == SIG_DFL) continue;
    if (current.sa_handler != SIG_IGN || launch->options & clinux_launch_usual_signals)
      sigaction(signal, &usual, NULL);
  }
  for (int stream = 0; stream < 3; stream++) {
    if (start->streams[stream] >= 0 && dup2(start->streams[stream], stream) < 0) goto failed;
  }
  // Before Linux 5.11 those without O_CLOEXEC are passed on.
  if (launch->options & clinux_launch_no_descriptors)
    syscall(call_close_range, STDERR_FILENO + 1, ~0U, close_range_cloexec);
  if (launch->options & clinux_launch_session && setsid() < 0) goto failed;
  sigprocmask(SIG_SETMASK, start->mask, NULL);
  char *const *environment = launch->environment ? (char *const *)launch->environment : environ;
  char *const *arguments = (char *const *)launch->arguments;
  if (launch->options & clinux_launch_searched)
    execvpe(launch->program, arguments, environment);
  else
    execve(launch->program, arguments, environment);
failed:
  start->error = errno;
  _exit(127);
}

static pid_t started(struct start *start, int *process) {
  // execvpe(3) puts paths together there, and the arguments of a script without a first line.
  size_t count = 0;
  while (start->launch->arguments[count] != NULL) count++;
  size_t stack_size = (128 << 10) + ((count * sizeof(char *)) & ~(size_t)0xffff);
  char *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -errno;
  // The host's handlers must not run in the child, which has the parent's memory, nor may the
  // calling thread be cancelled in between.
  sigset_t all, former, none;
  int state;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_sigmask(SIG_BLOCK, &all, &former);
  start->mask = start->launch->options & clinux_launch_usual_signals ? &none : &former;
  // No signal in the lowest byte: a child that becomes no program raises none. One that does
  // raises SIGCHLD (execve(2)).
  int flags = CLONE_VM | CLONE_VFORK | (process ? CLONE_PIDFD : 0);
  pid_t child = clone(become, stack + stack_size, flags, start, process);
  int error = child < 0 ? errno : start->error;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_setcancelstate(state, NULL);
  munmap(stack, stack_size);
  if (child >= 0 && error != 0) {
    RETRIED(waitpid(child, NULL, __WALL));
    if (process) close(*process);
  }
  return error != 0 ? -error : child;
}

pid_t clinux_program_start(const clinux_launch *launch, int *process) {
  struct start start = {.launch = launch};
  const int streams[] = {launch->input, launch->output, launch->errors};
  pid_t result = 0;
  for (int stream = 0; stream < 3; stream++) {
    // A copy above the three, so that making one of them cannot overwrite another.
    start.streams[stream] =
        streams[stream] < 0 ? -1 : fcntl(streams[stream], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (streams[stream] >= 0 && start.streams[stream] < 0 && result == 0) result = -errno;
  }
  if (result == 0) result = started(&start, process);
  for (int stream = 0; stream < 3; stream++) {
    if (start.streams[stream] >= 0) close(start.streams[stream]);
  }
  return result;
}

int clinux_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) != 0 ? -errno : 0; }

int clinux_socket_pair(int *ends) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ? -errno : 0;
}

int clinux_process_ending(int process, int waits, int *status) {
  siginfo_t info = {0};
  int options = WEXITED | __WALL | (waits ? 0 : WNOHANG);  // __WALL: see the signal of started
  while (waitid(P_PIDFD, (id_t)process, &info, options) < 0)
    if (errno != EINTR) return -errno;
  if (info.si_pid == 0) return 0;
  *status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  return 1;
}

int clinux_process_kill(int process) {
  return syscall(call_pidfd_send_signal, process, SIGKILL, NULL, 0) < 0 ? -errno : 0;
}

int clinux_process_open(pid_t pid) {
  int process = (int)syscall(call_pidfd_open, pid, 0);
  return process < 0 ? -errno : process;
}

int clinux_process_holds_number(int process) {
  return syscall(call_pidfd_send_signal, process, 0, NULL, 0) == 0 || errno != ESRCH;
}

uint32_t clinux_process_user(int process, pid_t pid) {
  // Of linux/pidfd.h in Linux 6.13.
  struct {
    uint64_t mask, group;
    uint32_t pid, tgid, ppid, real_user, others[7];
    int32_t ending;
  } info = {.mask = 1 << 1};
  enum { credentials = 1 << 1 };
  unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, 0xff, 11, sizeof info);
  if (ioctl(process, request, &info) == 0 && (info.mask & credentials) != 0)
    return info.real_user;
  char path[32];
  snprintf(path, sizeof path, "/proc/%d", (int)pid);
  struct stat status;
  return stat(path, &status) == 0 ? status.st_uid : UINT32_MAX;
}

uint64_t clinux_process_inode(int process) {
  // Before Linux 6.9 all pidfds are one file. What one is of all are.
  static _Atomic int are_own = -1;
  struct stat status;
  if (are_own < 0) {
    struct statfs system;
    if (fstatfs(process, &system) != 0) return 0;
    are_own = system.f_type == pidfs_magic;
  }
  return are_own && fstat(process, &status) == 0 ? status.st_ino : 0;
}

int clinux_process_kill_as(pid_t process, uint32_t user) {
  if (kill(process, SIGKILL) == 0) return 0;
  if (errno != EPERM || geteuid() != 0) return -errno;
  // The C library's own changes the user of all threads.
  if (syscall(SYS_setresuid, -1, user, -1) != 0) return -errno;
  int result = kill(process, SIGKILL) != 0 ? -errno : 0;
  // The saved user is still root, so that this cannot fail.
  syscall(SYS_setresuid, -1, 0, -1);
  return result;
}

static _Noreturn void look(void) {
  pid_t process;
  while (RETRIED(read(0, &process, sizeof process)) == sizeof process) {
    char path[sizeof "/proc//exe" + 3 * sizeof process];
    snprintf(path, sizeof path, "/proc/%d/exe", process);
    int program = (int)RETRIED(open(path, O_PATH | O_CLOEXEC));
    int result = program < 0 ? program : 0;
    clinux_channel_send(0, &result, sizeof result, &program, program >= 0, 1);
    if (program >= 0) close(program);
  }
  _exit(0);
}

int clinux_looker_start(int *process) {
  int ends[2];
  int failed = clinux_channel_pair(ends);
  if (failed) return failed;
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(ends[1], 0) != 0 || close_range(1, ~0U, 0) != 0) _exit(1);
    look();
  }
  int error = -errno;
  close(ends[1]);
  *process = child < 0 ? error : clinux_process_open(child);
  if (*process >= 0) return ends[0];
  close(ends[0]);
  return *process;
}

int clinux_looker_open(int channel, pid_t process, int patience) {
  int failed = clinux_channel_send(channel, &process, sizeof process, NULL, 0, 1);
  if (failed) return failed;
  struct pollfd answer = {channel, POLLIN, 0};
  int ready = (int)RETRIED(poll(&answer, 1, patience));
  if (ready <= 0) return ready < 0 ? ready : -ETIMEDOUT;
  int result, files[clinux_channel_files];
  size_t count;
  ssize_t size = clinux_channel_receive(channel, &result, sizeof result, files, &count, 1);
  if (size < 0) return (int)size;
  if (size == sizeof result && result == 0 && count == 1) return files[0];
  for (size_t i = 0; i < count; i++) close(files[i]);
  return size == sizeof result && result < 0 ? result : -EPROTO;
}
