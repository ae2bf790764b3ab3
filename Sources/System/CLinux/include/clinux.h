/// System calls that Swift cannot make through its Glibc module as needed: the module lacks the call
/// or a flag, or EINTR must be retried. Each is one line to call.
///
/// Every function returns a descriptor, a count or 0 on success and a negated errno on failure, so
/// that Swift never reads the thread-local errno, and retries EINTR, which FUSE and NFS do return.

#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Directories: directory.c

/// openat(2) of a directory for reading, with `flags` besides.
int clinux_directory_open(int parent, const char *_Nonnull path, int flags);

/// open(2) of a directory as O_PATH, links followed: passing through it needs no right to list it.
int clinux_directory_reach(const char *_Nonnull path);

/// Whether a path may lead out of the directory that it begins at.
typedef enum __attribute__((enum_extensibility(closed))) clinux_bounds {
  clinux_anywhere = 0,
  clinux_beneath = 1,
} clinux_bounds;

/// openat2(2) of a directory as O_PATH, following no link anywhere on the way: ELOOP where there is
/// one. ENOSYS before Linux 5.6; a seccomp filter that does not know the call answers EPERM.
int clinux_directory_locate(int root, const char *_Nonnull path, clinux_bounds bounds);

/// openat(2) of one component as O_PATH, following no link: ELOOP where the component is one.
int clinux_directory_step(int parent, const char *_Nonnull name);

/// Whether names in a directory, which is open for reading, are looked up in any letter case of
/// Unicode: FS_CASEFOLD_FL, ioctl_iflags(2). 0 where the file system has no such flags.
int clinux_directory_folds_case(int descriptor);

/// getdents64(2): the bytes of the records that were written, 0 at the end.
///
/// A directory that has been removed is at its end, as in readdir(3): nothing was left in it.
ssize_t clinux_directory_read(int descriptor, void *_Nonnull records, size_t size);

// Memory: memory.c

/// memmem(3): where in `bytes` others first begin, as an offset; -1 where they do not.
ssize_t clinux_memory_find(const void *_Nonnull bytes, size_t size, const void *_Nonnull wanted,
                           size_t wanted_size);

// Files: file.c

/// openat(2) of any file as O_PATH, which needs no right to the file, waits for no FIFO and wakes no
/// device.
///
/// A `nofollow` of 1 opens a symbolic link named last itself.
int clinux_file_touch(int parent, const char *_Nonnull path, int nofollow);

/// fallocate(2) of the first `size` bytes: EOPNOTSUPP where the file system cannot reserve room, which
/// posix_fallocate(3) would then do by reading the file.
int clinux_file_reserve(int descriptor, off_t size);

/// Lets the next `size` bytes that are allocated in small pieces lie in huge pages, where the kernel
/// has them: a page is then cleared and entered once in 2 MiB, not once in 4 KiB. Memory that is freed
/// stays with the process. To be called while there is one thread.
void clinux_memory_expect(size_t size);

/// What statx(2) and fstatfs(2) tell.
struct clinux_status {
  uint64_t mount;  // its number in /proc/self/mountinfo; 0 where the kernel does not tell
  uint64_t inode;
  uint32_t mode;
  uint32_t links;  // how many names the file has
  uint32_t owner;
  uint32_t group;
  uint32_t device_major;
  uint32_t device_minor;
  uint32_t immutable;    // 1 or 0
  uint32_t append_only;  // 1 or 0
  uint32_t read_only;    // the mount or the file system is; 1 or 0
  uint32_t full;         // users without privileges have no block left; 1 or 0
  uint64_t magic;        // the type of the file system, statfs(2)
};

/// close_range(2) of each run of successive numbers, and close(2) of the others. Negative ones are no files.
void clinux_file_close_all(const int *_Nonnull files, size_t count);

/// What statx(2) tells of an open file, one of O_PATH included. What fstatfs(2) tells is 0.
int clinux_file_stat(int descriptor, struct clinux_status *_Nonnull status);

/// The same as far as the kernel knows it, without asking a server: AT_STATX_DONT_SYNC.
int clinux_file_glance(int descriptor, struct clinux_status *_Nonnull status);

