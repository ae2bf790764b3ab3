#ifndef DOCSOURCE_DOLPHIN_ACTIONPLUGIN_HPP
#define DOCSOURCE_DOLPHIN_ACTIONPLUGIN_HPP

#include <KAbstractFileItemActionPlugin>

#include <QVariantList>

class FileSources;

/// Adds the entries to the context menu of files that the other file managers have: sharing and opening
/// in the menu itself, the rest in a submenu.
class ActionPlugin : public KAbstractFileItemActionPlugin {
  Q_OBJECT

 public:
  explicit ActionPlugin(QObject *parent, const QVariantList & = {});

  QList<QAction *> actions(const KFileItemListProperties &selection, QWidget *parent) override;

 private:
  QList<QAction *> entries(const FileSources &files, QWidget *parent);
};

#endif
