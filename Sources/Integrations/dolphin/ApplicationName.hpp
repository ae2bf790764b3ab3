#ifndef DOCSOURCE_DOLPHIN_APPLICATIONNAME_HPP
#define DOCSOURCE_DOLPHIN_APPLICATIONNAME_HPP

#include <KService>
#include <QString>

#include <optional>
#include <string>

namespace ApplicationName {

/// The installed application with an identifier; null if there is none.
KService::Ptr service(const std::optional<std::string> &identifier);

/// What an entry or a button is called that opens something in an application.
QString opening(const KService::Ptr &service);

/// What to call an application: in the user's language, if the stored name is that of the installed
/// application, or if no name is stored; else by the stored name or the identifier, escaped. Empty if
/// there is neither.
QString shown(const std::optional<std::string> &identifier, const std::optional<std::string> &name);

}  // namespace ApplicationName

#endif
