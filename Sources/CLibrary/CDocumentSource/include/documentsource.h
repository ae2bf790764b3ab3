/// documentsource.h: read and write which application a file came from (the extended attribute
/// x-document-source).
///
///     docsource_source *source;
///     if (docsource_read("letter.txt", 0, &source, NULL) == DOCSOURCE_OK) {
///       puts(docsource_source_value(source, DOCSOURCE_IDENTIFIER, NULL));
///       docsource_source_free(source);
///     }
///
/// Rules that hold for every function:
///
/// - Handles are opaque. The caller that receives a handle frees it with the matching function. The
///   texts, bytes and descriptors of a handle stay valid until the handle is freed. Texts end with
///   a NUL; all texts except paths are UTF-8.
/// - Every pointer argument may be NULL. A function that gets a NULL handle returns NULL, 0, -1 or
///   DOCSOURCE_INVALID_ARGUMENT. Pass NULL for a result handle that you do not need.
/// - A function always sets the result handles that the caller asks for, to NULL if there is no
///   result.
/// - No argument and no file content terminates the process. Invalid arguments, including options
///   that a function does not support, return DOCSOURCE_INVALID_ARGUMENT. The process terminates
///   only when memory runs out, as in any Swift program.
/// - Any thread may call any function. Several threads may use the same handle as long as none of
///   them frees the handle. The library has no state besides the handles and reads the environment
///   as getenv(3) does.
/// - After fork(2), the child process may use the library. If the parent process has several
///   threads, the restrictions of fork(2) apply. A docsource_fetch belongs to the process that
///   started the fetch.
/// - The library stays in memory: dlclose(3) succeeds but does not unload the library,
///   so loading the library again costs nothing.
/// - Only docsource_fetch_start causes network traffic, in a separate process. Reading and writing
///   may wait for the file system.
/// - A mark is a claim by whoever wrote the mark, not proof of origin. The texts of a mark may
///   contain anything: escape them before showing them.
///
/// Later versions may add functions, options and status numbers, which increases
/// DOCSOURCE_ABI_MINOR. Later versions never change or remove any. Additions after ABI 1.0 name the
/// version that added them.

#ifndef DOCUMENTSOURCE_H
#define DOCUMENTSOURCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DOCSOURCE_ABI_MAJOR 1
#define DOCSOURCE_ABI_MINOR 9

/// The ABI version of the loaded library: major * 65536 + minor. The soname contains the major
/// number.
uint32_t docsource_abi_version(void);

/// The result of a call.
typedef enum docsource_status {
  DOCSOURCE_OK = 0,
  /// The file has no document source, or had none to remove.
  DOCSOURCE_NO_SOURCE = 1,
  /// The value of the attribute is not a readable binary property list.
  DOCSOURCE_DAMAGED = 2,
  /// The file does not exist.
  DOCSOURCE_NOT_FOUND = 3,
  /// The system denies the operation, or the file system is mounted read-only.
  DOCSOURCE_NOT_PERMITTED = 4,
  /// The file system, or this type of file, does not store user attributes.
  DOCSOURCE_NOT_SUPPORTED = 5,
  /// The file system has no space for the value.
  DOCSOURCE_NO_SPACE = 6,
  /// A value must not be written, or the write would leave no value.
  DOCSOURCE_REFUSED = 7,
  /// An argument is invalid.
  DOCSOURCE_INVALID_ARGUMENT = 8,
  /// The system reported another error: see docsource_error_number.
  DOCSOURCE_SYSTEM_ERROR = 9,
  /// There is no icon.
  DOCSOURCE_NO_ICON = 10,
  /// The fetch is still running.
  DOCSOURCE_RUNNING = 11,
  /// docsource_fetch_cancel ended the fetch.
  DOCSOURCE_CANCELLED = 12,
  /// The icon could not be fetched.
  DOCSOURCE_FETCH_FAILED = 13,
  /// The program docsource-fetch is not installed.
  DOCSOURCE_NOT_INSTALLED = 14
} docsource_status;

/// The status as English text. Never NULL; valid as long as the library is loaded.
const char *docsource_status_text(int status);

