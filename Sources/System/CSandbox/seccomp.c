#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSAL (SECCOMP_RET_ERRNO | EPERM)
#define ALLOW(call) EQUAL((call), 0, 1), ANSWER(SECCOMP_RET_ALLOW)
// Arguments have 64 bits of which these use the lower half; both architectures put it first.
#define ALLOW_DATA(call)                                                                           \
  EQUAL((call), 0, 4), LOAD(args[2]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),       \
      ANSWER(REFUSAL), ANSWER(SECCOMP_RET_ALLOW)

int csandbox_seccomp(void) {
  struct sock_filter filter[] = {
      LOAD(arch),
      EQUAL(ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      // The numbers of x32 share the architecture.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
      ALLOW(SYS_read),
      ALLOW(SYS_write),
      ALLOW(SYS_close),
      ALLOW(SYS_munmap),
      ALLOW(SYS_mremap),
      ALLOW(SYS_madvise),
      ALLOW(SYS_brk),
      ALLOW(SYS_futex),
      ALLOW(SYS_sched_yield),
      ALLOW(SYS_getrandom),
      ALLOW(SYS_getpid),
      ALLOW(SYS_gettid),
      ALLOW(SYS_clock_gettime),
      ALLOW(SYS_rt_sigaction),
      ALLOW(SYS_rt_sigprocmask),
      ALLOW(SYS_rt_sigreturn),
      ALLOW(SYS_sigaltstack),
      ALLOW(SYS_restart_syscall),
      ALLOW(SYS_exit),
      ALLOW(SYS_exit_group),
      ALLOW_DATA(SYS_mmap),
      ALLOW_DATA(SYS_mprotect),
      // abort(3) signals itself; nobody else is to be signalled.
      EQUAL(SYS_tgkill, 0, 3),
      LOAD(args[0]),
      EQUAL((uint32_t)getpid(), 0, 1),
      ANSWER(SECCOMP_RET_ALLOW),
      ANSWER(REFUSAL),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result < 0) return -errno;
  return result == 0 ? 0 : -EBUSY;  // the thread that could not be taken along
}

#else

int csandbox_seccomp(void) { return -ENOSYS; }

#endif
