/// How every file here calls the system.
#ifndef CLINUX_RETRIED_H
#define CLINUX_RETRIED_H

#include <errno.h>
#include <unistd.h>

/// The result of a system call, which is tried again after EINTR, or the negated errno.
#define RETRIED(call) ({ long result_ = TEMP_FAILURE_RETRY(call); result_ < 0 ? -errno : result_; })

#endif
