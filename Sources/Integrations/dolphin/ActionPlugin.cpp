#include "ActionPlugin.hpp"

#include "ApplicationName.hpp"
#include "Background.hpp"
#include "Dialog.hpp"
#include "Emblem.hpp"
#include "FileSources.hpp"
#include "Log.hpp"
#include "SourceText.hpp"

#include <KFileItemListProperties>
#include <KIO/OpenUrlJob>
#include <KLocalizedString>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QIcon>
#include <QMenu>
#include <QUrl>

#include <functional>

ActionPlugin::ActionPlugin(QObject *parent, const QVariantList &)
    : KAbstractFileItemActionPlugin(parent) {}

QList<QAction *> ActionPlugin::actions(const KFileItemListProperties &selection,
                                       QWidget *parent) {
  QList<QAction *> found;
  Background::guarded("actions", [&] {
    const FileSources files(selection.items());
    if (!files.paths().isEmpty()) found = entries(files, parent);
  });
  return found;
}

/// An entry that opens a dialog.
static QAction *entry(const QString &label, const QIcon &icon, const char *verb,
                      const QStringList &paths, QWidget *parent) {
  auto *action = new QAction(icon, label, parent);
  QObject::connect(action, &QAction::triggered, parent,
                   [verb, paths, parent] { Dialog::start(verb, paths, parent); });
  qCDebug(DOCSOURCE_DOLPHIN) << "entry" << label << QLatin1String(verb);
  return action;
}

/// An entry that copies a text, which is made when the entry is chosen.
static QAction *copying(const QString &label, const char *what, QWidget *parent,
                        const std::function<QString()> &text) {
  auto *action = new QAction(QIcon::fromTheme(QStringLiteral("edit-copy")), label, parent);
  QObject::connect(action, &QAction::triggered, parent, [text, parent] {
    Background::run<QString>(
        parent, text, [](const QString &found) { QGuiApplication::clipboard()->setText(found); });
  });
  qCDebug(DOCSOURCE_DOLPHIN) << "entry" << label << QLatin1String(what);
  return action;
}

/// An entry that opens a website.
static QAction *leading(const QString &label, const QString &site, QWidget *parent) {
  auto *action = new QAction(QIcon::fromTheme(QStringLiteral("internet-web-browser")), label, parent);
  QObject::connect(action, &QAction::triggered, parent,
                   [site] { (new KIO::OpenUrlJob(QUrl(site)))->start(); });
  qCDebug(DOCSOURCE_DOLPHIN) << "entry" << label << QLatin1String("website");
  return action;
}

QList<QAction *> ActionPlugin::entries(const FileSources &files, QWidget *parent) {
  const QStringList paths = files.paths();
  const auto icon = [](const char *name) { return QIcon::fromTheme(QLatin1String(name)); };
  QList<QAction *> found;
  found << entry(i18n("Share…"), icon("document-send"), "share", paths, parent);
  if (files.areOpenedInSource()) {
    const KService::Ptr service = files.application();
    QString label = i18n("Open in Source Apps");
    QIcon picture = icon("document-open");
    if (service) {
      label = ApplicationName::opening(service);
      picture = QIcon::fromTheme(service->icon(), picture);
    }
    found << entry(label, picture, "open", paths, parent);
  }
  auto *menu = new QMenu(parent);
  menu->addAction(entry(i18n("Tag with Application…"), QIcon::fromTheme(Emblem::generic()), "tag",
                        paths, parent));
  if (files.mayBeCopied())
    menu->addAction(
        copying(i18n("Copy Source"), "copy", parent, [paths] { return SourceText::of(paths); }));
  if (const auto address = files.address())
    menu->addAction(
        copying(i18n("Copy Address"), "address", parent, [address] { return *address; }));
  const QString site = files.website();
  if (!site.isEmpty()) menu->addAction(leading(i18n("Visit Source App's Website"), site, parent));
  const QString watching = Dialog::isWatching() ? i18n("Stop Tagging New Documents…")
                                                : i18n("Tag New Documents Automatically…");
  menu->addAction(entry(watching, icon("document-edit"), "watch", {}, parent));
  if (files.mayBeRemoved())
    menu->addAction(
        entry(i18n("Remove Source"), icon("edit-delete-remove"), "remove", paths, parent));
  auto *source = new QAction(QIcon::fromTheme(Emblem::generic()), i18n("Source"), parent);
  source->setMenu(menu);
  return found << source;
}
