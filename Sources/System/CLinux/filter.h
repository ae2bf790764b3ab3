/// The words of filters of system calls.
#ifndef CLINUX_FILTER_H
#define CLINUX_FILTER_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

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

#endif