/// Options that change the default behavior; combine several with `|`.
typedef enum docsource_option {
  /// read, write, remove: if the last component of the path is a symbolic link, use the link
  /// itself, not its target.
  DOCSOURCE_NO_FOLLOW = 1 << 0,
  /// write: discard the old value, damaged or not, including keys of other programs. Without this
  /// option, values and keys that are not given stay as they are.
  DOCSOURCE_REPLACE = 1 << 1,
  /// write: allow an app_info_url with a scheme other than https.
  DOCSOURCE_ANY_URL = 1 << 2,
  /// icon_find, fetch_start: the picture as it is, not clipped to the outline of an iOS icon.
  DOCSOURCE_NO_OUTLINE = 1 << 3,
  /// icon_find, fetch_start: no hairline along the outline.
  DOCSOURCE_NO_STROKE = 1 << 4,
  /// fetch_start: do not use the network; scale and clip a picture from the cache.
  DOCSOURCE_OFFLINE = 1 << 5,
  /// fetch_start: ask the server even if the cache has the icon.
  DOCSOURCE_REFRESH = 1 << 6,
  /// write: keep name, path and URL even if the identifier changes. ABI 1.2.
  DOCSOURCE_KEEP_OTHER_FIELDS = 1 << 7,
  /// report_read: also the download that a browser of this user has recorded, ABI 1.5; and the package that
  /// a package manager has installed the file with, ABI 1.7.
  DOCSOURCE_RECORDS = 1 << 8,
  /// report_read: also the program and the device that the content names. ABI 1.6.
  DOCSOURCE_EMBEDDED = 1 << 9
} docsource_option;

/// Why a call failed or found nothing.
typedef struct docsource_error docsource_error;

/// The status that the call returned.
docsource_status docsource_error_status(const docsource_error *error);
/// What failed, why, and which option may help, as English text to show after the name of the file.
const char *docsource_error_message(const docsource_error *error);
/// The error number of the failed system call, as in errno(3); 0 for any other error.
int docsource_error_number(const docsource_error *error);
/// For a damaged value, what is wrong with the value. NULL for any other error.
const char *docsource_error_reason(const docsource_error *error);
/// For a damaged value, the offset of the wrong byte or object. -1 for any other error.
int64_t docsource_error_offset(const docsource_error *error);
/// For a value that is damaged or has no document source, the name of its attribute. NULL for any
/// other error.
const char *docsource_error_carrier(const docsource_error *error);
void docsource_error_free(docsource_error *error);

/// The document source of a file: where the file came from. Has at least one of the four values.
typedef struct docsource_source docsource_source;

/// One of the four values.
typedef enum docsource_field {
  /// The application's reverse-DNS identifier: com.appliedphasor.working-copy
  DOCSOURCE_IDENTIFIER = 0,
  /// The display name of the application: Working Copy
  DOCSOURCE_NAME = 1,
  /// The path of the document inside the application.
  DOCSOURCE_PATH = 2,
  /// The https URL of a JSON file that lists the icons of the application.
  DOCSOURCE_APP_INFO_URL = 3
} docsource_field;

/// Reads the document source of a file.
///
/// Reads the native attribute or, if that is missing or empty, the stream that Samba keeps for SMB
/// clients. The corresponding C functions are getxattr(2) and lgetxattr(2). A value in XML, which is
/// rare, is read, too.
docsource_status docsource_read(const char *path, unsigned int options, docsource_source **source,
                                docsource_error **error);
/// Reads the document source of an open file. Descriptors opened with O_PATH do not work.
docsource_status docsource_read_fd(int descriptor, unsigned int options, docsource_source **source,
                                   docsource_error **error);
/// Reads the document source of a file in an open directory, so that no other process can replace a
/// component of the path in the meantime. `directory` may be AT_FDCWD. With DOCSOURCE_NO_FOLLOW on
/// Linux 6.13 or later, the function opens no file.
docsource_status docsource_read_at(int directory, const char *name, unsigned int options,
                                   docsource_source **source, docsource_error **error);

/// One of the values, or NULL if the file does not have this value.
///
/// Stores the length in bytes, without the terminating NUL, in `length`. Values written by other
/// programs may contain a NUL: use the length to read the whole value.
const char *docsource_source_value(const docsource_source *source, docsource_field field,
                                   size_t *length);
/// The name of the attribute that was read: user.x-document-source or the name of Samba's stream.
const char *docsource_source_carrier(const docsource_source *source);
void docsource_source_free(docsource_source *source);

