#ifndef DOCSOURCE_DOLPHIN_EMBLEMCACHE_HPP
#define DOCSOURCE_DOLPHIN_EMBLEMCACHE_HPP

#include "SourceWatch.hpp"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

class QThread;
class QUrl;

/// The emblems of the files that are looked at.
///
/// Nothing waits for a file: what is not known yet is read in the background. Belongs to the main
/// thread.
class EmblemCache : public QObject {
  Q_OBJECT

 public:
  EmblemCache();
  ~EmblemCache() override;
  Q_DISABLE_COPY_MOVE(EmblemCache)

  /// The name of a file's emblem; empty where it has no source, or none that is known yet.
  QString emblem(const QUrl &file);

 Q_SIGNALS:
  void changed(const QUrl &file, const QString &emblem);

 private:
  /// The emblems of files by their names.
  using Directory = QHash<QByteArray, QString>;

  Directory &used(const QByteArray &path);
  void read(const QByteArray &directory, const QByteArray &name);
  void take(const QByteArray &directory, const QByteArray &name, SourceKind kind,
            const QString &identifier);
  void readAgain(const QByteArray &directory, const QByteArray &name);
  void readAllAgain();

  QThread *thread;
  SourceWatch *watch;
  QHash<QByteArray, Directory> directories;
  /// Their paths, that of the one used last at the end.
  QList<QByteArray> order;
};

#endif
