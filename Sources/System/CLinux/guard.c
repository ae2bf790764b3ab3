#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "confine.h"
#include "retried.h"

#ifdef ARCHITECTURE

// Where the program has what it needs for a moment: what it is to be handed over for its path, and the
// socket to the supervisor.
enum { handed_descriptor = 3, supervisor_descriptor = 4 };
static const char handed_path[] = clinux_guard_path;

enum { writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY) };

// The supervisor decides, unless the flags, an argument of the call, are those of a writer.
#define ASK_TO_READ(call, flags)                                                                   \
  EQUAL((call), 0, 4), LOAD(args[flags]), ANY_BIT(writing, 0, 1), ANSWER(REFUSAL),                 \
      ANSWER(SECCOMP_RET_USER_NOTIF)

// As a program that reads files, and interpreters, need them. Nothing of these changes a file, starts a
// process, signals another one or reaches a network.
static int install_filter(void) {
  struct sock_filter filter[] = {
      LOAD_CALL,
      ALLOW_OWN,
      ALLOW(SYS_lseek),
      ALLOW(SYS_fstat),
      ALLOW(SYS_newfstatat),
      ALLOW(SYS_statx),
      ALLOW(SYS_pread64),
      ALLOW(SYS_readv),
      ALLOW(SYS_writev),
      ALLOW(SYS_mmap),
      ALLOW(SYS_mprotect),
      ALLOW(SYS_fadvise64),
      ALLOW(SYS_getdents64),
      ALLOW(SYS_readlinkat),
      ALLOW(SYS_faccessat),
      ALLOW(SYS_faccessat2),
      ALLOW(SYS_getcwd),
      ALLOW(SYS_dup),
      ALLOW(SYS_dup3),
      ALLOW(SYS_getppid),
      ALLOW(SYS_getuid),
      ALLOW(SYS_geteuid),
      ALLOW(SYS_getgid),
      ALLOW(SYS_getegid),
      ALLOW(SYS_getgroups),
      ALLOW(SYS_uname),
      ALLOW(SYS_sysinfo),
      ALLOW(SYS_umask),
      ALLOW(SYS_times),
      ALLOW(SYS_gettimeofday),
      ALLOW(SYS_clock_getres),
      ALLOW(SYS_nanosleep),
      ALLOW(SYS_clock_nanosleep),
      ALLOW(SYS_pselect6),
      ALLOW(SYS_ppoll),
      ALLOW(SYS_sched_getaffinity),
      ALLOW(SYS_set_tid_address),
      ALLOW(SYS_set_robust_list),
      ALLOW(SYS_rseq),
#ifdef __x86_64__
      ALLOW(SYS_arch_prctl),
      ALLOW(SYS_stat),
      ALLOW(SYS_lstat),
      ALLOW(SYS_access),
      ALLOW(SYS_readlink),
      ALLOW(SYS_dup2),
      ALLOW(SYS_getrlimit),
      ALLOW(SYS_time),
      ALLOW(SYS_select),
      ALLOW(SYS_poll),
      ASK_TO_READ(SYS_open, 1),
#endif
      ASK_TO_READ(SYS_openat, 2),
      EQUAL(SYS_execve, 0, 1),
      ANSWER(SECCOMP_RET_USER_NOTIF),
      // F_SETFL would let reading change the access time, F_SETOWN have the kernel signal other
      // processes.
      EQUAL(SYS_fcntl, 0, 5),
      LOAD(args[1]),
      EQUAL(F_DUPFD_CLOEXEC, 1, 0),
      AT_LEAST(F_SETFL, 1, 0),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(REFUSAL),
      EQUAL(SYS_ioctl, 0, 5),
      LOAD(args[1]),
      EQUAL(TCGETS, 1, 0),
      EQUAL(FIOCLEX, 0, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(REFUSAL),
      ALLOW_OWN_LIMITS,
      ALLOW_OWN_SIGNAL,
      // To hand the listener over; the descriptor is closed by execve.
      EQUAL(SYS_sendmsg, 0, 4),
      LOAD(args[0]),
      EQUAL(supervisor_descriptor, 0, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(REFUSAL),
      ANSWER(REFUSAL),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  long listener =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  return listener < 0 ? -errno : (int)listener;
}

// The signals that end a program by the usual ways, as a new process has them.
static void reset_signals(void) {
  for (int signal = 1; signal < NSIG; signal++)
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// Whether a program, or the interpreter that its first line names, has capabilities: the kernel would
// take the signal of its supervisor's end off it.
static bool has_capabilities(const char *program) {
  if (getxattr(program, "security.capability", NULL, 0) >= 0) return true;
  char line[256] = {0};
  int file = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  ssize_t count = RETRIED(read(file, line, sizeof line - 1));
  close(file);
  if (count < 2 || line[0] != '#' || line[1] != '!') return false;
  char *path = line + 2 + strspn(line + 2, " \t");
  path[strcspn(path, " \t\n")] = 0;
  return getxattr(path, "security.capability", NULL, 0) >= 0;
}

// Only what is safe in a signal handler, as after any fork.
static int confine(const clinux_guard *guard, pid_t supervisor, int channel) {
  reset_signals();
  if (has_capabilities(guard->program)) return -EPERM;
  // Above those that it is to have; the channel comes first, since it may be any of these.
  const int above = supervisor_descriptor + 1;
  int moved[] = {fcntl(channel, F_DUPFD, above), fcntl(guard->input, F_DUPFD, above),
                 fcntl(guard->output, F_DUPFD, above), open("/dev/null", O_RDONLY | O_CLOEXEC)};
  const int wanted[] = {supervisor_descriptor, STDIN_FILENO, STDOUT_FILENO, handed_descriptor};
  if (moved[3] >= 0 && moved[3] < above) moved[3] = fcntl(moved[3], F_DUPFD, above);
  for (int i = 0; i < 4; i++)
    if (moved[i] < 0 || dup2(moved[i], wanted[i]) < 0) return -errno;
  int errors = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (errors < 0 || dup2(errors, STDERR_FILENO) < 0) return -errno;
  if (fcntl(supervisor_descriptor, F_SETFD, FD_CLOEXEC) < 0) return -errno;
  if (syscall(SYS_close_range, supervisor_descriptor + 1, ~0U, 0) != 0) return -errno;
  if (setsid() < 0 || chdir("/") != 0) return -errno;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -errno;
  // It may have ended before.
  if (getppid() != supervisor) return -ECHILD;
  int result = clinux_sandbox_leave_root();
  if (result == 0) result = lower(RLIMIT_CORE, 0, 0);
  if (result == 0) result = lower(RLIMIT_NPROC, 0, 0);
  if (result == 0) result = lower(RLIMIT_FSIZE, 0, 0);
  if (result == 0) result = lower(RLIMIT_NOFILE, 64, 64);
  if (result == 0) result = lower(RLIMIT_AS, guard->address_space, guard->address_space);
  if (result == 0) result = clinux_sandbox_landlock(guard->readable);
  if (result != 0) return result;
  // Another user forgets it.
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ? -errno : install_filter();
}

static void __attribute__((noreturn)) become(
    const clinux_guard *guard, pid_t supervisor, int channel) {
  int result = confine(guard, supervisor, channel);
  // The channel has its number now, unless that failed.
  if (clinux_channel_send(result < 0 ? channel : supervisor_descriptor, &result, sizeof result,
                          &result, result < 0 ? 0 : 1, 1) == 0 &&
      result >= 0) {
    execve(guard->program, (char *const *)guard->arguments, (char *const *)guard->environment);
    result = -errno;
    clinux_channel_send(supervisor_descriptor, &result, sizeof result, NULL, 0, 1);
  }
  _exit(127);
}

pid_t clinux_guard_start(const clinux_guard *guard, int *listener, int *failures) {
  int ends[2];
  int result = clinux_channel_pair(ends);
  if (result != 0) return result;
  pid_t supervisor = getpid();
  pid_t child = fork();
  if (child == 0) become(guard, supervisor, ends[1]);
  int error = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return -error;
  }
  int files[clinux_channel_files];
  size_t count = 0;
  ssize_t received = clinux_channel_receive(ends[0], &result, sizeof result, files, &count, 1);
  if (received != sizeof result) result = received < 0 ? (int)received : -ECHILD;
  if (result >= 0 && count == 1) {
    *listener = files[0];
    *failures = ends[0];
    return child;
  }
  close(ends[0]);
  kill(child, SIGKILL);
  RETRIED(waitpid(child, NULL, 0));
  return result < 0 ? result : -EMFILE;
}

static int respond(int listener, struct seccomp_notif_resp *response) {
  // The program has been killed meanwhile.
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response) != 0 && errno != ENOENT) return -errno;
  return 0;
}

// Whether the program has asked for the path that a file is handed over for.
static int is_handed(int listener, const struct seccomp_notif *call) {
  bool has_directory = call->data.nr == SYS_openat;
  char path[sizeof handed_path] = {0};
  struct iovec own = {path, sizeof path};
  struct iovec other = {(void *)(uintptr_t)call->data.args[has_directory ? 1 : 0], sizeof path};
  // A shorter path may end where memory does; one that has been killed has none.
  ssize_t count = process_vm_readv((pid_t)call->pid, &own, 1, &other, 1, 0);
  if (count < 0 && errno != EFAULT && errno != ESRCH) return -errno;
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->id) != 0) return 0;
  return count == sizeof path && memcmp(path, handed_path, sizeof path) == 0;
}

