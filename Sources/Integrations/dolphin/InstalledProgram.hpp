#ifndef DOCSOURCE_DOLPHIN_INSTALLEDPROGRAM_HPP
#define DOCSOURCE_DOLPHIN_INSTALLEDPROGRAM_HPP

#include <QString>

/// Programs of docsource.
namespace InstalledProgram {

/// The path of a program below the prefix below which the modules of the dialogs are, such as
/// `bin/docsource`; without it, the program's name, to be searched for in PATH.
QString path(const char *place);

}  // namespace InstalledProgram

#endif
