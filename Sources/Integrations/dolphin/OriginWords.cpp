#include "OriginWords.hpp"

#include "ShownText.hpp"

#include <KLocalizedString>

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

#include <cerrno>
#include <cstring>

namespace {

using Text = std::optional<std::string>;

/// A text of the translations with values in the places of `{}`.
QString filled(const QString &text, const QString &first, const QString &second = QString()) {
  const QLatin1String place("{}");
  const int one = text.indexOf(place);
  if (one < 0) return text;
  const int two = text.indexOf(place, one + 2);
  // What a value has of braces is no place.
  const QString end = two < 0 ? text.mid(one + 2)
                              : text.mid(one + 2, two - one - 2) + second + text.mid(two + 2);
  return text.left(one) + first + end;
}

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

QString worded(const docsource::Part &part) {
  QString words = withoutProgram(part);
  if (part.program) words = filled(i18n("{} by “{}”"), words, quoted(part.program));
  if (part.time)
    words = filled(i18n("{} on {}"), words,
                   QLocale().toString(parsed(*part.time).date(), QLocale::ShortFormat));
  return words;
}

}  // namespace

QString OriginWords::sentence(const docsource::Report &report) {
  QString words;
  for (const docsource::Part &part : report.parts)
    words = words.isEmpty() ? worded(part) : filled(i18n("{}, {}"), words, worded(part));
  if (words.isEmpty() || !report.is_doubtful) return words;
  return filled(i18n("{}; marks contradict each other"), words);
}

QString OriginWords::moment(const std::string &time) {
  return QLocale().toString(parsed(time).toLocalTime(), QLocale::ShortFormat);
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
