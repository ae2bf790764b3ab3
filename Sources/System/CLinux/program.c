#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "retried.h"

// What the child needs and leaves, in memory that it shares with the parent until it is a program.
struct start {
  const char *program;
  const char *const *arguments;
  int output;
  int errors;
  int error;
};

// glibc 2.36 declares these in headers that need the same macros; the numbers are the same on
// every architecture.
enum { call_pidfd_send_signal = 424, call_pidfd_open = 434, call_close_range = 436 };
enum { close_range_cloexec = 1 << 2 };

// Runs on a stack of its own while the calling thread stands still. Only what is safe in a signal
// handler is called.
static int become(void *argument) {
  struct start *start = argument;
  // What the host ignores would be ignored by the program: GTK sets SIGPIPE so, and without
  // SIGCHLD it could not wait for its own children.
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) {
    struct sigaction current;
    if (sigaction(signal, NULL, &current) == 0 && current.sa_handler == SIG_IGN)
      sigaction(signal, &usual, NULL);
  }
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || (null != STDIN_FILENO && dup2(null, STDIN_FILENO) < 0)
      || dup2(start->output, STDOUT_FILENO) < 0 || dup2(start->errors, STDERR_FILENO) < 0)
    goto failed;
  // Before Linux 5.11 those without O_CLOEXEC are passed on.
  syscall(call_close_range, STDERR_FILENO + 1, ~0U, close_range_cloexec);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execv(start->program, (char *const *)start->arguments);
failed:
  start->error = errno;
  _exit(127);
}

// A copy above the three standard descriptors, so that making those cannot overwrite it.
static int raised(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); }

static int started(struct start *start) {
  enum { stack_size = 64 << 10 };
  char *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return -errno;
  // The host's handlers must not run in the child, which has the parent's memory, nor may the
  // calling thread be cancelled in between.
  sigset_t all, former;
  int state;
  sigfillset(&all);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  pthread_sigmask(SIG_BLOCK, &all, &former);
  int process = -1;
  // No signal in the lowest byte: a child that becomes no program raises none. One that does
  // raises SIGCHLD (execve(2)).
  int child = clone(become, stack + stack_size, CLONE_VM | CLONE_VFORK | CLONE_PIDFD, start,
                    &process);
  int error = child < 0 ? errno : start->error;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_setcancelstate(state, NULL);
  munmap(stack, stack_size);
  if (child < 0) return -error;
  if (error != 0) {
    int status;
    clinux_process_ending(process, 1, &status);
    close(process);
    return -error;
  }
  return process;
}

int clinux_program_start(const char *program, const char *const *arguments, int output, int errors) {
  struct start start = {program, arguments, raised(output), raised(errors), 0};
  int result = start.output < 0 || start.errors < 0 ? -errno : started(&start);
  if (start.output >= 0) close(start.output);
  if (start.errors >= 0) close(start.errors);
  return result;
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

// The far end of each stream first, then the near one.
struct streams {
  int input[2], output[2], errors[2];
};

static int open_streams(struct streams *streams) {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, streams->input) != 0) return -errno;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  streams->output[0] = ends[1], streams->output[1] = ends[0];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  streams->errors[0] = ends[1], streams->errors[1] = ends[0];
  int near[] = {streams->input[1], streams->output[1], streams->errors[1]};
  for (int each = 0; each < 3; each++) {
    if (fcntl(near[each], F_SETFL, O_NONBLOCK) != 0) return -errno;
  }
  return 0;
}

static void close_ends(struct streams *streams, int end) {
  int each[] = {streams->input[end], streams->output[end], streams->errors[end]};
  for (int stream = 0; stream < 3; stream++) {
    if (each[stream] >= 0) close(each[stream]);
  }
}

static int spawn(const char *program, char *const *arguments, struct streams *streams,
                 pid_t *identifier) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int result = posix_spawn_file_actions_init(&actions);
  if (result != 0) return -result;
  result = posix_spawnattr_init(&attributes);
  if (result == 0) {
    int far[] = {streams->input[0], streams->output[0], streams->errors[0]};
    for (int each = 0; each < 3 && result == 0; each++) {
      result = posix_spawn_file_actions_adddup2(&actions, far[each], each);
    }
    if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (result == 0) result = posix_spawnattr_setsigmask(&attributes, &none);
    if (result == 0) result = posix_spawnattr_setsigdefault(&attributes, &all);
    if (result == 0) {
      result = posix_spawnattr_setflags(
          &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    char *nothing[] = {NULL};
    if (result == 0) {
      result = posix_spawn(identifier, program, &actions, &attributes, arguments, nothing);
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return -result;
}

int clinux_program_spawn(const char *program, char *const *arguments, clinux_child *child) {
  struct streams streams = {{-1, -1}, {-1, -1}, {-1, -1}};
  int result = open_streams(&streams);
  // With 0, 1 or 2 closed here, one stream's dup2 in the child would overwrite another's end.
  if (result == 0 && (streams.input[0] < 3 || streams.output[0] < 3 || streams.errors[0] < 3)) {
    result = -EBADF;
  }
  if (result == 0) result = spawn(program, arguments, &streams, &child->identifier);
  close_ends(&streams, 0);
  if (result != 0) {
    close_ends(&streams, 1);
    return result;
  }
  child->input = streams.input[1];
  child->output = streams.output[1];
  child->errors = streams.errors[1];
  return 0;
}
