#include "FileSources.hpp"

#include "ApplicationName.hpp"
#include "SourceSummary.hpp"
#include "SourceText.hpp"

#include <documentsource.hpp>

#include <QFile>
#include <QSet>

#include <algorithm>

/// The most files that are read.
static const int limit = 200;

FileSources::FileSources(const KFileItemList &items) {
  for (const KFileItem &item : items) {
    if (!item.url().isLocalFile()) continue;
    local << item.url().toLocalFile();
    if (local.size() > limit || item.isSlow()) continue;
    Source source{item.mimetype(), std::nullopt, std::nullopt};
    try {
      const auto found = docsource::read(QFile::encodeName(local.constLast()).toStdString());
      if (found) {
        source.identifier = found->identifier.value_or(std::string());
        source.appInfoURL = found->app_info_url;
      }
    } catch (const docsource::Error &error) {
      // What cannot be read has no source, or none that the menu could do anything with.
      source.isDamaged = error.status() == DOCSOURCE_DAMAGED;
    }
    sources.push_back(source);
  }
}

bool FileSources::areOpenedInSource() const {
  return isRead() && !sources.empty()
         && std::all_of(sources.begin(), sources.end(), [](const Source &source) {
              const KService::Ptr service = ApplicationName::service(source.identifier);
              return service && service->isApplication() && service->hasMimeType(source.mediaType);
            });
}

KService::Ptr FileSources::application() const {
  const bool isSame = std::all_of(sources.begin(), sources.end(), [&](const Source &source) {
    return source.identifier == sources.front().identifier;
  });
  return isSame && !sources.empty() ? ApplicationName::service(sources.front().identifier)
                                    : KService::Ptr();
}

bool FileSources::mayBeCopied() const {
  return !isRead() || std::any_of(local.begin(), local.end(), [](const QString &path) {
    return !SourceText::of(path).isEmpty();
  });
}

std::optional<QString> FileSources::address() const {
  return isRead() && local.size() == 1 ? SourceText::address(local.constFirst()) : std::nullopt;
}

QString FileSources::website() const {
  QSet<QString> sites;
  for (const Source &source : sources)
    sites << SourceSummary::website(source.appInfoURL, source.identifier);
  return isRead() && sites.size() == 1 ? *sites.constBegin() : QString();
}

bool FileSources::mayBeRemoved() const {
  return !isRead() || std::any_of(sources.begin(), sources.end(), [](const Source &source) {
              return source.identifier || source.isDamaged;
            });
}