/// What statx(2) and fstatfs(2) tell of an open file, one of O_PATH included.
int clinux_file_status(int descriptor, struct clinux_status *_Nonnull status);

/// What tells an open file from others that have had its number, and what it holds from what it held
/// before, as statx(2) tells. Times are in nanoseconds since 1970-01-01T00:00:00Z.
struct clinux_version {
  uint64_t inode;
  uint64_t size;
  int64_t born;      // when it was made; only if has_born is 1
  int64_t modified;  // its content, by the writer's clock or as somebody has set it
  int64_t changed;   // anything of it; nobody can set that
  uint32_t has_born;
  uint64_t device;  // that of the file system
};

/// What statx(2) tells of an open file, one of O_PATH included. -EOVERFLOW for a time beyond the years
/// 1678 to 2262.
int clinux_file_version(int descriptor, struct clinux_version *_Nonnull version);

/// fcntl(2) with F_SETLEASE: keeps others from opening a file for writing and from truncating it, until
/// `end` or for /proc/sys/fs/lease-break-time seconds at most; they wait meanwhile. -EAGAIN if it is open
/// for writing anywhere, or mapped so. -EACCES for another user's file without CAP_LEASE.
///
/// The file is open for reading only. When others wait, `signal` says so: SIGURG is ignored by default. A
/// `signal` of 0 stands for SIGIO, which ends the process unless it ignores that.
int clinux_file_lease(int file, int signal);

/// Ends a lease: those who wait go on.
int clinux_file_unlease(int file);

/// Where an open file is, as statx(2) tells.
struct clinux_place {
  uint64_t device;
  uint64_t inode;
  uint64_t mount;  // from Linux 6.8 on no other mount ever has the number; 0 before Linux 5.8
};

/// Where a file is, by its name in a directory, or with an empty name the directory itself, one of
/// O_PATH included. No link is followed. The mount's number is not that of /proc/self/mountinfo.
int clinux_file_place(
    int parent, const char *_Nonnull name, struct clinux_place *_Nonnull place);

/// faccessat(2) for the effective user: whether a file may be written.
int clinux_file_writable(const char *_Nonnull path, int nofollow);

/// openat2(2) with RESOLVE_NO_MAGICLINKS: links to open files below /proc are not followed, ELOOP.
/// Before Linux 5.6, and where a seccomp filter does not know the call, a link named last is not
/// followed at all.
int clinux_file_open(int parent, const char *_Nonnull path, int flags, uint32_t mode);

/// The same of a file as O_PATH, which waits for no FIFO and wakes no device.
int clinux_file_reach(int parent, const char *_Nonnull path);

/// renameat2(2) of one entry to a name that nothing has yet: EEXIST where something has.
int clinux_file_put(int directory, const char *_Nonnull from, const char *_Nonnull to);

/// renameat2(2) of two entries that exchange their names. Not every file system can: EINVAL.
int clinux_file_exchange(int directory, const char *_Nonnull one, const char *_Nonnull other);

/// O_NOATIME of openat(2): reading does not change the time of the last access. EPERM for another
/// user's file.
enum { clinux_no_access_time = 01000000 };

/// openat(2) with O_TMPFILE: a new file in `directory`, open for reading and writing. It has no name
/// and is gone with its last descriptor unless it is linked. Not every file system has such files:
/// EOPNOTSUPP, or EISDIR where the kernel does not.
int clinux_file_unnamed(int parent, const char *_Nonnull directory, uint32_t mode);

/// linkat(2) of an open file that has no name to one that nothing has yet: EEXIST where something
/// has.
int clinux_file_link(int file, int directory, const char *_Nonnull to);

/// syncfs(2), which the Glibc module lacks.
int clinux_file_system_sync(int descriptor);

/// memfd_create(2): a file in memory, which no path leads to.
int clinux_file_memory(const char *_Nonnull name);

/// Lets nobody write to a file in memory any more, whoever has it open: fcntl(2) with F_ADD_SEALS.
int clinux_file_seal(int file);

// File events and their writers: fanotify.c

/// fanotify_init(2): a group that is notified of files after the fact, so that nobody waits for it.
///
/// Its events have the writer as a pid and as a pidfd, which Linux 5.15 and CAP_SYS_ADMIN allow,
/// and a file that cannot be opened is an event too where the kernel is 6.13 or later.
int clinux_events_open(void);

