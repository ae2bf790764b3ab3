#ifndef DOCSOURCE_DOLPHIN_EMBLEM_HPP
#define DOCSOURCE_DOLPHIN_EMBLEM_HPP

#include <QString>

/// The names under which the icon theme has emblems.
namespace Emblem {

/// That of any document source, which is shipped with docsource, as the next three are.
QString generic();

/// That of files that say where they came from, but name no application.
QString marked();

/// That of files with a damaged source.
QString damaged();

/// That of files with marks that contradict each other.
QString doubtful();

/// That of an application's own icon, where the theme has one, else the generic one. Belongs to the
/// main thread.
QString ofApplication(const QString &identifier);

}  // namespace Emblem

#endif
