import Applications
import FuzzInput
import Glibc
import LinuxSystem

/// Reads an input as a desktop entry and as the user's list of applications, and changes that:
/// nothing traps, and nothing else of the list is lost.
@c(LLVMFuzzerTestOneInput)
public func fuzzApplications(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let path = FilePath("input")
  let entry = DesktopEntry(input, identifier: "input", path: path)
  let locale = MessageLocale { $0 == "LANG" ? "de_AT.UTF-8@x" : nil }
  for name in [entry.name, entry.name(in: locale)] {
    claim(name.map { !$0.isEmpty && !$0.utf8.contains(0) } ?? true, "an entry has a bad name")
  }
  claim(entry.icon.map { !$0.isEmpty } ?? true, "an icon has no name")
  do throws(UserFile.Failure) {
    change(input, try ApplicationRegistry(json: input, path: path))
  } catch {
    claim(!error.reason.isEmpty, "a failure has no words")
  }
  return 0
}

private let home = "/dev/shm/docsource-fuzz-\(getpid())"
private let places = BaseDirectories { $0 == "XDG_CONFIG_HOME" ? Array(home.utf8) : nil }

private func change(_ input: [UInt8], _ before: ApplicationRegistry) {
  let identifier = "org.example.fuzz"
  do throws(UserFile.Failure) {
    let path = try ApplicationRegistry.path(places)
    write(input, to: path)
    let outcome = try ApplicationRegistry.set(identifier, to: .init(name: "x"), places)
    let after = ApplicationRegistry(places: places)
    claim(after.failure == nil, "what was written cannot be read")
    claim(others(after) == others(before), "another application is lost")
    let mine = after.applications.first { $0.identifier == identifier }
    let wasThere = before.applications.contains { $0.identifier == identifier }
    claim(mine?.name == "x", "the name is not there")
    claim((outcome == .added) != wasThere, "\(outcome) is not what happened")
    claim(try ApplicationRegistry.remove([identifier], places) == [identifier], "it stays")
    claim(others(ApplicationRegistry(places: places)) == others(before), "another one went too")
  } catch {
    // A key that is there twice is a flaw without position.
    claim(before.flaws.contains { $0.position == nil }, "not changed: \(error.reason)")
  }
}

private func others(_ registry: ApplicationRegistry) -> [String] {
  registry.applications.filter { $0.identifier != "org.example.fuzz" }
    .map { "\($0.identifier)\0\($0.name ?? "-")\0\($0.appInfoURL ?? "-")" }
}

private func write(_ bytes: [UInt8], to path: FilePath) {
  _ = unsafe mkdir(home, 0o700)
  _ = unsafe mkdir("\(home)/docsource", 0o700)
  let file = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
  let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
  close(file)
  claim(count == bytes.count, "the input cannot be written")
}
