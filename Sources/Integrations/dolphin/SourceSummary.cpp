#include "SourceSummary.hpp"

#include "OriginWords.hpp"
#include "ShownText.hpp"

#include <documentsource.hpp>

#include <KLocalizedString>

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <QUrl>

#include <poll.h>
#include <set>
#include <utility>

namespace {

using OriginWords::said;
using Text = std::optional<std::string>;

const int fetchMilliseconds = 20000;

/// The maker's domain, which an identifier begins with: org.example.editor is of example.org.
QString makersDomain(const std::string &identifier) {
  // Below these everybody has a domain of his own.
  static const QSet<QString> shared = {
      QStringLiteral("bitbucket.io"),  QStringLiteral("codeberg.page"),
      QStringLiteral("github.com"),    QStringLiteral("github.io"),
      QStringLiteral("gitlab.com"),    QStringLiteral("gitlab.io"),
      QStringLiteral("netlify.app"),   QStringLiteral("pages.dev"),
      QStringLiteral("sourceforge.io"), QStringLiteral("sourceforge.net"),
      QStringLiteral("sr.ht"),         QStringLiteral("vercel.app"),
  };
  static const QSet<QString> secondLevel = {
      QStringLiteral("ac"),  QStringLiteral("co"),  QStringLiteral("com"), QStringLiteral("edu"),
      QStringLiteral("gov"), QStringLiteral("net"), QStringLiteral("org"),
  };
  const QStringList labels = QString::fromStdString(identifier).toLower().split(QLatin1Char('.'));
  if (labels.size() < 3) return QString();
  const QString domain = labels[1] + QLatin1Char('.') + labels[0];
  const bool isNational = labels[0].size() == 2 && secondLevel.contains(labels[1]);
  if (!isNational && !shared.contains(domain)) return domain;
  return labels.size() < 4 ? QString() : labels[2] + QLatin1Char('.') + domain;
}

SourceIcon taken(const docsource::Icon &icon) {
  // A picture of no application in particular is the page's to choose.
  if (icon.origin == DOCSOURCE_ORIGIN_GENERIC) return {QString(), icon.is_fetchable};
  return {QFile::decodeName(icon.path.value_or(std::string()).c_str()), icon.is_fetchable};
}

class Lines {
 public:
  explicit Lines(std::vector<SourceSummary::Line> &lines) : lines(lines) {}

  void add(const QString &label, const QString &text) {
    if (!text.isEmpty()) lines.push_back({label, text, QString(), QString()});
  }

  void add(const QString &label, const Text &text) {
    if (text) add(label, ShownText::escaped(*text));
  }

  void addPath(const QString &label, const Text &path) {
    if (!path) return;
    const QString whole = ShownText::escaped(*path);
    const QString shortened = ShownText::shortenedPath(whole);
    add(label, shortened);
    if (shortened != whole) lines.back().tip = whole;
  }

  void addLink(const QString &label, const QString &text, const QString &link) {
    add(label, text);
    if (!text.isEmpty()) lines.back().link = link;
  }

