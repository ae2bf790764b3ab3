/// Stands for inotify(7) in docsource-share, GIO's part included: nothing there waits for changes of files. GIO
/// watches the directories of applications as soon as it is asked for one, with a thread, and the kernel may
/// take 13 ms to end that with the process, which is longer than all of its work.
#include <errno.h>
#include <sys/inotify.h>

int inotify_init1(int flags) {
  (void)flags;
  errno = ENOSYS;
  return -1;
}

/// What GIO tries then.
int inotify_init(void) { return inotify_init1(0); }
