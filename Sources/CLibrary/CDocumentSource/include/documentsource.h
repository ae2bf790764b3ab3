/// documentsource.h: which application a file came from, by the attribute x-document-source.
///
///     docsource_source *source;
///     if (docsource_read("letter.txt", 0, &source, NULL) == DOCSOURCE_OK) {
///       puts(docsource_source_value(source, DOCSOURCE_IDENTIFIER, NULL));
///       docsource_source_free(source);
///     }
///
/// Rules that hold for every function:
///
/// - Handles are opaque. Who gets one frees it, with the function of its name; what it lends
///   (texts, bytes, a descriptor) is valid until then. Texts are UTF-8, except paths, and end with
///   a NUL.
/// - NULL may be given for any pointer. A handle that is NULL gives NULL, 0 or -1, or
///   DOCSOURCE_INVALID_ARGUMENT. For a handle that is not wanted NULL is given.
/// - A handle that is asked for is always set: to NULL where there is none.
/// - No argument and no content of a file ends the process. An argument that makes no sense, an
///   option that the function does not know among them, gives DOCSOURCE_INVALID_ARGUMENT. Only
///   where there is no memory left the process ends, as any does in Swift.
/// - Any thread may call any function, and several may use one handle, as long as none frees it.
///   There is no state beside the handles, but for the environment, as getenv(3) reads it.
/// - After fork(2) the child may go on; that of a process with several threads is bound to what
///   fork(2) says. A docsource_fetch belongs to the process that started it.
/// - Once it is loaded the library stays: dlclose(3) succeeds and unloads nothing, so that loading it
///   again costs nothing either.
/// - Nothing but docsource_fetch_start ever causes network traffic, and that in another process.
///   Reading and writing may wait for the file's file system.
/// - A mark is a claim of whoever wrote it, no proof of origin. Its texts may hold anything:
///   escape them before they are shown.
///
/// Functions, options and status numbers may be added, and then DOCSOURCE_ABI_MINOR grows; none is
/// changed or removed. What a later minor version than 1.0 has added says so.

#ifndef DOCUMENTSOURCE_H
#define DOCUMENTSOURCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DOCSOURCE_ABI_MAJOR 1
#define DOCSOURCE_ABI_MINOR 2

/// The ABI of the library that is running: major * 65536 + minor. The major number is also in the
/// soname.
uint32_t docsource_abi_version(void);

/// How a call ended.
typedef enum docsource_status {
  DOCSOURCE_OK = 0,
  /// The file has no document source, or there was none to be removed.
  DOCSOURCE_NO_SOURCE = 1,
  /// The attribute's value is no binary property list that can be read.
  DOCSOURCE_DAMAGED = 2,
  /// There is no such file.
  DOCSOURCE_NOT_FOUND = 3,
  /// The system does not permit it, or the file system is mounted read-only.
  DOCSOURCE_NOT_PERMITTED = 4,
  /// The file system, or a file of this kind, stores no user attributes.
  DOCSOURCE_NOT_SUPPORTED = 5,
  /// The file system has no room for the value.
  DOCSOURCE_NO_SPACE = 6,
  /// A value that must not be written, or nothing would be left to be written.
  DOCSOURCE_REFUSED = 7,
  /// An argument makes no sense.
  DOCSOURCE_INVALID_ARGUMENT = 8,
  /// The system reported another error: see docsource_error_number.
  DOCSOURCE_SYSTEM_ERROR = 9,
  /// There is no icon.
  DOCSOURCE_NO_ICON = 10,
  /// It has not ended yet.
  DOCSOURCE_RUNNING = 11,
  /// It was ended by docsource_fetch_cancel.
  DOCSOURCE_CANCELLED = 12,
  /// The icon could not be fetched.
  DOCSOURCE_FETCH_FAILED = 13,
  /// The program docsource-fetch is not installed.
  DOCSOURCE_NOT_INSTALLED = 14
} docsource_status;

/// The status in English words; it lives as long as the library. Never NULL.
const char *docsource_status_text(int status);

/// What is to be different from the usual; several are joined with `|`.
typedef enum docsource_option {
  /// read, write, remove: a symbolic link named last is meant itself, not what it points to.
  DOCSOURCE_NO_FOLLOW = 1 << 0,
  /// write: what the file has so far is thrown away, be it damaged or not, keys that are not ours
  /// included. Otherwise what is not mentioned is kept.
  DOCSOURCE_REPLACE = 1 << 1,
  /// write: app_info_url may have another scheme than https.
  DOCSOURCE_ANY_URL = 1 << 2,
  /// icon_find, fetch_start: the picture as it is, not cut to the outline of an iOS icon.
  DOCSOURCE_NO_OUTLINE = 1 << 3,
  /// icon_find, fetch_start: no hairline along the outline.
  DOCSOURCE_NO_STROKE = 1 << 4,
  /// fetch_start: no network; a picture in the cache is scaled and cut.
  DOCSOURCE_OFFLINE = 1 << 5,
  /// fetch_start: the server is asked even if the cache suffices.
  DOCSOURCE_REFRESH = 1 << 6,
  /// write: name, path and URL stay even where another identifier is written. ABI 1.2.
  DOCSOURCE_KEEP_OTHER_FIELDS = 1 << 7
} docsource_option;

