#include "Log.hpp"

Q_LOGGING_CATEGORY(DOCSOURCE_DOLPHIN, "docsource.dolphin", QtWarningMsg)