/// Values to write, in UTF-8. NULL keeps the value of the file; an empty text removes the value. If
/// the file has no identifier or another one than the new (ignoring case), NULL removes name,
/// path and URL, because they belong to the old application, unless DOCSOURCE_KEEP_OTHER_FIELDS is
/// given.
typedef struct docsource_values {
  const char *identifier;
  const char *name;
  const char *path;
  const char *app_info_url;
} docsource_values;

/// Writes the document source of a file atomically: readers see either the old or the new value.
///
/// Nothing else in the file changes, and neither do keys of other programs in the value. If the
/// file has Samba's stream, the function updates the stream too. If nothing would change, the
/// function writes nothing.
/// The corresponding C functions are setxattr(2) and lsetxattr(2).
docsource_status docsource_write(const char *path, unsigned int options,
                                 const docsource_values *values, docsource_error **error);
/// Writes the document source of an open file. A descriptor opened for reading is sufficient.
docsource_status docsource_write_fd(int descriptor, unsigned int options,
                                    const docsource_values *values, docsource_error **error);
/// Writes the document source of a file in an open directory.
docsource_status docsource_write_at(int directory, const char *name, unsigned int options,
                                    const docsource_values *values, docsource_error **error);

/// Removes the document source of a file in every form. Returns DOCSOURCE_NO_SOURCE if there was
/// none.
docsource_status docsource_remove(const char *path, unsigned int options, docsource_error **error);
docsource_status docsource_remove_fd(int descriptor, unsigned int options, docsource_error **error);
docsource_status docsource_remove_at(int directory, const char *name, unsigned int options,
                                     docsource_error **error);

/// All marks that say where a file came from: the document source in every form, and what browsers,
/// macOS, Windows, mail programs and others left on the file or in files beside it. ABI 1.1.
///
/// A report has the same content as 'docsource trace --no-recent --no-records --no-embedded'; without
/// the second of these, except for what the desktop has recorded, with DOCSOURCE_RECORDS; without the third
/// with DOCSOURCE_EMBEDDED. The desktop's list of recently used files is XML, which the library does not
/// parse inside the process of its caller.
typedef struct docsource_report docsource_report;

/// What a mark can describe.
typedef enum docsource_subject {
  /// The identifier of the application that the file came from.
  DOCSOURCE_ABOUT_IDENTIFIER = 0,
  /// The name of that application.
  DOCSOURCE_ABOUT_NAME = 1,
  /// The path of the document inside that application.
  DOCSOURCE_ABOUT_PATH = 2,
  /// The application that made the file.
  DOCSOURCE_ABOUT_CREATOR = 3,
  /// The URL that the file was downloaded from.
  DOCSOURCE_ABOUT_URL = 4,
  /// The page that contained the link.
  DOCSOURCE_ABOUT_REFERRER = 5,
  /// Who sent the file by mail or AirDrop.
  DOCSOURCE_ABOUT_SENDER = 6,
  /// The program that downloaded the file.
  DOCSOURCE_ABOUT_AGENT = 7,
  /// When the file was downloaded: 2020-11-12T12:27:26Z
  DOCSOURCE_ABOUT_DOWNLOADED = 8,
  /// The security zone of Windows: local machine, local intranet, trusted sites, Internet or
  /// restricted sites.
  DOCSOURCE_ABOUT_ZONE = 9,
  /// When 'docsource watch' tagged the file by itself: 2026-11-27T15:00:00Z. No value if somebody
  /// tagged it. ABI 1.4.
  DOCSOURCE_ABOUT_TAGGED_BY_WATCH = 10,
  /// The program that wrote the content, with its version, as the content names it. Only with
  /// DOCSOURCE_EMBEDDED. ABI 1.6.
  DOCSOURCE_ABOUT_PROGRAM = 11,
  /// The camera or phone that recorded the content, likewise. ABI 1.6.
  DOCSOURCE_ABOUT_DEVICE = 12,
  /// The package that has installed the file, with its version. Only with DOCSOURCE_RECORDS. ABI 1.7.
  DOCSOURCE_ABOUT_PACKAGE = 13
} docsource_subject;

