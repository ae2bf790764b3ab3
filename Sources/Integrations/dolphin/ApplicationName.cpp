#include "ApplicationName.hpp"

#include "ShownText.hpp"

#include <KConfigGroup>
#include <KDesktopFile>
#include <KLocalizedString>
#include <KService>

KService::Ptr ApplicationName::service(const std::optional<std::string> &identifier) {
  const QString desktopName = QString::fromStdString(identifier.value_or(std::string()));
  if (desktopName.isEmpty() || desktopName.contains(QLatin1Char('/'))) return KService::Ptr();
  return KService::serviceByDesktopName(desktopName);
}

QString ApplicationName::opening(const KService::Ptr &service) {
  // An ampersand would be taken for a mark of a key.
  return ShownText::filled(i18n("Open in {}"), service->name())
      .replace(QLatin1Char('&'), QLatin1String("&&"));
}

QString ApplicationName::shown(const std::optional<std::string> &identifier,
                               const std::optional<std::string> &name) {
  const std::string none, given = name.value_or(none);
  const KService::Ptr service = ApplicationName::service(identifier);
  if (service) {
    const KDesktopFile file(service->entryPath());
    const QString stored = file.desktopGroup().readEntryUntranslated("Name");
    if (given.empty() || stored == QString::fromStdString(given)) return service->name();
  }
  return ShownText::escaped(given.empty() ? identifier.value_or(none) : given);
}
