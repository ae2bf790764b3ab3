#include "Background.hpp"

#include "Log.hpp"

#include <exception>

void Background::end(QThread *thread) {
  thread->quit();
  if (thread->wait(500)) delete thread;
}

void Background::start(QThread *thread) {
  QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
  thread->start(QThread::LowPriority);
}

void Background::guarded(const char *what, const std::function<void()> &work) noexcept {
  try {
    work();
  } catch (const std::exception &error) {
    qCWarning(DOCSOURCE_DOLPHIN, "%s: %s", what, error.what());
  } catch (...) {
    qCWarning(DOCSOURCE_DOLPHIN, "%s failed", what);
  }
}