/// Why a call failed, or gave nothing.
typedef struct docsource_error docsource_error;

/// The status that the call returned.
docsource_status docsource_error_status(const docsource_error *error);
/// What was tried, why it failed and what would help, in English words that follow the file's name.
/// Options that they name are those of the command line: --replace is DOCSOURCE_REPLACE, and
/// --insecure-url is DOCSOURCE_ANY_URL.
const char *docsource_error_message(const docsource_error *error);
/// The error number of the system, as errno(3) has it; 0 where it was not the system that failed.
int docsource_error_number(const docsource_error *error);
/// Of a damaged value: what is wrong with it. NULL for any other error.
const char *docsource_error_reason(const docsource_error *error);
/// Of a damaged value: the offset of the byte that is wrong, or of the object that is. Otherwise
/// -1.
int64_t docsource_error_offset(const docsource_error *error);
/// Of a value that is damaged or holds no source: the name of the attribute it stands in. Otherwise
/// NULL.
const char *docsource_error_carrier(const docsource_error *error);
void docsource_error_free(docsource_error *error);

/// What a file says about where it came from: at least one of the four values.
typedef struct docsource_source docsource_source;

/// One of the four values.
typedef enum docsource_field {
  /// The application's reverse-DNS identifier: com.appliedphasor.working-copy
  DOCSOURCE_IDENTIFIER = 0,
  /// The application's name for people: Working Copy
  DOCSOURCE_NAME = 1,
  /// The document's path inside the application.
  DOCSOURCE_PATH = 2,
  /// An https URL of JSON that lists the application's icons.
  DOCSOURCE_APP_INFO_URL = 3
} docsource_field;

/// Reads the document source of a file.
///
/// The native attribute comes first; where it is missing or empty, the stream that Samba keeps for
/// SMB clients. The corresponding C functions are getxattr(2) and lgetxattr(2).
docsource_status docsource_read(const char *path, unsigned int options, docsource_source **source,
                                docsource_error **error);
/// Reads that of an open file; a descriptor that was opened with O_PATH does not do.
docsource_status docsource_read_fd(int descriptor, unsigned int options, docsource_source **source,
                                   docsource_error **error);
/// Reads that of a file in an open directory, so that nobody can swap a component of its path in
/// between. `directory` may be AT_FDCWD. With DOCSOURCE_NO_FOLLOW nothing is opened on Linux 6.13
/// or later.
docsource_status docsource_read_at(int directory, const char *name, unsigned int options,
                                   docsource_source **source, docsource_error **error);

/// One of the values, or NULL where the file has none.
///
/// Its length in bytes, without the NUL behind it, is put into `length`. A stranger's value may
/// hold a NUL, and ends there for who does not look at the length.
const char *docsource_source_value(const docsource_source *source, docsource_field field,
                                   size_t *length);
/// The name of the attribute that was read: user.x-document-source, or that of Samba's stream.
const char *docsource_source_carrier(const docsource_source *source);
void docsource_source_free(docsource_source *source);

/// Values to be written, in UTF-8. NULL leaves what the file has, an empty text removes it. Where the
/// file has another identifier than the one that is written, letters' case apart, NULL removes the
/// name, the path and the URL, which are that application's, but for DOCSOURCE_KEEP_OTHER_FIELDS.
typedef struct docsource_values {
  const char *identifier;
  const char *name;
  const char *path;
  const char *app_info_url;
} docsource_values;

/// Writes a file's document source in one step: another reader sees the old one or the new.
///
/// Nothing else of the file changes, nor do keys of the value that are not ours. Where the file
/// carries Samba's stream that is written, too. Nothing is written where nothing would change.
/// The corresponding C functions are setxattr(2) and lsetxattr(2).
docsource_status docsource_write(const char *path, unsigned int options,
                                 const docsource_values *values, docsource_error **error);
/// Writes that of an open file; a descriptor for reading is enough.
docsource_status docsource_write_fd(int descriptor, unsigned int options,
                                    const docsource_values *values, docsource_error **error);
/// Writes that of a file in an open directory.
docsource_status docsource_write_at(int directory, const char *name, unsigned int options,
                                    const docsource_values *values, docsource_error **error);

