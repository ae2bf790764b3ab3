// wrapper DIRECTORY [without-fetching]: what documentsource.hpp promises, on files made in a
// directory.

#include <documentsource.hpp>

#include "check.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/xattr.h>
#include <type_traits>
#include <unistd.h>

using namespace std::string_literals;

static_assert(!std::is_copy_constructible_v<docsource::Fetch>);
static_assert(std::is_nothrow_move_constructible_v<docsource::Fetch>);
static_assert(std::is_nothrow_move_assignable_v<docsource::Fetch>);

// The error that a call throws.
template <typename Call>
static docsource::Error thrown(Call call) {
  try {
    call();
  } catch (const docsource::Error &error) {
    return error;
  }
  CHECK(!"nothing was thrown");
  std::abort();
}

static void check_files() {
  CHECK(!docsource::read("file"));
  CHECK(!docsource::remove("file"));
  docsource::Values values;
  values.identifier = "org.example.editor";
  values.name = "Editor";
  docsource::write("file"s, values);
  const int directory = open(".", O_RDONLY | O_CLOEXEC), file = open("file", O_RDONLY | O_CLOEXEC);
  for (const auto &named :
       {docsource::File("file"), docsource::File(directory, "file"), docsource::File(file)}) {
    const auto source = docsource::read(named);
    CHECK(source && source->identifier == "org.example.editor" && source->name == "Editor");
    CHECK(!source->path && !source->app_info_url && source->carrier == "user.x-document-source");
    CHECK(!docsource::may_have_more(named));
    values.name = "";
    docsource::write(named, values);
    CHECK(!docsource::read(named)->name);
    values.name = "Editor";
    docsource::write(named, values);
  }
  CHECK(docsource::remove(docsource::File(file)));
  close(directory), close(file);
}

static void check_errors() {
  const auto missing = thrown([] { docsource::read("missing"); });
  CHECK(missing.status() == DOCSOURCE_NOT_FOUND && missing.number() == ENOENT);
  CHECK(same(missing.what(), "cannot read document source: no such file or directory"));
  CHECK(!missing.reason() && !missing.offset() && !missing.carrier());
  CHECK(setxattr("file", "user.x-document-source", "bplist00garbage", 15, 0) == 0);
  const auto damaged = thrown([] { docsource::read("file"); });
  auto other = damaged;
  other = *&other;
  CHECK(other.status() == DOCSOURCE_DAMAGED && other.offset() == 15);
  CHECK(other.reason() == "too short for a binary property list");
  CHECK(other.carrier() == "user.x-document-source" && same(other.what(), damaged.what()));
  CHECK(docsource::remove("file"));
  CHECK(thrown([] { docsource::read(nullptr); }).status() == DOCSOURCE_NOT_FOUND);
}

// A text that holds a NUL, of which C would see the begin alone.
static void check_nul() {
  const auto name = "file\0.txt"s;
  docsource::Values values;
  values.name = "N";
  for (const auto &file : {docsource::File(name), docsource::File(AT_FDCWD, name)}) {
    const auto refused = thrown([&] { docsource::write(file, values); });
    CHECK(refused.status() == DOCSOURCE_INVALID_ARGUMENT && refused.number() == 0);
    CHECK(same(refused.what(), "invalid argument"));
    CHECK(thrown([&] { docsource::read(file); }).status() == DOCSOURCE_INVALID_ARGUMENT);
    CHECK(thrown([&] { docsource::remove(file); }).status() == DOCSOURCE_INVALID_ARGUMENT);
    CHECK(thrown([&] { docsource::trace(file); }).status() == DOCSOURCE_INVALID_ARGUMENT);
    CHECK(thrown([&] { docsource::may_have_more(file); }).status() == DOCSOURCE_INVALID_ARGUMENT);
  }
  CHECK(!docsource::read("file"));
  values.name = "a\0b"s;
  CHECK(thrown([&] { docsource::write("file", values); }).status() == DOCSOURCE_REFUSED);
  const auto url = "https://a.example/\0x"s;
  CHECK(thrown([&] { docsource::Fetch(url, 48); }).status() == DOCSOURCE_INVALID_ARGUMENT);
  CHECK(!docsource::find_icon("a.b\0c"s, "\0"s, 48).is_fetchable);
}

static void check_fetch() {
  // The stand-in ends at once, or not at all.
  docsource::Fetch slow("https://slow/", 48), other("https://cached/", 48);
  CHECK(slow.result() == DOCSOURCE_RUNNING && slow.picture().empty());
  docsource::Fetch moved(std::move(slow));
  CHECK(slow.descriptor() == -1 && moved.descriptor() >= 0);
  slow.cancel();
  CHECK(thrown([&] { slow.result(); }).status() == DOCSOURCE_INVALID_ARGUMENT);
  auto &itself = moved;
  moved = std::move(itself);
  CHECK(moved.result() == DOCSOURCE_RUNNING);
  moved = std::move(other);  // ends what it has run
  pollfd ended = {moved.descriptor(), POLLIN, 0};
  CHECK(poll(&ended, 1, 60000) == 1);
  CHECK(moved.result() == DOCSOURCE_OK && moved.picture().empty());
  docsource::Fetch failing("https://failed/", 48);
  ended.fd = failing.descriptor();
  CHECK(poll(&ended, 1, 60000) == 1);
  const auto failed = thrown([&] { failing.result(); });
  CHECK(failed.status() == DOCSOURCE_FETCH_FAILED && same(failed.what(), "one\ntwo"));
}

static void check_report() {
  CHECK(docsource::trace("file").marks.empty() && docsource::trace("file").is_complete);
  CHECK(setxattr("file", "user.xdg.origin.url", "https://a.example/x", 19, 0) == 0);
  CHECK(setxattr("file", "user.com.apple.quarantine", "x", 1, 0) == 0);
  const auto report = docsource::trace("file");
  CHECK(docsource::may_have_more("file") && !report.is_witnessed);
  CHECK((report.says
         == std::map<docsource_subject, std::string>{
             {DOCSOURCE_ABOUT_URL, "https://a.example/x"}}));
  CHECK(report.parts.size() == 1 && report.parts[0].kind == DOCSOURCE_PART_DOWNLOAD);
  CHECK(report.parts[0].origin == "a.example" && !report.parts[0].program && !report.is_doubtful);
  CHECK(report.marks.size() == 2 && report.contradictions.empty() && report.is_complete);
  const auto &damaged = report.marks[0], &origin = report.marks[1];
  CHECK(damaged.name == "com.apple.quarantine" && damaged.says.empty() && damaged.offset == 1);
  CHECK(damaged.failure == "damaged: the number of fields is not three or four");
  CHECK(origin.form == "attribute" && origin.carrier == "user.xdg.origin.url");
  CHECK(origin.trust == DOCSOURCE_TRUST_CLAIM && origin.says == report.says);
  CHECK(!origin.failure && !origin.offset && origin.content.size() == 19);
  CHECK(thrown([] { docsource::trace("missing"); }).status() == DOCSOURCE_NOT_FOUND);
}

int main(int count, char **words) {
  CHECK(count > 1 && chdir(words[1]) == 0);
  unlink("file");  // of an earlier run
  const int file = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  CHECK(file >= 0 && close(file) == 0);
  check_files();
  check_errors();
  check_nul();
  if (count == 2) check_fetch();
  check_report();
  std::puts("kept");
}