/// What a mark covers.
typedef enum __attribute__((enum_extensibility(closed))) clinux_extent {
  clinux_file_system = 0,
  clinux_mount = 1,
} clinux_extent;

/// fanotify_mark(2): files below `path` that were open for writing and are closed. Terminals are
/// left out.
int clinux_events_mark(int group, clinux_extent extent, const char *_Nonnull path);

/// The same for what an open file, one of O_PATH included, is in; no path is looked up, and no server
/// asked.
///
/// The file is reached by its link in /proc/self/fd, since the call takes no descriptor of O_PATH.
int clinux_events_mark_open(int group, clinux_extent extent, int file);

/// The same with FAN_MARK_REMOVE.
int clinux_events_unmark_open(int group, clinux_extent extent, int file);

/// fanotify_mark(2) with FAN_MARK_REMOVE.
int clinux_events_unmark(int group, clinux_extent extent, const char *_Nonnull path);

/// read(2): as many whole events as fit; -EAGAIN where there is none.
ssize_t clinux_events_read(int group, void *_Nonnull buffer, size_t size);

/// An event. Both descriptors are to be closed.
struct clinux_event {
  int32_t file;          // open for reading, or a negated errno
  int32_t process;       // a pidfd; negative where the process is gone, or cannot be had
  int32_t pid;           // 0 where it is in no pid namespace of ours
  uint32_t is_overflow;  // 1 where the queue was full and events are lost; there is no file then
};

/// Takes the event at `offset` of what was read.
///
/// Returns where the next one begins; 0 where there is none, or none of a known form.
size_t clinux_events_next(const void *_Nonnull buffer, size_t size, size_t offset,
                          struct clinux_event *_Nonnull event);

enum { clinux_handle_max = 128, clinux_key_max = 8 + 4 + clinux_handle_max };

/// What a file system knows a file by while that is there: struct file_handle.
struct clinux_handle {
  uint32_t size;
  int32_t kind;
  uint8_t bytes[clinux_handle_max];
};

/// A file system and a file: no other file of this machine has the same key at the same time.
struct clinux_key {
  uint32_t size;
  uint8_t bytes[clinux_key_max];  // zeros after the size
};

/// fanotify_init(2): a group that is notified of who makes, writes, closes and deletes files and of which
/// programs are run, by keys: no file is opened for it. What one process does to one file is one event until it is
/// read. Linux 5.17 and CAP_SYS_ADMIN allow that.
int clinux_journal_open(void);

/// fanotify_mark(2): all files of the file system of an open file, one of O_PATH included; with
/// `programs_only`, only which of them are run.
int clinux_journal_mark(int group, int file, int programs_only);

/// An event of such a group.
struct clinux_journal_event {
  int32_t process;       // a pidfd, to be closed; negative where the process is gone
  int32_t pid;           // its number; 0 where it is in no pid namespace of ours
  uint32_t is_created;   // 1 or 0, as the next; the file was made, or got another name by link(2)
  uint32_t is_modified;  // by write(2) and its like; what is written to mapped memory does not count
  uint32_t is_closed;    // after it was open for writing
  uint32_t is_executed;  // the process has begun to run the file as a program; it can have written it, too
  uint32_t is_deleted;   // the file is gone: it had no name left, and nobody had it open
  uint32_t is_overflow;  // the queue was full and events are lost; there is no key then
  struct clinux_key key;  // as clinux_file_key has it; empty if there is none
};

/// Takes the event at `offset` of what clinux_events_read has read; see clinux_events_next.
size_t clinux_journal_next(const void *_Nonnull buffer, size_t size, size_t offset,
                           struct clinux_journal_event *_Nonnull event);

/// The file system that a file is on, as fstatfs(2) tells; one of btrfs has a number for each subvolume.
struct clinux_system {
  uint64_t number;
  uint64_t magic;
};

/// One of O_PATH included.
int clinux_system_of(int file, struct clinux_system *_Nonnull system);

/// What the keys of a file system begin with, and a device that no other one has while it is mounted. Whoever makes
/// a file system can choose the first.
int clinux_system_identity(int file, uint64_t *_Nonnull number, uint64_t *_Nonnull device);

