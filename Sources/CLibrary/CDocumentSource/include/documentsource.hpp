/// documentsource.h for C++17, with values instead of handles and exceptions
/// instead of status numbers.
///
///     if (auto source = docsource::read("letter.txt")) std::cout << source->name.value_or("");
///
/// Inline: link only libdocumentsource.

#ifndef DOCUMENTSOURCE_HPP
#define DOCUMENTSOURCE_HPP

#include <documentsource.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace docsource {

/// A failed call. `what()` says what failed and why, as text to show after the name of the file.
class Error : public std::runtime_error {
 public:
  /// Takes ownership of the handle of an error. The status is the result of the call.
  Error(docsource_status status, docsource_error *error) : Error(status, Handle(error)) {}

  docsource_status status() const noexcept { return status_; }
  /// The error number of the system call, or 0.
  int number() const noexcept { return number_; }
  /// For a damaged value, what is wrong with the value.
  const std::optional<std::string> &reason() const noexcept { return reason_; }
  /// For a damaged value, the offset of the wrong byte or object.
  std::optional<std::int64_t> offset() const noexcept { return offset_; }
  /// For a damaged value, the name of its attribute.
  const std::optional<std::string> &carrier() const noexcept { return carrier_; }

 private:
  struct Free {
    void operator()(docsource_error *error) const noexcept { docsource_error_free(error); }
  };
  using Handle = std::unique_ptr<docsource_error, Free>;

  Error(docsource_status status, Handle error)
      : runtime_error(text(docsource_error_message(error.get()))
                          .value_or(docsource_status_text(status))),
        status_(status),
        number_(docsource_error_number(error.get())),
        reason_(text(docsource_error_reason(error.get()))),
        carrier_(text(docsource_error_carrier(error.get()))) {
    const std::int64_t offset = docsource_error_offset(error.get());
    if (offset >= 0) offset_ = offset;
  }

  static std::optional<std::string> text(const char *text) {
    return text ? std::optional<std::string>(text) : std::nullopt;
  }

  docsource_status status_;
  int number_;
  std::optional<std::string> reason_;
  std::optional<std::int64_t> offset_;
  std::optional<std::string> carrier_;
};

/// A file: a path, an open descriptor, or a name in an open directory.
class File {
 public:
  File(const char *path) : path_(path ? path : "") {}
  File(std::string path) : path_(std::move(path)) {}
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(int directory, std::string name) : path_(std::move(name)), directory_(directory) {}

  /// Calls one of the three forms of a function, with the other arguments.
  template <typename ByPath, typename ByDescriptor, typename ByName, typename... Others>
  auto call(ByPath by_path, ByDescriptor by_descriptor, ByName by_name, Others... others) const {
    if (descriptor_) return by_descriptor(*descriptor_, others...);
    // C would stop at the NUL and use another file.
    if (path_.find('\0') != std::string::npos) throw Error(DOCSOURCE_INVALID_ARGUMENT, nullptr);
    return directory_ ? by_name(*directory_, path_.c_str(), others...)
                      : by_path(path_.c_str(), others...);
  }

 private:
  std::string path_;
  std::optional<int> descriptor_;
  std::optional<int> directory_;
};

/// The document source of a file: where the file came from. Has at least one of the first four
/// values.
struct Source {
  std::optional<std::string> identifier;
  std::optional<std::string> name;
  std::optional<std::string> path;
  std::optional<std::string> app_info_url;
  /// The name of the extended attribute that was read.
  std::string carrier;
};

/// Values to write. A missing value keeps the value of the file; an empty text removes the value.
struct Values {
  std::optional<std::string> identifier;
  std::optional<std::string> name;
  std::optional<std::string> path;
  std::optional<std::string> app_info_url;
};

