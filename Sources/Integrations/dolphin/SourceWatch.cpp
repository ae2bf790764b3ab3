#include "SourceWatch.hpp"

#include "Background.hpp"
#include "Log.hpp"

#include <documentsource.hpp>

#include <QSocketNotifier>

#include <cerrno>
#include <cstring>
#include <sys/inotify.h>
#include <unistd.h>

SourceWatch::~SourceWatch() {
  if (notifications >= 0) close(notifications);
}

void SourceWatch::read(const QByteArray &directory, const QByteArray &name) {
  // First, so that no change falls between the two.
  watch(directory);
  bool hasSource = false;
  QString identifier;
  Background::guarded("read", [&] {
    try {
      if (const auto source = docsource::read(QByteArray(directory + '/' + name).toStdString())) {
        hasSource = true;
        identifier = QString::fromStdString(source->identifier.value_or(std::string()));
      }
    } catch (const docsource::Error &) {
      // A file that is gone or cannot be read, and a damaged value, have no emblem.
    }
  });
  Q_EMIT wasRead(directory, name, hasSource, identifier);
}

void SourceWatch::forget(const QByteArray &directory) {
  const int watch = watches.take(directory);
  if (directories.remove(watch) != 0) inotify_rm_watch(notifications, watch);
}

void SourceWatch::watch(const QByteArray &directory) {
  if (watches.contains(directory)) return;
  if (notifications < 0) {
    notifications = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (notifications < 0) return;
    auto *notifier = new QSocketNotifier(notifications, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &SourceWatch::takeEvents);
  }
  // A changed attribute is told by IN_ATTRIB, a file in the place of another by the rest.
  const int watch = inotify_add_watch(
      notifications, directory.isEmpty() ? "/" : directory.constData(),
      IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0) {
    qCDebug(DOCSOURCE_DOLPHIN, "not watched: %s", std::strerror(errno));
    return;
  }
  // Two paths may lead to one directory; the later one is told of changes.
  watches.insert(directory, watch);
  directories.insert(watch, directory);
}

void SourceWatch::takeEvents() {
  alignas(inotify_event) char buffer[64 * 1024];
  const ssize_t size = ::read(notifications, buffer, sizeof buffer);
  for (ssize_t place = 0; place < size;) {
    const auto *event = reinterpret_cast<const inotify_event *>(buffer + place);
    place += static_cast<ssize_t>(sizeof *event + event->len);
    if ((event->mask & IN_Q_OVERFLOW) != 0) {
      Q_EMIT hasMissedChanges();
    } else if ((event->mask & IN_IGNORED) != 0) {
      // The directory is gone, or `forget` was told.
      watches.remove(directories.take(event->wd));
    } else if (event->len > 0 && directories.contains(event->wd)) {
      Q_EMIT hasChanged(directories.value(event->wd), QByteArray(event->name));
    }
  }
}