/// The handle of an open file, one of O_PATH included: name_to_handle_at(2). -EOPNOTSUPP where the file system has
/// none.
int clinux_file_handle(int file, struct clinux_handle *_Nonnull handle);

/// Opens a file anew, for reading: open_by_handle_at(2), which needs CAP_DAC_READ_SEARCH and no path. `file` has the
/// handle.
int clinux_file_reopen(int file, const struct clinux_handle *_Nonnull handle);

/// The key of a file with a handle. On ext4, a later file can have it.
struct clinux_key clinux_file_key(const struct clinux_handle *_Nonnull handle,
                                  const struct clinux_system *_Nonnull system);

// This process: process.c

/// The path of the file that holds this function: a library, or an executable with an absolute path.
///
/// The corresponding C functions are dladdr(3), dlinfo(3) and realpath(3). `path` has room for
/// PATH_MAX bytes.
int clinux_own_file(char *_Nonnull path);

/// The most bytes of a path, its NUL among them.
enum { clinux_path_max = 4096 };

/// sched_getaffinity(2): how many processors this process may use, at least one.
int clinux_processors(void);

/// What a thread runs.
typedef void *_Nullable clinux_thread_body(void *_Nullable);

/// pthread_create(3) of a thread that begins on another processor than the caller's, if there is one. On the same
/// one, either would have to wait for the other's time slice, which is some milliseconds.
int clinux_thread_start(pthread_t *_Nonnull thread, clinux_thread_body *_Nonnull body,
                        void *_Nullable argument);

/// setrlimit(2): as many open files as the process may have. Returns their number.
long clinux_raise_files(void);

/// setfsuid(2), setfsgid(2): whose rights the calling thread has to files.
void clinux_rights(uint32_t *_Nonnull user, uint32_t *_Nonnull group);

/// setfsuid(2), setfsgid(2): whose rights the calling thread has to files from now on.
void clinux_act_as(uint32_t user, uint32_t group);

/// signalfd(2) for SIGHUP, SIGINT and SIGTERM, which no longer do what they did.
int clinux_signals_open(void);

/// The next signal's number, or -EAGAIN.
int clinux_signals_next(int descriptor);

// Other programs and processes: program.c

/// pipe2(2) with O_CLOEXEC: the end to read from, and the one to write to.
int clinux_pipe(int *_Nonnull ends);

/// socketpair(2) of stream sockets with SOCK_CLOEXEC: two ends that are alike.
int clinux_socket_pair(int *_Nonnull ends);

/// How a program is started.
typedef struct clinux_launch {
  const char *_Nonnull program;
  const char *_Nullable const *_Nonnull arguments;  // the program's name first; NULL at the end
  const char *_Nullable const *_Nullable environment;  // likewise; NULL for the caller's own
  int input;   // an open file that becomes standard input; -1 for the caller's own
  int output;  // likewise
  int errors;  // likewise
  unsigned int options;
} clinux_launch;

enum {
  clinux_launch_searched = 1 << 0,        // the program is looked for in PATH
  clinux_launch_usual_signals = 1 << 1,   // as if the caller had ignored and blocked none
  clinux_launch_no_descriptors = 1 << 2,  // but the standard streams
  clinux_launch_session = 1 << 3,         // of its own
};

/// Starts a program and returns its process's number; `process`, if it is not NULL, becomes a pidfd,
/// to be closed, which Linux 5.2 and later give.
///
/// It is posix_spawn(3), and pidfd_spawn(3), which glibc has from 2.39 on: safe in a process with many
/// threads, and the descriptor is that of the child even if the host waits for the child first.
pid_t clinux_program_start(const clinux_launch *_Nonnull launch, int *_Nullable process);

/// pidfd_open(2).
int clinux_process_open(pid_t pid);

/// pidfd_send_signal(2) without a signal: 1 where the process's number is still its own, else 0.
int clinux_process_holds_number(int process);

/// The real user of the process of a pidfd, whose number is `pid`; before Linux 6.13 the owner of /proc/PID,
/// which is root where nobody else may look at the process; -1 where it has ended.
///
/// The corresponding C functions are ioctl(2) with PIDFD_GET_INFO, and stat(2).
uint32_t clinux_process_user(int process, pid_t pid);