/// Reads the document source of a file. Returns nothing if the file has none.
///
/// Options: DOCSOURCE_NO_FOLLOW. Throws Error.
inline std::optional<Source> read(const File &file, unsigned int options = 0) {
  docsource_source *found = nullptr;
  docsource_error *error = nullptr;
  const docsource_status status = file.call(
      docsource_read, docsource_read_fd, docsource_read_at, options, &found, &error);
  if (status == DOCSOURCE_NO_SOURCE) {
    docsource_error_free(error);
    return std::nullopt;
  }
  if (status != DOCSOURCE_OK) throw Error(status, error);
  const std::unique_ptr<docsource_source, void (*)(docsource_source *)> source(
      found, docsource_source_free);
  const auto value = [&](docsource_field field) -> std::optional<std::string> {
    std::size_t length = 0;
    const char *start = docsource_source_value(source.get(), field, &length);
    return start ? std::optional<std::string>(std::in_place, start, length) : std::nullopt;
  };
  return Source{value(DOCSOURCE_IDENTIFIER), value(DOCSOURCE_NAME), value(DOCSOURCE_PATH),
                value(DOCSOURCE_APP_INFO_URL), docsource_source_carrier(source.get())};
}

/// Writes the document source of a file atomically.
///
/// Options: DOCSOURCE_NO_FOLLOW, DOCSOURCE_REPLACE, DOCSOURCE_ANY_URL,
/// DOCSOURCE_KEEP_OTHER_FIELDS. Throws Error, with DOCSOURCE_REFUSED also for a text that contains a
/// NUL.
inline void write(const File &file, const Values &values, unsigned int options = 0) {
  const auto pointer = [](const std::optional<std::string> &value) -> const char * {
    if (!value) return nullptr;
    // C would stop at the NUL.
    if (value->find('\0') != std::string::npos) throw Error(DOCSOURCE_REFUSED, nullptr);
    return value->c_str();
  };
  const docsource_values all = {pointer(values.identifier), pointer(values.name),
                                pointer(values.path), pointer(values.app_info_url)};
  docsource_error *error = nullptr;
  const docsource_status status = file.call(
      docsource_write, docsource_write_fd, docsource_write_at, options, &all, &error);
  if (status != DOCSOURCE_OK) throw Error(status, error);
}

/// Removes the document source of a file in every form. Returns whether the file had one.
///
/// Options: DOCSOURCE_NO_FOLLOW. Throws Error.
inline bool remove(const File &file, unsigned int options = 0) {
  docsource_error *error = nullptr;
  const docsource_status status = file.call(
      docsource_remove, docsource_remove_fd, docsource_remove_at, options, &error);
  if (status == DOCSOURCE_NO_SOURCE) {
    docsource_error_free(error);
    return false;
  }
  if (status != DOCSOURCE_OK) throw Error(status, error);
  return true;
}

/// A mark of origin: what the mark says, where it is stored, and how far to trust it.
struct Mark {
  /// The name of the mark on its own system.
  std::string name;
  /// The kind of carrier.
  std::string form;
  /// The carrier: the name of an attribute or the path of a file, in no particular encoding.
  std::string carrier;
  docsource_trust trust;
  std::map<docsource_subject, std::string> says;
  /// Why the mark has no value.
  std::optional<std::string> failure;
  /// For a damaged mark, the offset of the wrong byte.
  std::optional<std::int64_t> offset;
  /// The unchanged bytes of the mark.
  std::vector<unsigned char> content;
};

/// A part of the short answer about a file.
struct Part {
  docsource_part kind;
  /// The application, host, sender or zone.
  std::optional<std::string> origin;
  /// The program that downloaded or wrote the file.
  std::optional<std::string> program;
  /// When: 2020-11-12T12:27:26Z
  std::optional<std::string> time;
};

/// All marks that say where a file came from.
struct Report {
  /// The short answer: for each subject, the value of the mark that takes precedence.
  std::map<docsource_subject, std::string> says;
  /// The short answer as its parts, in the order in which to show them.
  std::vector<Part> parts;
  /// Whether marks contradict each other, not counting those in files of other users.
  bool is_doubtful;
  std::vector<Mark> marks;
  /// The subjects about which marks contradict each other.
  std::set<docsource_subject> contradictions;
  /// Whether every possible carrier of marks could be read.
  bool is_complete;
  /// Whether a process of root saw the application that the document source names write the file.
  bool is_witnessed;
};