/// How far to trust a mark. No mark but a witnessed one proves anything.
typedef enum docsource_trust {
  /// On the file itself: a claim by anyone who could write the file or who sent the file.
  DOCSOURCE_TRUST_CLAIM = 0,
  /// In another file, which may belong to an earlier file of the same name.
  DOCSOURCE_TRUST_BESIDE = 1,
  /// In a file that belongs to another user: neither this user, the owner of the marked file nor
  /// root.
  DOCSOURCE_TRUST_FOREIGN = 2,
  /// Recorded by a program of this user, or by one that installs packages, by the path of the file or, as
  /// likely, by its size and time. Only with DOCSOURCE_RECORDS.
  DOCSOURCE_TRUST_RECORD = 3,
  /// In the content: a program or a device names itself, unless whoever wrote the file has named
  /// another. Only with DOCSOURCE_EMBEDDED. ABI 1.6.
  DOCSOURCE_TRUST_EMBEDDED = 4,
  /// Seen by a process of root, 'docsource watch --witness', while the file was written, and recorded where
  /// only root can write. If the file has changed since, the mark says nothing. ABI 1.8.
  DOCSOURCE_TRUST_WITNESSED = 5
} docsource_trust;

/// Reads all marks of a file. Returns DOCSOURCE_OK even if the file has none. ABI 1.1, like the
/// other functions for reports.
///
/// Reads the attributes of the file, and the files in which Macs, Samba and NTFS keep marks. If a
/// carrier of marks cannot be read, the call succeeds: see docsource_report_is_complete.
///
/// With DOCSOURCE_RECORDS, starts docsource-records, which reads the databases of browsers, while
/// these run or not: mostly 20 ms, at most 1.5 s; and again for those of package managers, if one may have
/// the file: mostly 50 ms, at most 2 s. Without that program the report is not complete.
/// With DOCSOURCE_EMBEDDED, starts docsource-content, which has exiftool read the content in a sandbox:
/// mostly 200 ms, at most 2 s. Where exiftool is not installed, or cannot be confined, the content says
/// nothing, and the report is complete.
docsource_status docsource_report_read(const char *path, unsigned int options,
                                       docsource_report **report, docsource_error **error);
/// Reads all marks of an open file. Descriptors opened with O_PATH do not work.
docsource_status docsource_report_read_fd(int descriptor, unsigned int options,
                                          docsource_report **report, docsource_error **error);
/// Reads all marks of a file in an open directory.
docsource_status docsource_report_read_at(int directory, const char *name, unsigned int options,
                                          docsource_report **report, docsource_error **error);
/// 1 if a report may have more than the document source that docsource_read gives: if the file has
/// another attribute that is a mark, or if a file is where marks of this one can be. Otherwise 0, and
/// no mark contradicts the document source. ABI 1.9.
///
/// For lists of many files: takes half the time of docsource_report_read, since only the names of what
/// may hold marks are asked for. The answer does not include what DOCSOURCE_RECORDS and
/// DOCSOURCE_EMBEDDED add. There are no errors: the answer is also 1 for a file that is missing or
/// cannot be asked for, and for invalid arguments; docsource_report_read then gives the error. The
/// corresponding C functions are listxattr(2) and fstatat(2).
int docsource_may_have_more(const char *path, unsigned int options);
int docsource_may_have_more_fd(int descriptor, unsigned int options);
int docsource_may_have_more_at(int directory, const char *name, unsigned int options);

/// The short answer about a subject: the value of the mark that takes precedence, or NULL if no
/// mark has a value. Marks on the file itself take precedence over marks in other files. Marks in
/// files of other users (DOCSOURCE_TRUST_FOREIGN) never count.
///
/// Stores the length in bytes in `length`, as docsource_source_value does.
const char *docsource_report_value(const docsource_report *report, docsource_subject subject,
                                   size_t *length);
