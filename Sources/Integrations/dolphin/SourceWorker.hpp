#ifndef DOCSOURCE_DOLPHIN_SOURCEWORKER_HPP
#define DOCSOURCE_DOLPHIN_SOURCEWORKER_HPP

#include "FoundFiles.hpp"

#include <KIO/WorkerBase>

#include <QByteArray>
#include <QUrl>

/// Answers for `source:/`: a folder for each application that files came from, with these files in it.
///
/// Nothing is written. Files are where they are; who opens one is sent there.
class SourceWorker : public KIO::WorkerBase {
 public:
  SourceWorker(const QByteArray &pool, const QByteArray &application);

  KIO::WorkerResult listDir(const QUrl &url) override;
  KIO::WorkerResult stat(const QUrl &url) override;
  KIO::WorkerResult mimetype(const QUrl &url) override;
  KIO::WorkerResult get(const QUrl &url) override;

 private:
  /// Sends the caller to the file that a URL stands for.
  KIO::WorkerResult redirect(const QUrl &url);

  FoundFiles files;
};

#endif
