#include "OriginWords.hpp"

#include "ShownText.hpp"

#include <KLocalizedString>

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

#include <cerrno>
#include <cstring>
#include <utility>

namespace {

using ShownText::filled;
using Text = std::optional<std::string>;

QString quoted(const Text &text) {
  return ShownText::escaped(text.value_or(std::string()));
}

/// A host, in quotes if it could be taken for our words.
QString host(const Text &text) {
  static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9._:\\[\\]-]+\\z"));
  const QString name = quoted(text);
  return plain.match(name).hasMatch() ? name : filled(i18n("“{}”"), name);
}

/// A package with its version, likewise.
QString package(const Text &text) {
  static const QRegularExpression plain(
      QStringLiteral("\\A[A-Za-z0-9._+~:^-]+( [A-Za-z0-9._+~:^-]+)?\\z"));
  const QString title = quoted(text);
  return plain.match(title).hasMatch() ? title : filled(i18n("“{}”"), title);
}

QString withoutProgram(const docsource::Part &part) {
  switch (part.kind) {
    case DOCSOURCE_PART_APPLICATION:
      return filled(i18n("from “{}”"), quoted(part.origin));
    case DOCSOURCE_PART_CREATOR:
      return filled(i18n("made by “{}”"), quoted(part.origin));
    case DOCSOURCE_PART_DOWNLOAD:
      return part.origin ? filled(i18n("downloaded from {}"), host(part.origin))
                         : i18n("downloaded");
    case DOCSOURCE_PART_LIKELY_DOWNLOAD:
      return part.origin ? filled(i18n("probably downloaded from {}"), host(part.origin))
                         : i18n("probably downloaded");
    case DOCSOURCE_PART_MESSAGE:
      return filled(i18n("sent by “{}”"), quoted(part.origin));
    case DOCSOURCE_PART_PAGE:
      return filled(i18n("linked from {}"), host(part.origin));
    case DOCSOURCE_PART_PROGRAM:
      return filled(i18n("written by “{}”"), quoted(part.origin));
    case DOCSOURCE_PART_DEVICE:
      return filled(i18n("made with “{}”"), quoted(part.origin));
    case DOCSOURCE_PART_PACKAGE:
      return filled(i18n("from the package {}"), package(part.origin));
    case DOCSOURCE_PART_ZONE:
      return filled(i18n("from zone {}"), OriginWords::zone(part.origin.value_or(std::string())));
    case DOCSOURCE_PART_WRITING:
    case DOCSOURCE_PART_NONE:
      break;
  }
  return i18n("written");
}

QDateTime parsed(const std::string &time) {
  return QDateTime::fromString(QString::fromStdString(time), Qt::ISODate);
}

/// A date in a form of date(1), of which the translations have day, month, year and time.
QString written(const QDateTime &time, const QString &form) {
  static const std::pair<const char *, const char *> codes[] = {
      {"%B", "MMMM"}, {"%-d", "d"}, {"%-m", "M"}, {"%Y", "yyyy"}, {"%H", "HH"}, {"%M", "mm"}};
  QString words = form;
  for (const auto &[code, ours] : codes)
    words.replace(QLatin1String(code), QLocale().toString(time, QLatin1String(ours)));
  return words;
}

QString worded(const docsource::Part &part) {
  QString words = withoutProgram(part);
  if (part.program) words = filled(i18n("{} by “{}”"), words, quoted(part.program));
  if (part.time)
    words = filled(i18n("{} on {}"), words, written(parsed(*part.time), i18n("%B %-d, %Y")));
  return words;
}

}  // namespace

std::optional<std::string> OriginWords::said(const docsource::Report &report,
                                             docsource_subject subject) {
  const auto found = report.says.find(subject);
  return found == report.says.end() ? std::nullopt : Text(found->second);
}

QString OriginWords::sentence(const docsource::Report &report) {
  QString words;
  for (const docsource::Part &part : report.parts)
    words = words.isEmpty() ? worded(part) : filled(i18n("{}, {}"), words, worded(part));
  if (words.isEmpty()) return words;
  if (report.is_doubtful) words = filled(i18n("{}; marks contradict each other"), words);
  return words.left(1).toUpper() + words.mid(1);
}

QString OriginWords::moment(const std::string &time) {
  return written(parsed(time).toLocalTime(), i18n("%B %-d, %Y, %H:%M"));
}

QString OriginWords::ofMark(const QString &value, const std::string &mark) {
  return filled(i18n("{} ({})"), value, ShownText::escaped(mark));
}

QString OriginWords::zone(const std::string &name) {
  // Of documentsource.h.
  if (name == "local machine") return i18n("Local machine");
  if (name == "local intranet") return i18n("Local intranet");
  if (name == "trusted sites") return i18n("Trusted sites");
  if (name == "Internet") return i18n("Internet");
  if (name == "restricted sites") return i18n("Restricted sites");
  return ShownText::escaped(name);
}

QString OriginWords::damage(std::int64_t offset) {
  return filled(i18n("A mark cannot be decoded (error at byte {})"), QString::number(offset));
}

QString OriginWords::reason(const docsource::Error &error) {
  if (error.status() == DOCSOURCE_NOT_PERMITTED)
    return error.number() == EROFS ? i18n("The file system is read-only")
                                   : i18n("Access is denied");
  return error.number() == 0 ? i18n("Unknown error")
                             : QString::fromLocal8Bit(std::strerror(error.number()));
}