/// The number of the mark with the short answer; -1 if there is none.
int64_t docsource_report_mark(const docsource_report *report, docsource_subject subject);
/// 1 if marks contradict each other about a subject, otherwise 0.
int docsource_report_is_contradictory(const docsource_report *report, docsource_subject subject);
/// A part of the short answer: what 'docsource trace' prints first, for programs that put it in the
/// words of their users. ABI 1.3.
typedef enum docsource_part {
  /// There is no such part.
  DOCSOURCE_PART_NONE = 0,
  /// The application that the file came from.
  DOCSOURCE_PART_APPLICATION = 1,
  /// The application that made the file.
  DOCSOURCE_PART_CREATOR = 2,
  /// A download; the origin is a host. Without an origin, the host is not known.
  DOCSOURCE_PART_DOWNLOAD = 3,
  /// A mail or an AirDrop; the origin is the sender.
  DOCSOURCE_PART_MESSAGE = 4,
  /// The host of the page that contained the link.
  DOCSOURCE_PART_PAGE = 5,
  /// A program wrote the file; no mark says that the file was downloaded.
  DOCSOURCE_PART_WRITING = 6,
  /// The security zone of Windows, in the words of DOCSOURCE_ABOUT_ZONE. Always the only part.
  DOCSOURCE_PART_ZONE = 7,
  /// As DOCSOURCE_PART_DOWNLOAD, but likely only: a browser has downloaded a file of the same size at
  /// the time when this file was written, or to the same path at another time. Only with
  /// DOCSOURCE_RECORDS. ABI 1.5.
  DOCSOURCE_PART_LIKELY_DOWNLOAD = 8,
  /// The program that wrote the content, as the content names it. Only with DOCSOURCE_EMBEDDED.
  /// ABI 1.6.
  DOCSOURCE_PART_PROGRAM = 9,
  /// The camera or phone that recorded the content, likewise. ABI 1.6.
  DOCSOURCE_PART_DEVICE = 10,
  /// The package that has installed the file, with its version, where nothing else says where the file
  /// came from. Only with DOCSOURCE_RECORDS. ABI 1.7.
  DOCSOURCE_PART_PACKAGE = 11
} docsource_part;

/// The number of parts of the short answer; 0 if no mark says where the file came from. Parts are
/// numbered from 0 in the order in which to show them; functions return DOCSOURCE_PART_NONE or NULL
/// for any other number. ABI 1.3, like the other functions for parts.
size_t docsource_report_part_count(const docsource_report *report);
docsource_part docsource_report_part_kind(const docsource_report *report, size_t part);
/// The application, host, sender, package or zone. NULL if it is not known.
const char *docsource_report_part_origin(const docsource_report *report, size_t part,
                                         size_t *length);
/// The program that downloaded or wrote the file. NULL if it is not known.
const char *docsource_report_part_program(const docsource_report *report, size_t part,
                                          size_t *length);
/// When: 2020-11-12T12:27:26Z. NULL if it is not known.
const char *docsource_report_part_time(const docsource_report *report, size_t part);
/// 1 if marks contradict each other, not counting those in files of other users, otherwise 0.
int docsource_report_is_doubtful(const docsource_report *report);
/// 1 if a process of root saw the application that the document source names write the file, and the
/// file has not changed since, otherwise 0: see DOCSOURCE_TRUST_WITNESSED. ABI 1.9.
int docsource_report_is_witnessed(const docsource_report *report);
/// 1 if every possible carrier of marks could be read, otherwise 0.
int docsource_report_is_complete(const docsource_report *report);

/// The number of marks. Marks are numbered from 0; functions return NULL, 0 or -1 for any other
/// number.
size_t docsource_report_count(const docsource_report *report);
/// The name of a mark on its own system: com.apple.quarantine, Zone.Identifier.
const char *docsource_report_mark_name(const docsource_report *report, size_t mark);
/// The kind of carrier, as in 'docsource trace --json': attribute, sambaStream, hfsplus,
/// appleDouble, macArchive, netatalk, sambaDepot, stream, sibling or, with DOCSOURCE_RECORDS, browser,
/// with DOCSOURCE_EMBEDDED, content.
/// Later versions may add others.
const char *docsource_report_mark_form(const docsource_report *report, size_t mark);
/// The carrier: the name of an attribute, or the path of a file relative to the directory of the
/// marked file, or that of a browser's database. If the file holds several marks, `:` and the name of
/// the mark follow. Bytes in no particular encoding.
const char *docsource_report_mark_carrier(const docsource_report *report, size_t mark);
docsource_trust docsource_report_mark_trust(const docsource_report *report, size_t mark);
/// What a mark says about a subject, like docsource_report_value.
const char *docsource_report_mark_value(const docsource_report *report, size_t mark,
                                        docsource_subject subject, size_t *length);