 private:
  std::vector<SourceSummary::Line> &lines;
};

/// What an untrusted text leads to if it is an address of the web or of a person.
QString linkOf(const std::string &value) {
  const QString text = QString::fromStdString(value);
  if (text.size() > 4096 || ShownText::escaped(value) != text) return QString();
  static const QRegularExpression person(
      QStringLiteral("\\A[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+\\z"));
  if (person.match(text).hasMatch()) return QStringLiteral("mailto:") + text;
  static const QRegularExpression web(
      QStringLiteral("\\A(https?|ftp)://[^\\s<>\"\\\\]+\\z"));
  const QUrl url(text, QUrl::StrictMode);
  const bool isAddress = web.match(text).hasMatch() && url.isValid() && !url.host().isEmpty();
  return isAddress ? text : QString();
}

/// Adds a value of a mark in words, with the mark if others contradict it.
void addSaid(Lines &lines, const QString &label, docsource_subject subject,
             const std::string &value, const std::string &mark = std::string()) {
  QString text = ShownText::escaped(value);
  if (subject == DOCSOURCE_ABOUT_DOWNLOADED) text = OriginWords::moment(value);
  if (subject == DOCSOURCE_ABOUT_ZONE) text = OriginWords::zone(value);
  lines.addLink(label, mark.empty() ? text : OriginWords::ofMark(text, mark), linkOf(value));
}

/// Adds the values that contradict each other, one below the other.
///
/// Returns whether there are any.
bool addDisputed(Lines &lines, const docsource::Report &report, const QString &label,
                 docsource_subject subject) {
  if (report.contradictions.count(subject) == 0) return false;
  std::set<std::string> values;
  for (const docsource::Mark &mark : report.marks) {
    const auto said = mark.says.find(subject);
    if (mark.trust == DOCSOURCE_TRUST_FOREIGN || said == mark.says.end()) continue;
    if (values.insert(said->second).second)
      addSaid(lines, label, subject, said->second, mark.name);
  }
  return !values.empty();
}

/// What marks of other systems say.
void addDetails(Lines &lines, const docsource::Report &report) {
  const std::pair<docsource_subject, QString> subjects[] = {
      {DOCSOURCE_ABOUT_URL, i18n("Downloaded from")},
      {DOCSOURCE_ABOUT_REFERRER, i18n("Linked from")},
      {DOCSOURCE_ABOUT_SENDER, i18n("Sender")},
      {DOCSOURCE_ABOUT_CREATOR, i18n("Made by")},
      {DOCSOURCE_ABOUT_AGENT, i18n("Program")},
      {DOCSOURCE_ABOUT_DOWNLOADED, i18n("Time")},
      {DOCSOURCE_ABOUT_ZONE, i18n("Windows zone")}};
  for (const auto &[subject, label] : subjects) {
    if (addDisputed(lines, report, label, subject)) continue;
    if (const Text value = said(report, subject)) addSaid(lines, label, subject, *value);
  }
  // What these say, the short answer has.
  addDisputed(lines, report, i18n("Written by"), DOCSOURCE_ABOUT_PROGRAM);
  addDisputed(lines, report, i18n("Made with"), DOCSOURCE_ABOUT_DEVICE);
  addDisputed(lines, report, i18n("Package"), DOCSOURCE_ABOUT_PACKAGE);
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

QString SourceSummary::website(const Text &appInfoURL, const Text &identifier) {
  const QUrl url(QString::fromStdString(appInfoURL.value_or(std::string())), QUrl::StrictMode);
  const QString domain = makersDomain(identifier.value_or(std::string()));
  const QString host = url.host();
  if (!url.isValid() || url.scheme() != QLatin1String("https") || domain.isEmpty())
    return QString();
  if (host != domain && !host.endsWith(QLatin1Char('.') + domain)) return QString();
  QUrl site;
  site.setScheme(url.scheme());
  site.setHost(host);
  site.setPort(url.port());
  site.setPath(QStringLiteral("/"));
  return site.toString(QUrl::FullyEncoded);
}

SourceSummary SourceSummary::read(const QString &path) {
  SourceSummary summary;
  Lines lines(summary.lines);
  const std::string file = QFile::encodeName(path).toStdString();
  std::optional<std::int64_t> damage;
  try {
    if (const auto source = docsource::read(file)) summary.appInfoURL = source->app_info_url;
  } catch (const docsource::Error &error) {
    if (error.status() == DOCSOURCE_DAMAGED)
      damage = error.offset().value_or(0);
    else if (error.status() == DOCSOURCE_NOT_FOUND)
      return summary;
    else if (error.status() != DOCSOURCE_NOT_SUPPORTED) {
      lines.add(i18n("Cannot be read"), OriginWords::reason(error));
      return summary;
    }
  }
  docsource::Report report{};
  try {
    report = docsource::trace(file, DOCSOURCE_RECORDS | DOCSOURCE_EMBEDDED);
  } catch (const docsource::Error &) {
    // A file without attributes; what the first call found is shown all the same.
  }
  summary.identifier = said(report, DOCSOURCE_ABOUT_IDENTIFIER);
  summary.name = said(report, DOCSOURCE_ABOUT_NAME);
  const bool isApplicationAlone =
      report.parts.size() == 1 && report.parts[0].kind == DOCSOURCE_PART_APPLICATION;
  if (!isApplicationAlone || report.is_doubtful)
    lines.add(i18n("Origin"), OriginWords::sentence(report));
  summary.isNameDisputed =
      addDisputed(lines, report, i18n("Application"), DOCSOURCE_ABOUT_NAME);
  if (!summary.isNameDisputed)
    lines.add(i18n("Application"), summary.name);
  if (!addDisputed(lines, report, i18n("Identifier"), DOCSOURCE_ABOUT_IDENTIFIER))
    lines.add(i18n("Identifier"), summary.identifier);
  if (!addDisputed(lines, report, i18n("Document"), DOCSOURCE_ABOUT_PATH))
    lines.addPath(i18n("Document"), said(report, DOCSOURCE_ABOUT_PATH));
  if (summary.appInfoURL) {
    const QString site = website(summary.appInfoURL, summary.identifier);
    lines.addLink(i18n("App info"), ShownText::escaped(*summary.appInfoURL),
                  site.isEmpty() ? linkOf(*summary.appInfoURL) : site);
  }
  if (const Text time = said(report, DOCSOURCE_ABOUT_TAGGED_BY_WATCH))
    lines.add(i18n("Tagged automatically"), OriginWords::moment(*time));
  if (report.is_witnessed)
    lines.add(i18n("Verified"), i18n("✓ This computer saw the application write the file"));
  addDetails(lines, report);
  summary.address = said(report, DOCSOURCE_ABOUT_URL);
  if (!summary.address) summary.address = said(report, DOCSOURCE_ABOUT_REFERRER);
  for (const docsource::Mark &mark : report.marks)
    if (!damage && report.parts.empty()) damage = mark.offset;
  if (damage) lines.add(i18n("Damaged"), OriginWords::damage(*damage));
  return summary;
}