/// Whether `trace` may find more than the source that `read` gives, for lists of many files: takes a
/// fraction of the time.
///
/// Options: DOCSOURCE_NO_FOLLOW. Returns true if nobody can tell. Throws Error for a path with a NUL.
inline bool may_have_more(const File &file, unsigned int options = 0) {
  return file.call(docsource_may_have_more, docsource_may_have_more_fd, docsource_may_have_more_at,
                   options) != 0;
}

/// Reads all marks of a file, from its attributes and from the files in which other systems keep
/// marks.
///
/// Options: DOCSOURCE_NO_FOLLOW, DOCSOURCE_RECORDS, DOCSOURCE_EMBEDDED. Throws Error if nothing can be
/// read.
inline Report trace(const File &file, unsigned int options = 0) {
  docsource_report *found = nullptr;
  docsource_error *error = nullptr;
  const docsource_status status =
      file.call(docsource_report_read, docsource_report_read_fd, docsource_report_read_at, options,
                &found, &error);
  if (status != DOCSOURCE_OK) throw Error(status, error);
  const std::unique_ptr<docsource_report, void (*)(docsource_report *)> report(
      found, docsource_report_free);
  const auto texts = [](auto value) {
    std::map<docsource_subject, std::string> says;
    for (int number = 0; number <= DOCSOURCE_ABOUT_PACKAGE; number++) {
      const auto subject = static_cast<docsource_subject>(number);
      std::size_t length = 0;
      const char *start = value(subject, &length);
      if (start) says.emplace(subject, std::string(start, length));
    }
    return says;
  };
  Report all{texts([&](docsource_subject subject, std::size_t *length) {
               return docsource_report_value(report.get(), subject, length);
             }),
             {},
             docsource_report_is_doubtful(report.get()) != 0,
             {},
             {},
             docsource_report_is_complete(report.get()) != 0,
             docsource_report_is_witnessed(report.get()) != 0};
  for (std::size_t i = 0; i < docsource_report_part_count(report.get()); i++) {
    const auto part = [&](auto value) -> std::optional<std::string> {
      std::size_t length = 0;
      const char *start = value(report.get(), i, &length);
      return start ? std::optional<std::string>(std::in_place, start, length) : std::nullopt;
    };
    const char *time = docsource_report_part_time(report.get(), i);
    all.parts.push_back({docsource_report_part_kind(report.get(), i),
                         part(docsource_report_part_origin), part(docsource_report_part_program),
                         time ? std::optional<std::string>(time) : std::nullopt});
  }
  for (int number = 0; number <= DOCSOURCE_ABOUT_PACKAGE; number++) {
    const auto subject = static_cast<docsource_subject>(number);
    if (docsource_report_is_contradictory(report.get(), subject))
      all.contradictions.insert(subject);
  }
  for (std::size_t i = 0; i < docsource_report_count(report.get()); i++) {
    const char *failure = docsource_report_mark_failure(report.get(), i);
    const std::int64_t offset = docsource_report_mark_offset(report.get(), i);
    std::size_t size = 0;
    const auto *start =
        static_cast<const unsigned char *>(docsource_report_mark_bytes(report.get(), i, &size));
    all.marks.push_back(
        {docsource_report_mark_name(report.get(), i), docsource_report_mark_form(report.get(), i),
         docsource_report_mark_carrier(report.get(), i),
         docsource_report_mark_trust(report.get(), i),
         texts([&](docsource_subject subject, std::size_t *length) {
           return docsource_report_mark_value(report.get(), i, subject, length);
         }),
         failure ? std::optional<std::string>(failure) : std::nullopt,
         offset < 0 ? std::nullopt : std::optional<std::int64_t>(offset),
         std::vector<unsigned char>(start, start + size)});
  }
  return all;
}