/// Why a mark has no value, as English text: the mark is empty or damaged, or the system refuses to
/// read the mark. NULL if the mark is readable.
const char *docsource_report_mark_failure(const docsource_report *report, size_t mark);
/// For a damaged mark, the offset of the wrong byte. Otherwise -1.
int64_t docsource_report_mark_offset(const docsource_report *report, size_t mark);
/// The unchanged bytes of a mark, with their number in `size`. NULL if there are none.
const void *docsource_report_mark_bytes(const docsource_report *report, size_t mark, size_t *size);
void docsource_report_free(docsource_report *report);

/// A share item: what the app that handed a document over said of it. ABI 1.3, like the other
/// functions for items.
typedef struct docsource_item docsource_item;

/// One of the texts of an item. URLs are absolute.
typedef enum docsource_item_field {
  DOCSOURCE_ITEM_TITLE = 0,
  /// What the app wants to be said with the document.
  DOCSOURCE_ITEM_CONTENT_TEXT = 1,
  /// Where the content came from.
  DOCSOURCE_ITEM_SOURCE_URL = 2,
  /// The app that handed the document over.
  DOCSOURCE_ITEM_REFERRER_NAME = 3,
  DOCSOURCE_ITEM_REFERRER_APP_STORE_ID = 4,
  DOCSOURCE_ITEM_REFERRER_GOOGLE_PLAY_ID = 5,
  DOCSOURCE_ITEM_REFERRER_WEB_URL = 6,
  DOCSOURCE_ITEM_REFERRER_IOS_APP_URL = 7,
  DOCSOURCE_ITEM_REFERRER_ANDROID_APP_URL = 8
} docsource_item_field;

/// Reads the item of a file: the attribute user.x-extension-item, and for what it does not say the
/// attributes of freedesktop.org, as 'docsource item show' lists them. Returns DOCSOURCE_NO_SOURCE
/// if the file has none of them, and DOCSOURCE_DAMAGED if the item is damaged. Such an item has no
/// attachments.
docsource_status docsource_item_read(const char *path, unsigned int options,
                                     docsource_item **item, docsource_error **error);
/// Reads the item of an open file. Descriptors opened with O_PATH do not work.
docsource_status docsource_item_read_fd(int descriptor, unsigned int options,
                                        docsource_item **item, docsource_error **error);
/// Reads the item of a file in an open directory.
docsource_status docsource_item_read_at(int directory, const char *name, unsigned int options,
                                        docsource_item **item, docsource_error **error);
/// Reads an item in its exchange format (.xei), a binary property list. Returns DOCSOURCE_OK or
/// DOCSOURCE_DAMAGED. The bytes are copied. There is no limit of their number here: whoever reads them
/// from a file refuses a large one before, as docsource does beyond 64 MiB.
docsource_status docsource_item_parse(const void *bytes, size_t size, docsource_item **item,
                                      docsource_error **error);
/// A text of an item; NULL if the item does not have it, or has another type in its place.
///
/// Stores the length in bytes in `length`, as docsource_source_value does.
const char *docsource_item_value(const docsource_item *item, docsource_item_field field,
                                 size_t *length);
/// The number of tags. Tags and attachments are numbered from 0; functions return NULL for any other
/// number.
size_t docsource_item_tag_count(const docsource_item *item);
const char *docsource_item_tag(const docsource_item *item, size_t tag, size_t *length);
/// The number of attachments, without those that are malformed.
size_t docsource_item_attachment_count(const docsource_item *item);
/// A uniform type of an attachment, the preferred one with number 0.
const char *docsource_item_attachment_type(const docsource_item *item, size_t attachment,
                                           size_t number);
/// The path of an attachment that is a file, perhaps relative to the directory of the item; NULL for
/// others. The path is untrusted and can lead anywhere.
const char *docsource_item_attachment_path(const docsource_item *item, size_t attachment);
/// The name that a file with the attachment ought to have; NULL if there is none.
const char *docsource_item_attachment_name(const docsource_item *item, size_t attachment);
/// The content of an attachment that is a text, a URL or data, with its size in bytes in `size`; NULL
/// for a file.
const void *docsource_item_attachment_bytes(const docsource_item *item, size_t attachment,
                                            size_t *size);
void docsource_item_free(docsource_item *item);

/// The icon of an application, found without the network.
typedef struct docsource_icon docsource_icon;