/// Removes a file's document source in every form; DOCSOURCE_NO_SOURCE where it had none.
docsource_status docsource_remove(const char *path, unsigned int options, docsource_error **error);
docsource_status docsource_remove_fd(int descriptor, unsigned int options, docsource_error **error);
docsource_status docsource_remove_at(int directory, const char *name, unsigned int options,
                                     docsource_error **error);

/// All that says where a file came from: what browsers, macOS, Windows, mail programs and others
/// have left on it or beside it, our attribute in every form among them. ABI 1.1.
///
/// It is what 'docsource trace --no-recent' tells: the desktop's list of recently used files is
/// XML, which no library should read inside another's process.
typedef struct docsource_report docsource_report;

/// What a mark may say something about.
typedef enum docsource_subject {
  /// The application that the file came from, by its identifier.
  DOCSOURCE_ABOUT_IDENTIFIER = 0,
  /// The same by its name.
  DOCSOURCE_ABOUT_NAME = 1,
  /// The document's path inside that application.
  DOCSOURCE_ABOUT_PATH = 2,
  /// The application that made the file.
  DOCSOURCE_ABOUT_CREATOR = 3,
  /// The URL that it was downloaded from.
  DOCSOURCE_ABOUT_URL = 4,
  /// The page where the link stood.
  DOCSOURCE_ABOUT_REFERRER = 5,
  /// Who sent it by mail or AirDrop.
  DOCSOURCE_ABOUT_SENDER = 6,
  /// The program that downloaded it.
  DOCSOURCE_ABOUT_AGENT = 7,
  /// When it was downloaded: 2020-11-12T12:27:26Z
  DOCSOURCE_ABOUT_DOWNLOADED = 8,
  /// Where Windows takes it to be from: local machine, local intranet, trusted sites, Internet or
  /// restricted sites.
  DOCSOURCE_ABOUT_ZONE = 9
} docsource_subject;

/// How far a mark is to be trusted. None proves anything.
typedef enum docsource_trust {
  /// It stands on the file itself: a claim of whoever could write the file, or has sent it.
  DOCSOURCE_TRUST_CLAIM = 0,
  /// It stands in another file, which may have been left by a former file of that name.
  DOCSOURCE_TRUST_BESIDE = 1,
  /// It stands in a file that belongs to a third user.
  DOCSOURCE_TRUST_FOREIGN = 2,
  /// A program of this user has recorded it. No function tells of such marks yet.
  DOCSOURCE_TRUST_RECORD = 3
} docsource_trust;

/// Reads all marks of a file: DOCSOURCE_OK, also where it has none. ABI 1.1, as all that follows.
///
/// Attributes are read, and files beside it where Macs, Samba and NTFS leave them. What of that
/// cannot be read does not fail the call: see docsource_report_is_complete.
docsource_status docsource_report_read(const char *path, unsigned int options,
                                       docsource_report **report, docsource_error **error);
/// Reads those of an open file; a descriptor that was opened with O_PATH does not do.
docsource_status docsource_report_read_fd(int descriptor, unsigned int options,
                                          docsource_report **report, docsource_error **error);
/// Reads those of a file in an open directory.
docsource_status docsource_report_read_at(int directory, const char *name, unsigned int options,
                                          docsource_report **report, docsource_error **error);

/// The short answer about a subject, or NULL where no mark says anything: that of the mark that
/// counts most, one on the file itself before one beside it. Marks in files of third users never
/// count.
///
/// Its length in bytes is put into `length`, as docsource_source_value does.
const char *docsource_report_value(const docsource_report *report, docsource_subject subject,
                                   size_t *length);
/// Which mark gives that answer; -1 where none does.
int64_t docsource_report_mark(const docsource_report *report, docsource_subject subject);
/// Whether marks say of a subject what cannot all be true: 1 or 0.
int docsource_report_is_contradictory(const docsource_report *report, docsource_subject subject);
/// Whether all that may bear marks could be read: 1 or 0.
int docsource_report_is_complete(const docsource_report *report);

/// How many marks there are. They are counted from 0, and what is asked of another gives NULL, 0 or
/// -1.
size_t docsource_report_count(const docsource_report *report);
/// What a mark is called on its own system: com.apple.quarantine, Zone.Identifier.
const char *docsource_report_mark_name(const docsource_report *report, size_t mark);
/// What kind of place it stands in, as 'docsource trace --json' says it: attribute, sambaStream,
/// hfsplus, appleDouble, macArchive, netatalk, sambaDepot, stream or sibling. There may be others
/// one day.
const char *docsource_report_mark_form(const docsource_report *report, size_t mark);
/// Where it stands: the attribute's name, or the path of a file from the marked file's directory
/// on, and where that holds several, `:` and the mark's name. Bytes in no particular encoding.
const char *docsource_report_mark_carrier(const docsource_report *report, size_t mark);
docsource_trust docsource_report_mark_trust(const docsource_report *report, size_t mark);
/// What it says about a subject, as docsource_report_value.
const char *docsource_report_mark_value(const docsource_report *report, size_t mark,
                                        docsource_subject subject, size_t *length);
