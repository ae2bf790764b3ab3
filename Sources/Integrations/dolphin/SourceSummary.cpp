#include "SourceSummary.hpp"

#include <documentsource.hpp>

#include <KLocalizedString>

#include <QFile>
#include <QUrl>

#include <algorithm>
#include <iterator>
#include <poll.h>
#include <set>
#include <tuple>
#include <utility>

namespace {

using Text = std::optional<std::string>;

/// Of very many selected files, as many are looked into.
const int filesRead = 200;
const int charactersShown = 200;
const int fetchMilliseconds = 20000;

/// What renders as nothing without being a control or format character: first and last ones.
const std::pair<uint, uint> ignorable[] = {
    {0x34F, 0x34F},   {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x2065, 0x2065},
    {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8},   {0xE0000, 0xE0FFF},
};

bool isVisible(uint character) {
  switch (QChar::category(character)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
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

/// A line for values of which there may be several.
void append(std::vector<SourceSummary::Line> &lines, const QString &label,
            const std::set<std::string> &values, bool isLink) {
  if (values.empty()) return;
  SourceSummary::Line line;
  line.label = label;
  if (values.size() == 1) {
    line.text = shown(*values.begin());
    if (isLink) line.link = website(*values.begin());
  } else {
    // Its numbers are put in here: the texts are those of the other file managers.
    const int count = static_cast<int>(values.size());
    line.text = i18np("{} value", "{} different values", count)
                    .replace(QLatin1String("{}"), QString::number(count));
  }
  lines.push_back(line);
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

SourceSummary SourceSummary::read(const QStringList &paths) {
  SourceSummary summary;
  std::set<std::string> names, identifiers, documents, urls;
  std::set<std::pair<Text, Text>> applications;
  QString reason;
  const int count = qMin(paths.size(), filesRead);
  for (int i = 0; i < count; i++) {
    try {
      const auto source = docsource::read(QFile::encodeName(paths[i]).toStdString());
      if (!source) continue;
      summary.sources++;
      if (source->name) names.insert(*source->name);
      if (source->identifier) identifiers.insert(*source->identifier);
      if (source->path) documents.insert(*source->path);
      if (source->app_info_url) urls.insert(*source->app_info_url);
      applications.emplace(source->identifier, source->app_info_url);
    } catch (const docsource::Error &error) {
      if (error.status() != DOCSOURCE_DAMAGED) continue;
      summary.damaged++;
      if (reason.isEmpty()) reason = shown(error.reason().value_or(std::string()));
    }
  }
  append(summary.lines, i18n("Application"), names, false);
  append(summary.lines, i18n("Identifier"), identifiers, false);
  append(summary.lines, i18n("Path"), documents, false);
  append(summary.lines, i18n("App info"), urls, true);
  if (summary.damaged > 0) summary.lines.push_back({i18n("Damaged"), reason, QString()});
  if (count > 1) {
    QString text = i18n("{} of {}");
    for (const int number : {summary.sources, count})
      text.replace(text.indexOf(QLatin1String("{}")), 2, QString::number(number));
    summary.lines.push_back({i18n("Files with a source"), text, QString()});
  }
  summary.hasOneApplication = applications.size() == 1;
  if (summary.hasOneApplication)
    std::tie(summary.identifier, summary.appInfoURL) = *applications.begin();
  return summary;
}
