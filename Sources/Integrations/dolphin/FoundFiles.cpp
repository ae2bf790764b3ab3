#include "FoundFiles.hpp"

#include "ApplicationName.hpp"
#include "InstalledProgram.hpp"

#include <KFileSystemType>
#include <KIO/Global>

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>

/// The longest time of a search, and for which its files are used, in milliseconds.
static const int searched = 5000, fresh = 10000;
/// The longest line that is read; the longest value is half of that.
static const qint64 longestLine = 1 << 17;
static const int filesKept = 20000;

/// The user's folders for documents, downloads and so on, but for the home directory itself and
/// those on file systems that may keep one waiting.
static QStringList directories() {
  const QString home = QFileInfo(QDir::homePath()).canonicalFilePath();
  QStringList found;
  for (const auto location :
       {QStandardPaths::DesktopLocation, QStandardPaths::DocumentsLocation,
        QStandardPaths::DownloadLocation, QStandardPaths::MoviesLocation,
        QStandardPaths::MusicLocation, QStandardPaths::PicturesLocation}) {
    const QString place = QStandardPaths::writableLocation(location);
    const auto type = KFileSystemType::fileSystemType(place);
    if (type == KFileSystemType::Nfs || type == KFileSystemType::Smb
        || type == KFileSystemType::Fuse)
      continue;
    const QString path = QFileInfo(place).canonicalFilePath();
    if (!path.isEmpty() && path != home && path != QLatin1String("/")) found << path;
  }
  found.removeDuplicates();
  const QStringList all = found;
  const auto isBelowAnother = [&](const QString &path) {
    return std::any_of(all.begin(), all.end(), [&](const QString &other) {
      return path.startsWith(other + QLatin1Char('/'));
    });
  };
  found.erase(std::remove_if(found.begin(), found.end(), isBelowAnother), found.end());
  return found;
}

const QMap<QString, FoundFiles::Application> &FoundFiles::applications() {
  if (!age.isValid() || age.hasExpired(fresh)) {
    search();
    age.start();
  }
  return found;
}

void FoundFiles::search() {
  found.clear();
  const QStringList places = directories();
  if (places.isEmpty()) return;
  QProcess process;
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardErrorFile(QProcess::nullDevice());
  process.start(
      InstalledProgram::path("bin/docsource"),
      QStringList{QStringLiteral("find"), QStringLiteral("--json"), QStringLiteral("--no-hidden"),
                  QStringLiteral("--one-file-system"), QStringLiteral("--type=f"),
                  QStringLiteral("--")}
          + places);
  const QDeadlineTimer deadline(searched);
  int count = 0;
  while (count < filesKept && !deadline.hasExpired()) {
    if (!process.canReadLine()) {
      if (process.bytesAvailable() > longestLine
          || !process.waitForReadyRead(static_cast<int>(deadline.remainingTime())))
        break;
      continue;
    }
    add(process.readLine(longestLine));
    ++count;
  }
  process.kill();
  process.waitForFinished(1000);
}

void FoundFiles::add(const QByteArray &line) {
  const QJsonObject object = QJsonDocument::fromJson(line).object();
  const QString encoded = object.value(QLatin1String("fileBase64")).toString();
  const QByteArray path = encoded.isEmpty()
                              ? QFile::encodeName(object.value(QLatin1String("file")).toString())
                              : QByteArray::fromBase64(encoded.toLatin1());
  const QJsonObject source = object.value(QLatin1String("source")).toObject();
  const QString identifier = source.value(QLatin1String("identifier")).toString();
  const QString name = source.value(QLatin1String("name")).toString();
  QString key = KIO::encodeFileName(identifier.isEmpty() ? name : identifier);
  if (path.isEmpty() || key.isEmpty()) return;
  if (key.startsWith(QLatin1Char('.'))) key.prepend(QLatin1Char('_'));
  Application &application = found[key];
  if (application.name.isEmpty()) {
    const std::string id = identifier.toStdString();
    application.name = ApplicationName::shown(id, name.toStdString());
    const KService::Ptr service = ApplicationName::service(id);
    if (service) application.icon = service->icon();
  }
  const QFileInfo file(QFile::decodeName(path));
  QString unique = file.fileName();
  for (int number = 2; application.files.contains(unique) && number <= filesKept; ++number)
    unique = QStringLiteral("%1 (%2)%3")
                 .arg(file.completeBaseName())
                 .arg(number)
                 .arg(file.suffix().isEmpty() ? QString() : QLatin1Char('.') + file.suffix());
  application.files.insert(unique, path);
}
