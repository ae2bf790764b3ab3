#ifndef DOCSOURCE_DOLPHIN_EMBLEMPLUGIN_HPP
#define DOCSOURCE_DOLPHIN_EMBLEMPLUGIN_HPP

#include "EmblemCache.hpp"

#include <KOverlayIconPlugin>

/// Puts an emblem on files that have a document source: that of the source application.
///
/// The host makes one for all its windows.
class EmblemPlugin : public KOverlayIconPlugin {
  Q_OBJECT
  Q_PLUGIN_METADATA(IID "org.docsource.EmblemPlugin" FILE "docsource-overlay.json")

 public:
  EmblemPlugin();

  QStringList getOverlays(const QUrl &item) override;

 private:
  EmblemCache cache;
};

#endif
