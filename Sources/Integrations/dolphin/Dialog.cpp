#include "Dialog.hpp"

#include "InstalledProgram.hpp"
#include "Log.hpp"

#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QWidget>

void Dialog::start(const char *verb, const QStringList &paths, const QWidget *widget) {
  // The version for which KDE has a style.
  QStringList words = {QLatin1String(verb), QStringLiteral("--gtk=3.0")};
  const QWidget *window = widget == nullptr ? nullptr : widget->window();
  if (window != nullptr && QGuiApplication::platformName() == QLatin1String("xcb"))
    words << QStringLiteral("--parent=x11:%1").arg(window->winId(), 0, 16);
  const QPalette palette = widget == nullptr ? QGuiApplication::palette() : widget->palette();
  if (palette.color(QPalette::Window).lightness() < 128) words << QStringLiteral("--dark");
  QProcess process;
  process.setProgram(InstalledProgram::path("libexec/docsource/docsource-dialog"));
  process.setArguments(words);
  // More paths than a command line takes. The program has it open when it is removed.
  QTemporaryFile names;
  if (!names.open()) return;
  for (const QString &path : paths) names.write(QFile::encodeName(path) + '\0');
  names.flush();
  process.setStandardInputFile(names.fileName());
  const bool isStarted = process.startDetached();
  qCDebug(DOCSOURCE_DOLPHIN) << "dialog" << words.join(QLatin1Char(' '))
                             << QLatin1String(isStarted ? "started" : "not started");
}

bool Dialog::isWatching() {
  const QString settings =
      QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
      + QStringLiteral("/docsource/watch.json");
  // A pipe in its place would keep the menu waiting.
  if (!QFileInfo(settings).isFile()) return false;
  QFile file(settings);
  if (!file.open(QIODevice::ReadOnly)) return false;
  const QJsonDocument content = QJsonDocument::fromJson(file.read(1 << 16));
  return content.object().value(QLatin1String("enabled")).toBool();
}