/// Where an icon comes from: the first of these places that has one. 'docsource icon --json' has it
/// as place, since origin is where a file came from; the names here do not change.
typedef enum docsource_origin {
  DOCSOURCE_ORIGIN_NONE = 0,
  /// Chosen by the user.
  DOCSOURCE_ORIGIN_OVERRIDE = 1,
  /// The icon from the app_info_url of the application, in the cache.
  DOCSOURCE_ORIGIN_REMOTE = 2,
  /// The icon of the application in the icon theme.
  DOCSOURCE_ORIGIN_THEME = 3,
  /// The icon in an AppStream catalog or a Flatpak remote.
  DOCSOURCE_ORIGIN_CATALOG = 4,
  /// A generic document icon.
  DOCSOURCE_ORIGIN_GENERIC = 5
} docsource_origin;

/// Finds the icon of an application without the network. Returns DOCSOURCE_OK or DOCSOURCE_NO_ICON.
///
/// Identifier and URL come from a document source; either may be NULL. The size is in points, the
/// scale in pixels per point; their product is 1 to 1024 pixels. The function sets the handle in
/// both cases: docsource_icon_is_fetchable says whether fetching may help. A search in the icon
/// theme may look for a thousand files and take milliseconds: cache the result if you show many
/// files.
docsource_status docsource_icon_find(const char *identifier, const char *app_info_url,
                                     double points, double scale, unsigned int options,
                                     docsource_icon **icon, docsource_error **error);
/// The path of the icon, a PNG or SVG file; NULL if there is none. Bytes in no particular encoding.
const char *docsource_icon_path(const docsource_icon *icon);
docsource_origin docsource_icon_origin(const docsource_icon *icon);
/// 1 if docsource_fetch_start with the same arguments may yield an icon or a better icon, otherwise
/// 0.
///
/// Also 0 if the last attempt was too recent, or if the user does not trust the host of the URL
/// ('docsource icon trust').
int docsource_icon_is_fetchable(const docsource_icon *icon);
void docsource_icon_free(docsource_icon *icon);

/// A running fetch: the program docsource-fetch downloads an icon into the cache of the user.
///
/// docsource-fetch asks only hosts that the user trusts. It ends by itself after at most 15 seconds
/// plus the time for processing the picture. It is a child process, and only these functions wait
/// for it, through its descriptor. The library leaves signal handlers and signal masks alone. If
/// your process waits for any child or ignores SIGCHLD, the output of docsource-fetch determines
/// the result.
typedef struct docsource_fetch docsource_fetch;

/// Starts to fetch an icon and returns without waiting for the result.
///
/// The library looks for docsource-fetch in its own directory, then in libexec/docsource next to
/// that directory or next to the parent directory.
docsource_status docsource_fetch_start(const char *app_info_url, double points, double scale,
                                       unsigned int options, docsource_fetch **fetch,
                                       docsource_error **error);
/// A descriptor for poll(2), which becomes readable (POLLIN) when docsource-fetch has ended. The
/// descriptor belongs to the handle: do not close it. -1 for NULL.
int docsource_fetch_descriptor(const docsource_fetch *fetch);
/// The result of a fetch, without waiting: DOCSOURCE_RUNNING until docsource-fetch has ended.
///
/// After DOCSOURCE_OK, docsource_icon_find or docsource_fetch_picture returns the icon. After
/// DOCSOURCE_NO_ICON and DOCSOURCE_FETCH_FAILED, the error says why. A cancelled fetch gives
/// DOCSOURCE_CANCELLED.
docsource_status docsource_fetch_result(docsource_fetch *fetch, docsource_error **error);
/// The finished PNG if the server forbids caching, with the size in bytes in `size`. NULL if the
/// icon is in the cache, if there is no icon, or if docsource_fetch_result has not yet reported the
/// end.
const void *docsource_fetch_picture(docsource_fetch *fetch, size_t *size);
/// Ends docsource-fetch. The descriptor becomes readable when docsource-fetch has ended.
void docsource_fetch_cancel(docsource_fetch *fetch);
/// Frees the handle. Ends docsource-fetch if it is still running, and waits for its end.
void docsource_fetch_free(docsource_fetch *fetch);

#ifdef __cplusplus
}
#endif

#endif
