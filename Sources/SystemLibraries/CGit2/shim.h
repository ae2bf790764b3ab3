/// libgit2 1.5, and in C what Swift cannot call of it: functions of a variable number of arguments, and
/// what runs for each entry of a tree.
#ifndef CGIT2_SHIM_H
#define CGIT2_SHIM_H

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/// Starts libgit2 for untrusted repositories; negative if that fails.
///
/// With `without_certificates`, this process opens no file meanwhile: libgit2 would parse all certificates of
/// the system, which takes 5 ms, for connections that nobody makes here.
static inline int cgit2_start(bool without_certificates) {
  struct rlimit limit, none;
  bool is_lowered = without_certificates && getrlimit(RLIMIT_NOFILE, &limit) == 0;
  if (is_lowered) {
    none = limit;
    none.rlim_cur = 0;
    is_lowered = setrlimit(RLIMIT_NOFILE, &none) == 0;
  }
  int result = git_libgit2_init();
  if (is_lowered) setrlimit(RLIMIT_NOFILE, &limit);
  if (result < 0) return result;
  // The repositories of other users are not read, unless safe.directory names them.
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
  // As git log: each object has a checksum of its own in the file; to hash them takes a third of the time.
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
  // Packs are mapped in pieces: memory is limited.
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)32 << 20);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)512 << 20);
  // Each tree is compared with those of the commit's parents and of its children.
  git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, (size_t)1 << 20);
  git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)64 << 20);
  return 0;
}

/// Reads an object in a file of its own. libgit2 1.5 writes beyond its memory where such an object is longer
/// than it says, but not if it reads the object in pieces.
static inline int cgit2_read_loose(void *_Nullable *_Nonnull data, size_t *_Nonnull length,
                                   git_object_t *_Nonnull type, git_odb_backend *_Nonnull backend,
                                   const git_oid *_Nonnull name) {
  git_odb_stream *stream = NULL;
  int result = backend->readstream(&stream, length, type, backend, name);
  if (result < 0) return result;
  char *bytes = *length < PTRDIFF_MAX ? git_odb_backend_data_alloc(backend, *length + 1) : NULL;
  size_t filled = 0;
  int count = bytes ? 1 : -1;
  // With a byte more than there ought to be.
  while (count > 0 && filled <= *length) {
    count = stream->read(stream, bytes + filled, *length + 1 - filled);
    if (count > 0) filled += (size_t)count;
  }
  git_odb_stream_free(stream);
  if (count < 0 || filled != *length) {
    if (bytes) git_odb_backend_data_free(backend, bytes);
    if (count >= 0) git_error_set_str(GIT_ERROR_ODB, "an object has another length than it says");
    return -1;
  }
  bytes[filled] = 0;
  *data = bytes;
  return 0;
}

/// Has objects in files of their own read with care; before any is read.
static inline int cgit2_guard_objects(git_repository *_Nonnull repository) {
  git_odb *objects = NULL;
  int result = git_repository_odb(&objects, repository);
  if (result < 0) return result;
  for (size_t i = 0; i < git_odb_num_backends(objects); i++) {
    git_odb_backend *backend = NULL;
    result = git_odb_get_backend(&backend, objects, i);
    // Packs are not read in pieces.
    if (result == 0 && backend->readstream) backend->read = cgit2_read_loose;
  }
  git_odb_free(objects);
  return result;
}

/// Whether names that differ in case only are the same in a repository; also where that is not known.
static inline bool cgit2_ignores_case(git_repository *_Nonnull repository) {
  git_config *settings = NULL;
  int ignores = 0;
  if (git_repository_config(&settings, repository) < 0) return true;
  int result = git_config_get_bool(&ignores, settings, "core.ignorecase");
  git_config_free(settings);
  return result != GIT_ENOTFOUND && (result < 0 || ignores);
}

/// Whether two entries of one name are the same for git.
static inline bool cgit2_is_same(const git_tree_entry *_Nonnull one,
                                 const git_tree_entry *_Nonnull other) {
  return git_oid_equal(git_tree_entry_id(one), git_tree_entry_id(other)) &&
         git_tree_entry_filemode(one) == git_tree_entry_filemode(other);
}

/// Entries of two trees, to be gone through side by side.
struct cgit2_comparison {
  const git_tree *_Nullable one;
  const git_tree *_Nullable other;
  size_t position;
  size_t other_position;
  /// The entries that differ: either may be missing.
  const git_tree_entry *_Nullable entry;
  const git_tree_entry *_Nullable other_entry;
};

/// Finds the next entries that differ; `false` if there are none.
static inline bool cgit2_next_difference(struct cgit2_comparison *_Nonnull at) {
  while (true) {
    const git_tree_entry *one = at->one ? git_tree_entry_byindex(at->one, at->position) : NULL;
    const git_tree_entry *other =
        at->other ? git_tree_entry_byindex(at->other, at->other_position) : NULL;
    if (!one && !other) return false;
    int order = !one ? 1 : !other ? -1 : git_tree_entry_cmp(one, other);
    if (order <= 0) at->position++;
    if (order >= 0) at->other_position++;
    if (order == 0 && cgit2_is_same(one, other)) continue;
    at->entry = order <= 0 ? one : NULL;
    at->other_entry = order >= 0 ? other : NULL;
    return true;
  }
}

/// Ends a comparison after a moment of CLOCK_MONOTONIC, in milliseconds.
static inline int cgit2_check_time(const git_diff *_Nullable diff, const char *_Nullable old_path,
                                   const char *_Nullable new_path, void *_Nullable end) {
  (void)diff, (void)old_path, (void)new_path;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000 > *(const int64_t *)end ? GIT_EUSER : 0;
}

/// What is compared, and until when.
struct cgit2_extent {
  /// Paths, each with all that is below; without any, all.
  git_strarray paths;
  /// Whether files count that are not in the index.
  bool has_untracked;
  int64_t end;
};

static inline git_diff_options cgit2_options(struct cgit2_extent *_Nonnull extent) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_IGNORE_SUBMODULES |
                  GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_SKIP_BINARY_CHECK;
  if (extent->has_untracked)
    options.flags |= GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_INCLUDE_IGNORED;
  // A repository in a repository is read, if at all, by itself.
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
  options.pathspec = extent->paths;
  options.progress_cb = cgit2_check_time;
  options.payload = &extent->end;
  return options;
}

/// What of the index is not as in a tree, or in none.
static inline int cgit2_staged(git_diff *_Nullable *_Nonnull diff, git_repository *_Nonnull repository,
                               git_tree *_Nullable tree, git_index *_Nonnull index,
                               struct cgit2_extent *_Nonnull extent) {
  git_diff_options options = cgit2_options(extent);
  return git_diff_tree_to_index(diff, repository, tree, index, &options);
}

/// What of the work tree is not as in the index, which is not written.
static inline int cgit2_changed(git_diff *_Nullable *_Nonnull diff,
                                git_repository *_Nonnull repository, git_index *_Nonnull index,
                                struct cgit2_extent *_Nonnull extent) {
  git_diff_options options = cgit2_options(extent);
  return git_diff_index_to_workdir(diff, repository, index, &options);
}

#endif
