#ifndef DOCSOURCE_DOLPHIN_SOURCEWATCH_HPP
#define DOCSOURCE_DOLPHIN_SOURCEWATCH_HPP

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>

/// What a file says of where it came from.
enum class SourceKind { None, Application, Marked, Damaged, Doubtful };

/// Reads the sources of files and tells when they may have changed, in a thread of its own.
///
/// A directory is the path before the slash before the name: that of the root is empty.
class SourceWatch : public QObject {
  Q_OBJECT

 public:
  SourceWatch() = default;
  ~SourceWatch() override;
  Q_DISABLE_COPY_MOVE(SourceWatch)

 public Q_SLOTS:
  /// Reads a file's source and answers by `wasRead`. From the first file of a directory on, that is
  /// watched.
  void read(const QByteArray &directory, const QByteArray &name);
  /// Watches a directory no longer.
  void forget(const QByteArray &directory);

 Q_SIGNALS:
  /// What a file has; of an application the identifier, where it has one.
  void wasRead(const QByteArray &directory, const QByteArray &name, SourceKind kind,
               const QString &identifier);
  void hasChanged(const QByteArray &directory, const QByteArray &name);
  /// Changes were missed: any file may be another.
  void hasMissedChanges();

 private:
  void watch(const QByteArray &directory);
  void takeEvents();

  int notifications = -1;
  QHash<QByteArray, int> watches;
  QHash<int, QByteArray> directories;
};

#endif
