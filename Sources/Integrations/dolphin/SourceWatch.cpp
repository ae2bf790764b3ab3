#include "SourceWatch.hpp"

#include "Background.hpp"
#include "Log.hpp"

#include <documentsource.hpp>

#include <QSocketNotifier>

#include <cerrno>
#include <cstring>
#include <sys/inotify.h>
#include <unistd.h>

namespace {

struct Found {
  SourceKind kind = SourceKind::None;
  QString identifier;
};

/// What all marks of a file say.
Found readMarks(const std::string &path) {
  try {
    const docsource::Report report = docsource::trace(path);
    if (report.is_doubtful) return {SourceKind::Doubtful, QString()};
    const auto identifier = report.says.find(DOCSOURCE_ABOUT_IDENTIFIER);
    if (identifier != report.says.end())
      return {SourceKind::Application, QString::fromStdString(identifier->second)};
    if (report.says.count(DOCSOURCE_ABOUT_NAME) != 0) return {SourceKind::Application, QString()};
    if (!report.parts.empty()) return {SourceKind::Marked, QString()};
    for (const docsource::Mark &mark : report.marks)
      if (mark.offset) return {SourceKind::Damaged, QString()};
  } catch (const docsource::Error &) {
    // A file that is gone or cannot be read has no emblem.
  }
  return {};
}

Found readSource(const std::string &path) {
  try {
    if (const auto source = docsource::read(path)) {
      if (docsource::may_have_more(path)) {
        const Found marks = readMarks(path);
        if (marks.kind == SourceKind::Doubtful) return marks;
      }
      return {SourceKind::Application,
              QString::fromStdString(source->identifier.value_or(std::string()))};
    }
  } catch (const docsource::Error &error) {
    if (error.status() == DOCSOURCE_DAMAGED) return {SourceKind::Damaged, QString()};
    if (error.status() != DOCSOURCE_NOT_SUPPORTED) return {};
  }
  return readMarks(path);
}

/// The file whose marks a file with a name may have, which lies beside it: an AppleDouble file, or a
/// stream of Windows as it is kept where there are none, perhaps with another colon.
QByteArray markedBeside(const QByteArray &name) {
  if (name.startsWith("._")) return name.mid(2);
  const int colon = name.indexOf(':'), other = name.indexOf("\xef\x80\xba");
  return name.left(colon > 0 ? colon : other > 0 ? other : 0);
}

}  // namespace

SourceWatch::~SourceWatch() {
  if (notifications >= 0) close(notifications);
}

void SourceWatch::read(const QByteArray &directory, const QByteArray &name) {
  // First, so that no change falls between the two.
  watch(directory);
  Found found;
  Background::guarded("read", [&] {
    found = readSource(QByteArray(directory + '/' + name).toStdString());
  });
  Q_EMIT wasRead(directory, name, found.kind, found.identifier);
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
  // A changed attribute is reported as IN_ATTRIB, a file in the place of another by the rest; what
  // is written counts if the file has marks of another one.
  const int watch = inotify_add_watch(
      notifications, directory.isEmpty() ? "/" : directory.constData(),
      IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
          | IN_ONLYDIR);
  if (watch < 0) {
    qCDebug(DOCSOURCE_DOLPHIN, "not watched: %s", std::strerror(errno));
    return;
  }
  // Two paths may lead to one directory; changes are reported for the later one.
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
      // The directory is gone, or `forget` was called.
      watches.remove(directories.take(event->wd));
    } else if (event->len > 0 && directories.contains(event->wd)) {
      const QByteArray name(event->name), marked = markedBeside(name);
      if ((event->mask & IN_CLOSE_WRITE) == 0) Q_EMIT hasChanged(directories.value(event->wd), name);
      if (!marked.isEmpty()) Q_EMIT hasChanged(directories.value(event->wd), marked);
    }
  }
}
