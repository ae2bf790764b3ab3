#include "EmblemCache.hpp"

#include "Background.hpp"
#include "Emblem.hpp"
#include "Log.hpp"

#include <QFile>
#include <QThread>
#include <QUrl>

namespace {

/// As many are watched.
const int rememberedDirectories = 256;

}  // namespace

EmblemCache::EmblemCache() : thread(new QThread), watch(new SourceWatch) {
  qRegisterMetaType<SourceKind>("SourceKind");
  watch->moveToThread(thread);
  connect(thread, &QThread::finished, watch, &QObject::deleteLater);
  connect(watch, &SourceWatch::wasRead, this, &EmblemCache::take);
  connect(watch, &SourceWatch::hasChanged, this, &EmblemCache::readAgain);
  connect(watch, &SourceWatch::hasMissedChanges, this, &EmblemCache::readAllAgain);
  thread->start(QThread::LowPriority);
}

EmblemCache::~EmblemCache() { Background::end(thread); }

QString EmblemCache::emblem(const QUrl &file) {
  if (!file.isLocalFile()) return QString();
  const QByteArray path = QFile::encodeName(file.adjusted(QUrl::StripTrailingSlash).toLocalFile());
  const int slash = path.lastIndexOf('/');
  // The root has no name in a directory.
  if (slash < 0 || slash == path.size() - 1) return QString();
  const QByteArray parent = path.left(slash);
  const QByteArray name = path.mid(slash + 1);
  Directory &directory = used(parent);
  const auto known = directory.constFind(name);
  if (known != directory.constEnd()) return *known;
  directory.insert(name, QString());
  read(parent, name);
  return QString();
}

EmblemCache::Directory &EmblemCache::used(const QByteArray &path) {
  if (order.isEmpty() || order.constLast() != path) {
    order.removeOne(path);
    order.append(path);
  }
  if (order.size() > rememberedDirectories) {
    const QByteArray oldest = order.takeFirst();
    directories.remove(oldest);
    QMetaObject::invokeMethod(watch, [watch = watch, oldest] { watch->forget(oldest); });
  }
  return directories[path];
}

void EmblemCache::read(const QByteArray &directory, const QByteArray &name) {
  QMetaObject::invokeMethod(
      watch, [watch = watch, directory, name] { watch->read(directory, name); });
}

void EmblemCache::readAgain(const QByteArray &directory, const QByteArray &name) {
  const auto known = directories.constFind(directory);
  // Of files that were never asked for nothing is to be known.
  if (known != directories.constEnd() && known->contains(name)) read(directory, name);
}

void EmblemCache::readAllAgain() {
  for (auto directory = directories.constBegin(); directory != directories.constEnd(); ++directory)
    for (auto file = directory->constBegin(); file != directory->constEnd(); ++file)
      read(directory.key(), file.key());
}

static QString emblemOf(SourceKind kind, const QString &identifier) {
  switch (kind) {
    case SourceKind::Application:
      return Emblem::ofApplication(identifier);
    case SourceKind::Marked:
      return Emblem::marked();
    case SourceKind::Damaged:
      return Emblem::damaged();
    case SourceKind::Doubtful:
      return Emblem::doubtful();
    case SourceKind::None:
      break;
  }
  return QString();
}

void EmblemCache::take(const QByteArray &directory, const QByteArray &name, SourceKind kind,
                       const QString &identifier) {
  Background::guarded("emblem", [&] {
    const auto known = directories.find(directory);
    if (known == directories.end()) return;
    const auto file = known->find(name);
    if (file == known->end()) return;
    const QString emblem = emblemOf(kind, identifier);
    if (*file == emblem) return;
    *file = emblem;
    const QString path = QFile::decodeName(directory + '/' + name);
    qCDebug(DOCSOURCE_DOLPHIN) << "emblem" << path << emblem;
    Q_EMIT changed(QUrl::fromLocalFile(path), emblem);
  });
}
