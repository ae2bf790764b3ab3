#ifndef DOCSOURCE_DOLPHIN_BACKGROUND_HPP
#define DOCSOURCE_DOLPHIN_BACKGROUND_HPP

#include <QObject>
#include <QThread>

#include <functional>
#include <memory>

/// Work that may have to wait for a file system, in a thread of its own.
///
/// A file system that never answers keeps the thread, but neither the host nor its end: who is done
/// with such a thread lets it go.
namespace Background {

/// Ends a thread with an event loop, or lets it go where it is waiting.
void end(QThread *thread);

/// Lets a thread that ends by itself clean up after itself.
void start(QThread *thread);

/// Does work in the background and hands its result on in the thread of `receiver`, unless that is
/// gone by then. Exceptions of the work are logged, and nothing is handed on.
template <typename Result>
void run(QObject *receiver, std::function<Result()> work, std::function<void(Result)> then);

/// Does what must not throw, and logs what it throws.
void guarded(const char *what, const std::function<void()> &work) noexcept;

template <typename Result>
void run(QObject *receiver, std::function<Result()> work, std::function<void(Result)> then) {
  const auto result = std::make_shared<std::unique_ptr<Result>>();
  QThread *thread = QThread::create([work, result] {
    guarded("background", [&] { *result = std::make_unique<Result>(work()); });
  });
  QObject::connect(thread, &QThread::finished, receiver, [result, then] {
    if (*result) guarded("result", [&] { then(std::move(**result)); });
  });
  start(thread);
}

}  // namespace Background

#endif
