#ifndef DOCSOURCE_DOLPHIN_SOURCESUMMARY_HPP
#define DOCSOURCE_DOLPHIN_SOURCESUMMARY_HPP

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

/// A picture of the source application.
struct SourceIcon {
  /// Of a PNG or SVG; empty where there is none.
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

/// What the sources of files say together. Reading it may take as long as a file system does.
struct SourceSummary {
  struct Line {
    QString label;
    QString text;
    /// What the text leads to, where it does.
    QString link;
  };

  std::vector<Line> lines;
  /// Of the application, if all come from one.
  std::optional<std::string> identifier;
  std::optional<std::string> appInfoURL;
  bool hasOneApplication = false;
  int damaged = 0;
  int sources = 0;

  static SourceSummary read(const QStringList &paths);
};

#endif
