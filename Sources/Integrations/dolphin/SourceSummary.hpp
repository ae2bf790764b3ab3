#ifndef DOCSOURCE_DOLPHIN_SOURCESUMMARY_HPP
#define DOCSOURCE_DOLPHIN_SOURCESUMMARY_HPP

#include <QString>

#include <optional>
#include <string>
#include <vector>

/// A picture of the source application.
struct SourceIcon {
  /// Of a PNG or SVG; empty where there is none of this application.
  QString path;
  bool isFetchable = false;

  /// What there is without the network. May take as long as a file system does.
  static SourceIcon find(const std::optional<std::string> &identifier,
                         const std::optional<std::string> &appInfoURL, double points, double scale);
  /// Has a better one fetched, by a program that asks trusted hosts only, and waits for that.
  static SourceIcon fetch(const std::optional<std::string> &identifier,
                          const std::optional<std::string> &appInfoURL, double points,
                          double scale);
};

/// What the marks of a file say. Reading it may take as long as a file system does.
struct SourceSummary {
  struct Line {
    QString label;
    QString text;
    /// What the text leads to, where it does.
    QString link;
    /// The whole of a shortened text.
    QString tip;
  };

  /// None where the file does not say where it came from.
  std::vector<Line> lines;
  std::optional<std::string> identifier;
  std::optional<std::string> name;
  /// Whether marks name different applications; the lines then have all of them.
  bool isNameDisputed = false;
  std::optional<std::string> appInfoURL;
  /// What the file was downloaded from, or linked from.
  std::optional<std::string> address;

  static SourceSummary read(const QString &path);

  /// The site where the application's icons are listed, if it is the maker's own by its name; else empty.
  static QString website(const std::optional<std::string> &appInfoURL,
                         const std::optional<std::string> &identifier);
};

#endif
