/// What the files here have in common that confine a process: limits and filters of system calls.
#ifndef CLINUX_CONFINE_H
#define CLINUX_CONFINE_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Lowers a limit; one that is lower already stays.
static inline int lower(__rlimit_resource_t resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -errno;
  if (limit.rlim_max > hard) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit(resource, &limit) != 0 ? -errno : 0;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Arguments have 64 bits of which these use the lower half; both architectures put it first.
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
#define ANY_BIT(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (yes), (no))
#define AT_LEAST(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (value), (yes), (no))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSAL (SECCOMP_RET_ERRNO | EPERM)
#define ALLOW(call) EQUAL((call), 0, 1), ANSWER(SECCOMP_RET_ALLOW)

// Loads the number of the call, if it is one of the architecture: the numbers of x32 share it.
#ifdef __x86_64__
#define LOAD_CALL                                                                                  \
  LOAD(arch), EQUAL(ARCHITECTURE, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr),               \
      AT_LEAST(0x40000000, 0, 1), ANSWER(SECCOMP_RET_KILL_PROCESS)
#else
#define LOAD_CALL                                                                                  \
  LOAD(arch), EQUAL(ARCHITECTURE, 1, 0), ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr)
#endif

// What only uses what the process has: its descriptors, memory, signals and end.
#define ALLOW_OWN                                                                                  \
  ALLOW(SYS_read), ALLOW(SYS_write), ALLOW(SYS_close), ALLOW(SYS_munmap), ALLOW(SYS_mremap),       \
      ALLOW(SYS_madvise), ALLOW(SYS_brk), ALLOW(SYS_futex), ALLOW(SYS_sched_yield),                \
      ALLOW(SYS_getrandom), ALLOW(SYS_getpid), ALLOW(SYS_gettid), ALLOW(SYS_clock_gettime),        \
      ALLOW(SYS_rt_sigaction), ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigreturn),                 \
      ALLOW(SYS_sigaltstack), ALLOW(SYS_restart_syscall), ALLOW(SYS_exit), ALLOW(SYS_exit_group)

// What reads files and looks at the process itself: but for open, which may write.
#define ALLOW_READING                                                                              \
  ALLOW(SYS_lseek), ALLOW(SYS_fstat), ALLOW(SYS_newfstatat), ALLOW(SYS_statx),                     \
      ALLOW(SYS_pread64), ALLOW(SYS_readv), ALLOW(SYS_writev), ALLOW(SYS_mmap),                    \
      ALLOW(SYS_mprotect), ALLOW(SYS_fadvise64), ALLOW(SYS_getdents64), ALLOW(SYS_readlinkat),     \
      ALLOW(SYS_faccessat), ALLOW(SYS_faccessat2), ALLOW(SYS_getcwd), ALLOW(SYS_getppid),          \
      ALLOW(SYS_getuid), ALLOW(SYS_geteuid), ALLOW(SYS_getgid), ALLOW(SYS_getegid),                \
      ALLOW(SYS_uname), ALLOW(SYS_sysinfo), ALLOW(SYS_sched_getaffinity)

// Refuses to open for writing; `flags` is the number of that argument of the call.
#define ALLOW_TO_READ(call, flags)                                                                 \
  EQUAL((call), 0, 4), LOAD(args[flags]),                                                          \
      ANY_BIT(O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 0, 1), ANSWER(REFUSAL),  \
      ANSWER(SECCOMP_RET_ALLOW)

// Of its own limits.
#define ALLOW_OWN_LIMITS                                                                           \
  EQUAL(SYS_prlimit64, 0, 4), LOAD(args[0]), EQUAL(0, 0, 1), ANSWER(SECCOMP_RET_ALLOW),            \
      ANSWER(REFUSAL)

// abort(3) signals itself; nobody else is to be signalled.
#define ALLOW_OWN_SIGNAL                                                                           \
  EQUAL(SYS_tgkill, 0, 4), LOAD(args[0]), EQUAL((uint32_t)getpid(), 0, 1),                         \
      ANSWER(SECCOMP_RET_ALLOW), ANSWER(REFUSAL)

#endif