/// The inode of a pidfd, which tells its process from all others since the machine's start, also after
/// it has ended; 0 before Linux 6.9, where all pidfds have one inode.
///
/// The corresponding C functions are fstatfs(2) and fstat(2).
uint64_t clinux_process_inode(int process);

/// Whether and how the process of a pidfd ended. It is gone once it has been reported.
///
/// The corresponding C function is waitid(2).
///
/// - status: the exit status, or 128 and the signal that ended it.
/// Returns 1 when it has ended, and 0 while it runs and `waits` is 0; -ECHILD where another part of
/// the host has waited for it.
int clinux_process_ending(int process, int waits, int *_Nonnull status);

/// pidfd_send_signal(2): ends the process of a pidfd at once.
int clinux_process_kill(int process);

/// kill(2) with SIGKILL. Where root's rights do not suffice, which without CAP_KILL they do for root's
/// own processes only, with those of `user`, which setresuid(2) gives to the calling thread
/// meanwhile.
int clinux_process_kill_as(pid_t process, uint32_t user);

/// Starts a process that opens the programs of other processes, and returns the channel to it: whoever runs a
/// program can have /proc/PID/exe wait without end, for a file of FUSE that its former program had open. It ends
/// with the calling thread, and when the channel is closed. fork(2): only for a process with one thread.
int clinux_looker_start(int *_Nonnull process);

/// The program of a process, open as O_PATH. -ETIMEDOUT after so many milliseconds: the looker is to be killed
/// then.
int clinux_looker_open(int channel, pid_t process, int patience);

// Messages with descriptors between processes: channel.c

/// The most descriptors of a message: SCM_MAX_FD of the kernel.
enum { clinux_channel_files = 253 };

/// socketpair(2) of sockets that keep messages apart, SOCK_SEQPACKET, with SOCK_CLOEXEC.
int clinux_channel_pair(int *_Nonnull ends);

/// sendmsg(2) of a message that is not empty, with descriptors, of which the receiver gets copies.
///
/// -EAGAIN if there is no room and `waits` is 0. The other side's end is no signal but -EPIPE.
int clinux_channel_send(
    int channel, const void *_Nonnull bytes, size_t size, const int *_Nullable files, size_t count,
    int waits);

/// recvmsg(2) of a message of `size` bytes at most: the number of its bytes, 0 at the end; -EAGAIN if
/// there is none and `waits` is 0; -EMSGSIZE for a longer one, whose descriptors are closed.
///
/// `files` has room for clinux_channel_files descriptors, which the caller closes. They are fewer than
/// were sent if this process may have no more open.
ssize_t clinux_channel_receive(
    int channel, void *_Nonnull buffer, size_t size, int *_Nonnull files, size_t *_Nonnull count,
    int waits);

// Giving up rights: sandbox.c

/// Makes this process one of `user`, with no group but `group`, that keeps only those of its
/// capabilities that are in `kept`, a set of bits, as permitted ones. Those in `raised` are effective
/// too. It cannot gain rights by execve(2) and ends with its parent.
///
/// The corresponding C functions are setgroups(2), setresgid(2), setresuid(2), capset(2) and prctl(2).
/// Returns 0 also if the process is the user's already and may change neither.
int clinux_rights_become(uint32_t user, uint32_t group, uint64_t kept, uint64_t raised);

/// capset(2) of the calling thread: `kept` of its permitted capabilities stay, and of these `raised`
/// are effective.
int clinux_rights_keep(uint64_t kept, uint64_t raised);

/// setgroups(2) of none: -EPERM if the process may not.
int clinux_rights_leave_groups(void);

/// setrlimit(2): the process may have that many bytes of data.
int clinux_rights_limit_data(uint64_t bytes);

/// Takes all capabilities of a process, and makes one of root one of the user nobody (65534) without
/// groups, for good. Others stay whose they are. Root that cannot become another user, as in a container, stays root in
/// name, without capabilities. The corresponding C functions are setgroups(2), setresgid(2), setresuid(2)
/// and capset(2).
int clinux_sandbox_leave_root(void);