/// The icon of an application, found without the network.
struct Icon {
  /// The path of a PNG or SVG file.
  std::optional<std::string> path;
  docsource_origin origin;
  /// Whether a Fetch with the same arguments may yield an icon or a better icon.
  bool is_fetchable;
};

/// Finds the icon of an application without the network. The size is in points, the scale in pixels
/// per point.
///
/// Options: DOCSOURCE_NO_OUTLINE, DOCSOURCE_NO_STROKE. Throws Error.
inline Icon find_icon(const std::optional<std::string> &identifier,
                      const std::optional<std::string> &app_info_url, double points,
                      double scale = 1, unsigned int options = 0) {
  docsource_icon *found = nullptr;
  docsource_error *error = nullptr;
  // A text with a NUL names no icon; C would stop at the NUL and find another icon.
  const auto pointer = [](const std::optional<std::string> &text) {
    return text && text->find('\0') == std::string::npos ? text->c_str() : nullptr;
  };
  const docsource_status status = docsource_icon_find(
      pointer(identifier), pointer(app_info_url), points, scale, options, &found, &error);
  if (status != DOCSOURCE_OK && status != DOCSOURCE_NO_ICON) throw Error(status, error);
  docsource_error_free(error);
  const std::unique_ptr<docsource_icon, void (*)(docsource_icon *)> icon(
      found, docsource_icon_free);
  const char *path = docsource_icon_path(icon.get());
  return Icon{path ? std::optional<std::string>(path) : std::nullopt,
              docsource_icon_origin(icon.get()), docsource_icon_is_fetchable(icon.get()) != 0};
}

/// A running fetch: docsource-fetch downloads an icon into the cache of the user. The constructor
/// starts the program and does not wait.
class Fetch {
 public:
  /// Options: DOCSOURCE_NO_OUTLINE, DOCSOURCE_NO_STROKE, DOCSOURCE_OFFLINE, DOCSOURCE_REFRESH.
  /// Throws Error.
  explicit Fetch(const std::string &app_info_url, double points, double scale = 1,
                 unsigned int options = 0) {
    // C would stop at the NUL and use another URL.
    if (app_info_url.find('\0') != std::string::npos)
      throw Error(DOCSOURCE_INVALID_ARGUMENT, nullptr);
    docsource_fetch *fetch = nullptr;
    docsource_error *error = nullptr;
    const docsource_status status =
        docsource_fetch_start(app_info_url.c_str(), points, scale, options, &fetch, &error);
    if (status != DOCSOURCE_OK) throw Error(status, error);
    fetch_.reset(fetch);
  }

  /// Becomes readable (POLLIN) when docsource-fetch has ended.
  int descriptor() const noexcept { return docsource_fetch_descriptor(fetch_.get()); }

  /// The result, without waiting: DOCSOURCE_RUNNING until docsource-fetch has ended. Throws Error
  /// if the fetch failed.
  docsource_status result() {
    docsource_error *error = nullptr;
    const docsource_status status = docsource_fetch_result(fetch_.get(), &error);
    if (status != DOCSOURCE_OK && status != DOCSOURCE_NO_ICON && status != DOCSOURCE_RUNNING
        && status != DOCSOURCE_CANCELLED)
      throw Error(status, error);
    docsource_error_free(error);
    return status;
  }

  /// The finished PNG if the server forbids caching; otherwise empty.
  std::vector<unsigned char> picture() const {
    std::size_t size = 0;
    const auto *start =
        static_cast<const unsigned char *>(docsource_fetch_picture(fetch_.get(), &size));
    return start ? std::vector<unsigned char>(start, start + size) : std::vector<unsigned char>();
  }

  /// Ends docsource-fetch. The descriptor becomes readable when docsource-fetch has ended.
  void cancel() noexcept { docsource_fetch_cancel(fetch_.get()); }

 private:
  struct Free {
    void operator()(docsource_fetch *fetch) const noexcept { docsource_fetch_free(fetch); }
  };
  std::unique_ptr<docsource_fetch, Free> fetch_;
};

}  // namespace docsource

#endif
