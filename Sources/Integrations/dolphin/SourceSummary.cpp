#include "SourceSummary.hpp"

#include <documentsource.hpp>

#include <KLocalizedString>

#include <QFile>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <poll.h>
#include <utility>

namespace {

using Text = std::optional<std::string>;

const int charactersShown = 200;
const int fetchMilliseconds = 20000;

/// What renders as nothing, or as a blank, and is not of a category that does: first and last ones.
const std::pair<uint, uint> ignorable[] = {
    {0x34F, 0x34F},     {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x2065, 0x2065},   {0x2800, 0x2800},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFF8},   {0x13441, 0x13442}, {0x16FE4, 0x16FE4},
    {0x1D159, 0x1D159}, {0xE0000, 0xE0FFF},
};

bool isVisible(uint character) {
  if (character == ' ') return true;
  switch (QChar::category(character)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_PrivateUse:
    case QChar::Other_Surrogate:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Separator_Space:
      return false;
    default:
      return std::none_of(std::begin(ignorable), std::end(ignorable), [&](const auto &range) {
        return character >= range.first && character <= range.second;
      });
  }
}

/// A stranger's text as docsource shows it: what is invisible or turns the direction of writing is
/// escaped.
QString shown(const std::string &text) {
  QString safe;
  int count = 0;
  for (const uint character : QString::fromStdString(text).toUcs4()) {
    if (count++ == charactersShown) return safe + QChar(0x2026);
    if (isVisible(character))
      safe += QString::fromUcs4(&character, 1);
    else if (character == '\n' || character == '\r' || character == '\t')
      safe += QLatin1String(character == '\n' ? "\\n" : character == '\r' ? "\\r" : "\\t");
    else if (character < 0x80)
      safe += QStringLiteral("\\x%1").arg(character, 2, 16, QLatin1Char('0'));
    else
      safe += QStringLiteral("\\u{%1}").arg(character, 4, 16, QLatin1Char('0'));
  }
  return safe;
}

/// Where the application's icons are listed is its maker's site, as far as is known.
QString website(const std::string &appInfoURL) {
  const QUrl url(QString::fromStdString(appInfoURL), QUrl::StrictMode);
  if (!url.isValid() || url.scheme() != QLatin1String("https") || url.host().isEmpty())
    return QString();
  QUrl site;
  site.setScheme(url.scheme());
  site.setHost(url.host());
  site.setPort(url.port());
  site.setPath(QStringLiteral("/"));
  return site.toString(QUrl::FullyEncoded);
}

SourceIcon taken(const docsource::Icon &icon) {
  return {QFile::decodeName(icon.path.value_or(std::string()).c_str()), icon.is_fetchable};
}

void append(std::vector<SourceSummary::Line> &lines, const QString &label, const Text &value) {
  if (value) lines.push_back({label, shown(*value), QString()});
}

}  // namespace

SourceIcon SourceIcon::find(const Text &identifier, const Text &appInfoURL, double points,
                            double scale) {
  return taken(docsource::find_icon(identifier, appInfoURL, points, scale));
}

SourceIcon SourceIcon::fetch(const Text &identifier, const Text &appInfoURL, double points,
                             double scale) {
  docsource::Fetch fetch(appInfoURL.value_or(std::string()), points, scale);
  pollfd ended = {fetch.descriptor(), POLLIN, 0};
  if (poll(&ended, 1, fetchMilliseconds) <= 0) fetch.cancel();
  fetch.result();
  return find(identifier, appInfoURL, points, scale);
}

SourceSummary SourceSummary::read(const QString &path) {
  SourceSummary summary;
  // The texts are those that the other file managers have translations of.
  try {
    const auto source = docsource::read(QFile::encodeName(path).toStdString());
    if (!source) return summary;
    append(summary.lines, i18n("Application"), source->name);
    append(summary.lines, i18n("Identifier"), source->identifier);
    append(summary.lines, i18n("Document"), source->path);
    append(summary.lines, i18n("App info"), source->app_info_url);
    if (source->app_info_url) summary.lines.back().link = website(*source->app_info_url);
    summary.identifier = source->identifier;
    summary.appInfoURL = source->app_info_url;
  } catch (const docsource::Error &error) {
    // A file that cannot be read has no page, as one that has no source.
    if (error.status() == DOCSOURCE_DAMAGED) append(summary.lines, i18n("Damaged"), error.reason());
  }
  return summary;
}
