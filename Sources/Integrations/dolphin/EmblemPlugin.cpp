#include "EmblemPlugin.hpp"

#include "Background.hpp"

#include <QUrl>

static QStringList overlays(const QString &emblem) {
  return emblem.isEmpty() ? QStringList() : QStringList(emblem);
}

EmblemPlugin::EmblemPlugin() {
  connect(&cache, &EmblemCache::changed, this, [this](const QUrl &file, const QString &emblem) {
    Q_EMIT overlaysChanged(file, overlays(emblem));
  });
}

QStringList EmblemPlugin::getOverlays(const QUrl &item) {
  QString emblem;
  Background::guarded("getOverlays", [&] { emblem = cache.emblem(item); });
  return overlays(emblem);
}
