#include "SourceText.hpp"

#include "ApplicationName.hpp"
#include "OriginWords.hpp"
#include "ShownText.hpp"

#include <documentsource.hpp>

#include <KLocalizedString>

#include <QFile>
#include <QFileInfo>

#include <string>
#include <utility>

namespace {

using docsource::Report;
using OriginWords::said;
using Text = std::optional<std::string>;

/// A source on the file itself counts alone.
std::optional<docsource::Source> sourceOf(const std::string &file) {
  try {
    return docsource::read(file);
  } catch (const docsource::Error &error) {
    // Other marks than these may be found all the same.
    const bool mayHaveMarks =
        error.status() == DOCSOURCE_DAMAGED || error.status() == DOCSOURCE_NOT_SUPPORTED;
    if (!mayHaveMarks) throw;
    return std::nullopt;
  }
}

QString line(const QString &label, const QString &value) {
  return QStringLiteral("\n  ") + label + QStringLiteral(": ") + value;
}

QString linesOf(const docsource::Source &source) {
  const std::pair<QString, Text> values[] = {{i18n("Identifier"), source.identifier},
                                             {i18n("Document"), source.path},
                                             {i18n("App info"), source.app_info_url}};
  QString lines;
  if (!source.name.value_or(std::string()).empty())
    lines += line(i18n("Application"), ApplicationName::shown(source.identifier, source.name));
  for (const auto &[label, value] : values)
    if (value) lines += line(label, ShownText::escaped(*value));
  return lines;
}

QString linesOf(const std::string &file) {
  if (const auto source = sourceOf(file)) return linesOf(*source);
  const Report report = docsource::trace(file);
  const Text identifier = said(report, DOCSOURCE_ABOUT_IDENTIFIER);
  const Text name = said(report, DOCSOURCE_ABOUT_NAME);
  if (identifier || name)
    return linesOf({identifier, name, said(report, DOCSOURCE_ABOUT_PATH), std::nullopt, {}});
  const QString sentence = OriginWords::sentence(report);
  return sentence.isEmpty() ? QString() : line(i18n("Origin"), sentence);
}

}  // namespace

QString SourceText::of(const QString &path) {
  try {
    const QString lines = linesOf(QFile::encodeName(path).toStdString());
    const QString name = QFileInfo(path).fileName();
    return lines.isEmpty() ? QString() : ShownText::escaped(name.toStdString()) + lines;
  } catch (const docsource::Error &) {
    return QString();
  }
}

QString SourceText::of(const QStringList &paths) {
  QStringList texts;
  for (const QString &path : paths) {
    const QString text = of(path);
    if (!text.isEmpty()) texts << text;
  }
  return texts.join(QLatin1Char('\n'));
}

std::optional<QString> SourceText::address(const QString &path) {
  try {
    const Report report = docsource::trace(QFile::encodeName(path).toStdString());
    for (const docsource_subject subject : {DOCSOURCE_ABOUT_URL, DOCSOURCE_ABOUT_REFERRER})
      if (const Text address = said(report, subject)) return QString::fromStdString(*address);
  } catch (const docsource::Error &) {
    // What cannot be read has no address.
  }
  return std::nullopt;
}
