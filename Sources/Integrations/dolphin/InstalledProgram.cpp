#include "InstalledProgram.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

QString InstalledProgram::path(const char *place) {
  const QString module = QStandardPaths::locate(
      QStandardPaths::GenericDataLocation,
      QStringLiteral("docsource/file-managers/docsource_desktop/places.py"));
  const QString path =
      QDir::cleanPath(module + QStringLiteral("/../../../../../") + QLatin1String(place));
  return !module.isEmpty() && QFile::exists(path) ? path
                                                  : QFileInfo(QLatin1String(place)).fileName();
}
