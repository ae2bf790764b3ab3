#ifndef DOCSOURCE_DOLPHIN_FOUNDFILES_HPP
#define DOCSOURCE_DOLPHIN_FOUNDFILES_HPP

#include <QByteArray>
#include <QElapsedTimer>
#include <QMap>
#include <QString>

/// The user's files by the applications they came from, found without an index.
class FoundFiles {
 public:
  struct Application {
    /// In the user's language, safe to show.
    QString name;
    /// Of the icon theme; empty if the application is not installed.
    QString icon;
    /// The paths of the files by names that are unique among them.
    QMap<QString, QByteArray> files;
  };

  /// The applications by names that a folder can have: their identifiers, or else their names.
  ///
  /// `docsource find` searches for a few seconds at most; what it has found until then counts, for
  /// some more seconds, while somebody looks around.
  const QMap<QString, Application> &applications();

 private:
  void search();
  void add(const QByteArray &line);

  QMap<QString, Application> found;
  QElapsedTimer age;
};

#endif
