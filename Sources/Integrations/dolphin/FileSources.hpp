#ifndef DOCSOURCE_DOLPHIN_FILESOURCES_HPP
#define DOCSOURCE_DOLPHIN_FILESOURCES_HPP

#include <KFileItem>
#include <KService>

#include <QStringList>

#include <optional>
#include <string>
#include <vector>

/// The sources of the files that a menu is for, as far as they are read: neither many files nor slow
/// file systems may keep the menu waiting.
class FileSources {
 public:
  /// Reads the local ones.
  explicit FileSources(const KFileItemList &items);

  QStringList paths() const { return local; }

  /// Whether all files came from applications that are installed and declare their types.
  bool areOpenedInSource() const;

  /// The application that all files came from; null if they came from several, or none is installed.
  KService::Ptr application() const;

  /// Whether any of the files says where it came from, or was not read.
  bool mayBeCopied() const;

  /// The address that a single file was downloaded from, or linked from.
  std::optional<QString> address() const;

  /// The website of the applications that all files came from; empty if these have none or several.
  QString website() const;

  /// Whether any of the files has a source of its own, or was not read.
  bool mayBeRemoved() const;

 private:
  bool isRead() const { return static_cast<int>(sources.size()) == local.size(); }

  struct Source {
    QString mediaType;
    /// Of a file with a source; of an application without one it is empty.
    std::optional<std::string> identifier;
    std::optional<std::string> appInfoURL;
    bool isDamaged = false;
  };

  QStringList local;
  std::vector<Source> sources;
};

#endif
