#ifndef DOCSOURCE_DOLPHIN_SHOWNTEXT_HPP
#define DOCSOURCE_DOLPHIN_SHOWNTEXT_HPP

#include <QString>

#include <string>

/// Untrusted texts, made safe to show.
namespace ShownText {

/// A text as docsource shows it: what is invisible or turns the direction of writing is escaped.
QString escaped(const std::string &text);

/// An escaped path for a line of a page, with the name of the file in it.
QString shortenedPath(const QString &path);

/// A text of the translations with values in the places of `{}`.
QString filled(const QString &text, const QString &first, const QString &second = QString());

}  // namespace ShownText

#endif