static int hand_over(int listener, uint64_t call, int file) {
  lseek(file, 0, SEEK_SET);
  struct seccomp_notif_addfd added = {
      .id = call, .flags = SECCOMP_ADDFD_FLAG_SEND, .srcfd = (uint32_t)file,
      .newfd_flags = O_CLOEXEC};
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &added) < 0 && errno != ENOENT ? -errno : 0;
}

int clinux_guard_answer(int listener, int file, int *is_started) {
  struct seccomp_notif call = {0};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return errno == ENOENT ? 0 : -errno;
  struct seccomp_notif_resp response = {.id = call.id};
  if (call.data.nr == SYS_execve) {
    response.error = *is_started ? -EPERM : 0;
    *is_started = 1;
  } else {
    int handed = is_handed(listener, &call);
    if (handed == 1 && file >= 0) return hand_over(listener, call.id, file);
    response.error = handed == 1 ? -ENOENT : handed;
    if (handed < 0) {
      respond(listener, &response);
      return handed;
    }
  }
  // What else it may open, Landlock decides.
  if (response.error == 0) response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  return respond(listener, &response);
}

#else

pid_t clinux_guard_start(const clinux_guard *guard, int *listener, int *failures) {
  (void)guard, (void)listener, (void)failures;
  return -ENOSYS;
}

int clinux_guard_answer(int listener, int file, int *is_started) {
  (void)listener, (void)file, (void)is_started;
  return -ENOSYS;
}

#endif