/// Why it says nothing, in English words: it is empty or damaged, or the system refuses it. NULL
/// where it can be read.
const char *docsource_report_mark_failure(const docsource_report *report, size_t mark);
/// Of a damaged one: the offset of the byte that is wrong. Otherwise -1.
int64_t docsource_report_mark_offset(const docsource_report *report, size_t mark);
/// The bytes as they stand in its place, and how many in `size`. NULL where there are none.
const void *docsource_report_mark_bytes(const docsource_report *report, size_t mark, size_t *size);
void docsource_report_free(docsource_report *report);

/// What there is of an application's icon without the network.
typedef struct docsource_icon docsource_icon;

/// Where an icon comes from, the first of these that has one.
typedef enum docsource_origin {
  DOCSOURCE_ORIGIN_NONE = 0,
  /// The user has chosen it.
  DOCSOURCE_ORIGIN_OVERRIDE = 1,
  /// The application's, from its app_info_url, kept in the cache.
  DOCSOURCE_ORIGIN_REMOTE = 2,
  /// The icon theme's for the application.
  DOCSOURCE_ORIGIN_THEME = 3,
  /// An AppStream catalog's or a flatpak remote's.
  DOCSOURCE_ORIGIN_CATALOG = 4,
  /// One for any document.
  DOCSOURCE_ORIGIN_GENERIC = 5
} docsource_origin;

/// Finds an application's icon without the network: DOCSOURCE_OK, or DOCSOURCE_NO_ICON.
///
/// Identifier and URL are those of a document source; either may be NULL. The size is in points,
/// the scale in pixels a point; together they make 1 to 1024 pixels. The handle is there in both
/// cases, to say whether fetching would help. Where the answer is the icon theme's to give, a
/// thousand files may be looked for, which takes milliseconds: who shows many files remembers it.
docsource_status docsource_icon_find(const char *identifier, const char *app_info_url,
                                     double points, double scale, unsigned int options,
                                     docsource_icon **icon, docsource_error **error);
/// The path of the icon's file, a PNG or an SVG; NULL where there is none. Bytes in no particular
/// encoding.
const char *docsource_icon_path(const docsource_icon *icon);
docsource_origin docsource_icon_origin(const docsource_icon *icon);
/// Whether docsource_fetch_start with the same arguments may bring an icon, or a better one.
///
/// 0 also where the last attempt was too recent, and where the URL's host is not among those that
/// the user trusts ('docsource icon trust').
int docsource_icon_is_fetchable(const docsource_icon *icon);
void docsource_icon_free(docsource_icon *icon);

/// An icon on its way into the user's cache, by the program docsource-fetch.
///
/// It asks only hosts that the user trusts and ends by itself, after 15 seconds at most and what
/// the picture takes. It is a child of the process, of which only these functions wait, by its
/// descriptor. Handlers and masks of signals are left alone. Should the process wait for any child,
/// or ignore SIGCHLD, its result is told by what it has said.
typedef struct docsource_fetch docsource_fetch;

/// Starts fetching an icon, and does not wait for it.
///
/// The program is looked for beside the library, and in libexec/docsource beside the directory of
/// the library or the one above.
docsource_status docsource_fetch_start(const char *app_info_url, double points, double scale,
                                       unsigned int options, docsource_fetch **fetch,
                                       docsource_error **error);
/// A descriptor for poll(2): it can be read (POLLIN) once the program has ended. It belongs to the
/// handle and is not to be closed. -1 for NULL.
int docsource_fetch_descriptor(const docsource_fetch *fetch);
/// How it ended, without waiting: DOCSOURCE_RUNNING until it has.
///
/// DOCSOURCE_OK: docsource_icon_find has the icon now, or docsource_fetch_picture.
/// DOCSOURCE_NO_ICON, DOCSOURCE_FETCH_FAILED: the error says why. DOCSOURCE_CANCELLED.
docsource_status docsource_fetch_result(docsource_fetch *fetch, docsource_error **error);
/// The finished PNG, where the server forbids keeping it, with its size in bytes in `size`; NULL
/// where it is in the cache, there is none, or docsource_fetch_result has not told its end.
const void *docsource_fetch_picture(docsource_fetch *fetch, size_t *size);
/// Ends the program. The descriptor tells when it has.
void docsource_fetch_cancel(docsource_fetch *fetch);
/// Ends the program where it has not ended, and waits for that.
void docsource_fetch_free(docsource_fetch *fetch);

#ifdef __cplusplus
}
#endif

#endif
