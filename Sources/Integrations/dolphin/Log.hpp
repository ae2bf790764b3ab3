#ifndef DOCSOURCE_DOLPHIN_LOG_HPP
#define DOCSOURCE_DOLPHIN_LOG_HPP

#include <QLoggingCategory>

/// What is shown of which file: with QT_LOGGING_RULES=docsource.dolphin.debug=true on standard error.
Q_DECLARE_LOGGING_CATEGORY(DOCSOURCE_DOLPHIN)

#endif
