#ifndef DOCSOURCE_DOLPHIN_DIALOG_HPP
#define DOCSOURCE_DOLPHIN_DIALOG_HPP

#include <QStringList>

class QWidget;

/// The program that shows the dialogs, which all file managers share.
namespace Dialog {

/// Starts it above the window of a widget, and as dark as that is.
void start(const char *verb, const QStringList &paths, const QWidget *widget);

/// Whether the user's new documents are tagged automatically, if the service runs.
bool isWatching();

}  // namespace Dialog

#endif
