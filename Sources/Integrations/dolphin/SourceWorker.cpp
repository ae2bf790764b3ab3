#include "SourceWorker.hpp"

#include "Log.hpp"
#include "ShownText.hpp"

#include <KIO/Global>
#include <KIO/UDSEntry>
#include <KLocalizedString>

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <sys/stat.h>

/// What the URL's protocol is read of.
class SourceWorkerData : public QObject {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID "org.docsource.SourceWorker" FILE "docsource-source.json")
};

SourceWorker::SourceWorker(const QByteArray &pool, const QByteArray &application)
    : WorkerBase(QByteArrayLiteral("source"), pool, application) {}

/// The parts of the path: of an application, and of a file.
static QStringList parts(const QUrl &url) {
  return url.path().split(QLatin1Char('/'), Qt::SkipEmptyParts);
}

static KIO::UDSEntry folder(const QString &name, const QString &shown, const QString &icon) {
  KIO::UDSEntry entry;
  entry.fastInsert(KIO::UDSEntry::UDS_NAME, name);
  entry.fastInsert(KIO::UDSEntry::UDS_DISPLAY_NAME, shown);
  entry.fastInsert(KIO::UDSEntry::UDS_FILE_TYPE, S_IFDIR);
  entry.fastInsert(KIO::UDSEntry::UDS_ACCESS, S_IRUSR | S_IXUSR);
  entry.fastInsert(KIO::UDSEntry::UDS_MIME_TYPE, QStringLiteral("inode/directory"));
  if (!icon.isEmpty()) entry.fastInsert(KIO::UDSEntry::UDS_ICON_NAME, icon);
  return entry;
}

static KIO::UDSEntry file(const QString &name, const QByteArray &path) {
  const QString local = QFile::decodeName(path);
  const QFileInfo info(local);
  KIO::UDSEntry entry;
  entry.fastInsert(KIO::UDSEntry::UDS_NAME, name);
  entry.fastInsert(KIO::UDSEntry::UDS_DISPLAY_NAME, ShownText::escaped(name.toStdString()));
  entry.fastInsert(KIO::UDSEntry::UDS_FILE_TYPE, S_IFREG);
  entry.fastInsert(KIO::UDSEntry::UDS_ACCESS, S_IRUSR);
  entry.fastInsert(KIO::UDSEntry::UDS_SIZE, info.size());
  entry.fastInsert(KIO::UDSEntry::UDS_MODIFICATION_TIME, info.lastModified().toSecsSinceEpoch());
  entry.fastInsert(KIO::UDSEntry::UDS_LOCAL_PATH, local);
  entry.fastInsert(KIO::UDSEntry::UDS_TARGET_URL, QUrl::fromLocalFile(local).toString());
  return entry;
}

/// The folder itself, which a listing has, too.
static KIO::UDSEntry root() {
  return folder(
      QStringLiteral("."), i18n("Files by Source"), QStringLiteral("org.docsource.Dialog"));
}

static KIO::WorkerResult isMissing(const QUrl &url) {
  return KIO::WorkerResult::fail(KIO::ERR_DOES_NOT_EXIST, url.toDisplayString());
}

KIO::WorkerResult SourceWorker::listDir(const QUrl &url) {
  const auto &applications = files.applications();
  const QStringList names = parts(url);
  if (names.size() > 1) return isMissing(url);
  if (names.isEmpty()) {
    listEntry(root());
    for (auto one = applications.begin(); one != applications.end(); ++one) {
      qCDebug(DOCSOURCE_DOLPHIN) << "listed" << one.key() << one->name;
      listEntry(folder(one.key(), one->name, one->icon));
    }
  } else {
    const auto one = applications.find(names[0]);
    if (one == applications.end()) return isMissing(url);
    listEntry(folder(QStringLiteral("."), one->name, one->icon));
    for (auto each = one->files.begin(); each != one->files.end(); ++each) {
      qCDebug(DOCSOURCE_DOLPHIN) << "listed" << each.key() << QFile::decodeName(each.value());
      listEntry(file(each.key(), each.value()));
    }
  }
  return KIO::WorkerResult::pass();
}

KIO::WorkerResult SourceWorker::stat(const QUrl &url) {
  const QStringList names = parts(url);
  if (names.isEmpty()) {
    statEntry(root());
    return KIO::WorkerResult::pass();
  }
  const auto &applications = files.applications();
  const auto one = applications.find(names[0]);
  if (one == applications.end() || names.size() > 2) return isMissing(url);
  if (names.size() == 1) {
    statEntry(folder(one.key(), one->name, one->icon));
    return KIO::WorkerResult::pass();
  }
  const auto each = one->files.find(names[1]);
  if (each == one->files.end()) return isMissing(url);
  statEntry(file(each.key(), each.value()));
  return KIO::WorkerResult::pass();
}

KIO::WorkerResult SourceWorker::mimetype(const QUrl &url) {
  if (parts(url).size() == 2) return redirect(url);
  mimeType(QStringLiteral("inode/directory"));
  return KIO::WorkerResult::pass();
}

KIO::WorkerResult SourceWorker::get(const QUrl &url) {
  return parts(url).size() == 2
             ? redirect(url)
             : KIO::WorkerResult::fail(KIO::ERR_IS_DIRECTORY, url.toDisplayString());
}

KIO::WorkerResult SourceWorker::redirect(const QUrl &url) {
  const QStringList names = parts(url);
  const auto &applications = files.applications();
  const auto one = applications.find(names[0]);
  if (one == applications.end()) return isMissing(url);
  const auto each = one->files.find(names[1]);
  if (each == one->files.end()) return isMissing(url);
  redirection(QUrl::fromLocalFile(QFile::decodeName(each.value())));
  return KIO::WorkerResult::pass();
}

/// What kioslave5 calls, in a process of its own.
extern "C" Q_DECL_EXPORT int kdemain(int count, char **words) {
  QCoreApplication application(count, words);
  application.setApplicationName(QStringLiteral("kio_source"));
  if (count != 4) return 64;
  SourceWorker worker(words[2], words[3]);
  worker.dispatchLoop();
  return 0;
}

#include "SourceWorker.moc"