/// Gives up what the kernel can only refuse a few at a time: other descriptors than 0, 1, 2 and those in
/// `kept`, which go up, core dumps, processes, files beyond `file_size` bytes, memory beyond
/// `address_space` bytes, processor time beyond `seconds`, gaining rights by execve, being traced.
///
/// The process also ends with the thread that started it. A limit that is lower already stays. The
/// corresponding C functions are close_range(2), setrlimit(2) and prctl(2).
int clinux_sandbox_limit(uint64_t address_space, uint64_t seconds, uint64_t file_size,
                         const int *_Nullable kept, size_t kept_count);

/// Lets no descriptor be opened anew. The corresponding C function is setrlimit(2).
int clinux_sandbox_refuse_descriptors(void);

/// Lets no path be reached, no TCP port bound or connected to, and no process outside be signalled,
/// as far as this kernel's Landlock goes. -ENOSYS or -EOPNOTSUPP where it has none.
///
/// - readable: paths, NULL at the end, of files that may be read and of directories below which files may
///   be read and run; those that are not there are left out. NULL for none.
int clinux_sandbox_landlock(const char *_Nullable const *_Nullable readable);

/// Makes every system call fail with EPERM but those that read files, of any path, and that use what the
/// process has. -ENOSYS or -EINVAL where the kernel has no filters. The corresponding C function is
/// seccomp(2).
int clinux_sandbox_seccomp_reader(void);

/// Lets only system calls pass that use what the process already has: read, write, close, memory that
/// is not executable, clocks, signals to itself, the end. Others fail with EPERM; those of another
/// architecture end the process. -ENOSYS or -EINVAL where the kernel or this architecture has none. With
/// `reads_files`, those pass, too, that read at any place of an open file and ask for its status.
///
/// The corresponding C function is seccomp(2).
int clinux_sandbox_seccomp(int reads_files);

// A program that is confined, and handed files while it runs: guard.c

/// The path for which the program is handed the supervisor's file. It is also that of an open device, so
/// that asking whether it is there says so.
#define clinux_guard_path "/proc/self/fd/3"

/// A program that is to be confined.
typedef struct clinux_guard {
  const char *_Nonnull program;                            // its path
  const char *_Nullable const *_Nonnull arguments;         // the program's name first; NULL at the end
  const char *_Nullable const *_Nonnull environment;       // likewise
  const char *_Nullable const *_Nonnull readable;          // as for clinux_sandbox_landlock; likewise
  int input;                                               // becomes standard input
  int output;                                              // likewise
  uint64_t address_space;                                  // in bytes
} clinux_guard;

/// Starts a program that can read what is below some paths, and the files that it is handed, and can write
/// only to its output: no other file can be opened or changed, no program or process started, no other
/// process signalled, no network reached. It has no standard error and ends with the calling thread. Its
/// user is nobody where the caller is root.
///
/// Its calls of open(2), openat(2) and execve(2) wait until clinux_guard_answer has answered them.
///
/// The corresponding C functions are fork(2), prctl(2), setrlimit(2), landlock_restrict_self(2),
/// seccomp(2) and execve(2). The caller has one thread.
///
/// - listener: becomes the descriptor for clinux_guard_answer, which can be read from when a call waits.
/// - failures: becomes a channel, from which the negated errno of a failed execve can be received, or its
///   end when the program runs.
/// Returns the process's number; -ENOSYS, -EINVAL or -EOPNOTSUPP where the kernel lacks seccomp's
/// notifications (Linux 5.14) or Landlock.
pid_t clinux_guard_start(
    const clinux_guard *_Nonnull guard, int *_Nonnull listener, int *_Nonnull failures);

/// Answers one call of the program. The first execve passes, no other one. Files are opened as far as
/// Landlock lets them be, but for clinux_guard_path, for which the program gets `file`, from its begin on:
/// ENOENT if that is -1.
///
/// The corresponding C functions are ioctl(2), seccomp_unotify(2), and process_vm_readv(2).
/// Returns -EPERM where this process may not read the program's memory (Yama).
int clinux_guard_answer(int listener, int file, int *_Nonnull is_started);

#ifdef __cplusplus
}
#endif

#endif
