#include "Emblem.hpp"

#include <KIconLoader>
#include <KService>

#include <QHash>
#include <QStringList>

namespace {

const int remembered = 4096;

bool isInTheme(const QString &name) {
  return !KIconLoader::global()->iconPath(name, KIconLoader::Desktop, true).isEmpty();
}

QString find(const QString &identifier) {
  QStringList names;
  const KService::Ptr service = KService::serviceByDesktopName(identifier);
  if (service) names << service->icon();
  // Without an application, a single word could be any of the theme's own icons.
  if (service || identifier.contains(QLatin1Char('.'))) names << identifier;
  for (const QString &name : names) {
    // A path, too, would be taken for an icon.
    if (!name.isEmpty() && !name.contains(QLatin1Char('/')) && isInTheme(name)) return name;
  }
  return Emblem::generic();
}

}  // namespace

QString Emblem::generic() { return QStringLiteral("emblem-docsource"); }

QString Emblem::marked() { return QStringLiteral("emblem-docsource-marked"); }

QString Emblem::damaged() { return QStringLiteral("emblem-docsource-damaged"); }

QString Emblem::doubtful() { return QStringLiteral("emblem-docsource-doubtful"); }

QString Emblem::ofApplication(const QString &identifier) {
  static QHash<QString, QString> names;
  if (identifier.isEmpty() || identifier.contains(QLatin1Char('/'))) return generic();
  const auto known = names.constFind(identifier);
  if (known != names.constEnd()) return *known;
  if (names.size() >= remembered) names.clear();
  return *names.insert(identifier, find(identifier));
}
