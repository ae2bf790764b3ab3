#ifndef DOCSOURCE_DOLPHIN_SOURCETEXT_HPP
#define DOCSOURCE_DOLPHIN_SOURCETEXT_HPP

#include <QString>
#include <QStringList>

#include <optional>

/// What files say of where they came from, as texts to be copied. Reading may take as long as a file
/// system does.
namespace SourceText {

/// The source of a file as `docsource show` prints it, or else the short answer of all marks; empty if
/// the file says nothing.
QString of(const QString &path);

/// The sources of files, without those that say nothing.
QString of(const QStringList &paths);

/// The address that a file was downloaded from, or linked from.
std::optional<QString> address(const QString &path);

}  // namespace SourceText

#endif
