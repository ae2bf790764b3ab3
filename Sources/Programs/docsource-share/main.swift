// Tells the kinds of files by the desktop's database of MIME types, with GIO. It reads messages with
// their names from standard input until that ends, and answers on standard output as `TypeProtocol`
// says; names that have come are answered before more are read.
//
// `docsource` runs it with `types`, or with `link-types` for links themselves, so that the tool itself
// links no GIO; with the verbs of `SecretProtocol`, to ask the Secret Service; and with the jobs
// of `DesktopProtocol`, for applications, and of `HandoffProtocol`. Exit status: 0 done, 2
// failed.

import CGIO
import CommandLineInterface
import CompanionProtocol
import Glibc
import LinuxSystem
import TextFormats

/// What GIO says of a file.
func answer(_ path: [UInt8], follows: Bool) -> TypeProtocol.Answer {
  guard let path = FilePath(bytes: path) else { return .failed("not a path") }
  if let type = unsafe path.withCString({ unsafe cgio_certain_type($0, follows ? 1 : 0) }) {
    defer { unsafe g_free(type) }
    let text = unsafe String(cString: type)
    return .type(text, nameType: text, classes(of: text))
  }
  var failure: UnsafeMutablePointer<GError>?
  let file = unsafe path.withCString { unsafe cgio_local_file($0) }
  defer { unsafe g_object_unref(UnsafeMutableRawPointer(file)) }
  guard let info = unsafe cgio_content_type(file, follows ? 1 : 0, &failure) else {
    defer { unsafe g_error_free(failure) }
    let words = unsafe failure?.pointee.message.map { unsafe String(cString: $0) }
    return .failed(words ?? "unknown error")
  }
  defer { unsafe g_object_unref(UnsafeMutableRawPointer(info)) }
  guard let type = unsafe g_file_info_get_content_type(info) else {
    return .failed("the MIME type cannot be determined")
  }
  let nameType = unsafe cgio_name_type(info).map { unsafe String(cString: $0) }
  let text = unsafe String(cString: type)
  return .type(text, nameType: nameType ?? "", classes(of: text))
}

/// The general MIME types that another one is a kind of.
func classes(of type: String) -> MIMEClasses {
  let general: [(String, MIMEClasses)] = [
    ("text/plain", .plainText), ("application/xml", .xml), ("application/zip", .zip),
  ]
  return general.reduce(into: MIMEClasses()) { classes, row in
    if unsafe g_content_type_is_a(type, row.0) != 0 { classes.insert(row.1) }
  }
}

/// Answers until standard input ends.
func converse(follows: Bool) throws(CompanionMessage.Failure) {
  var decoder = MessageDecoder(limit: TypeProtocol.messageLimit)
  while true {
    var answers: [UInt8] = []
    do throws(CompanionMessage.Malformed) {
      while let question = try decoder.next() {
        guard let path = TypeProtocol.path(question) else { throw .brokenField }
        answers += answer(path, follows: follows).message.bytes
      }
    } catch {
      throw .malformed(error)
    }
    do throws(Errno) {
      if !answers.isEmpty { try Descriptor.write(answers, to: STDOUT_FILENO) }
      let block = try Descriptor.readBlock(STDIN_FILENO)
      if block.isEmpty { break }
      decoder.append(block)
    } catch {
      throw .errno(error)
    }
  }
  guard decoder.isEmpty else { throw .malformed(.incomplete) }
}

/// Keeps GIO's modules out where no application is started, which would get the variables: they reach
/// for the session bus, and take longer than everything else.
func leaveModulesOut() {
  for (name, value) in [("GIO_MODULE_DIR", "/nonexistent"), ("GIO_USE_VFS", "local")] {
    unsafe _ = setenv(name, value, 1)
  }
}

func run() -> Never {
  let console = Console(
    tool: "docsource", output: .standardOutput(), errors: .standardError())
  let words = CommandLine.bytes
  let verb = String(decoding: words.first ?? [], as: UTF8.self)
  if let verb = SecretProtocol.Verb(rawValue: verb) {
    let answer = Secrets.answer(verb, Array(words.dropFirst()))
    let isSent = (try? Descriptor.write(answer.message.bytes, to: STDOUT_FILENO)) != nil
    exit(console.finish(isSent ? .done : .failed).rawValue)
  }
  let job = DesktopProtocol.Job(rawValue: verb)
  if job != .launch { leaveModulesOut() }
  if let job,
    let answer = Launching.answer(job, words.dropFirst())
  {
    let isSent = (try? Descriptor.write(answer, to: STDOUT_FILENO)) != nil
    exit(console.finish(isSent ? .done : .failed).rawValue)
  }
  if words.count == 1, let job = HandoffProtocol.Job(rawValue: verb) {
    do {
      try Descriptor.write(Handover.answer(job), to: STDOUT_FILENO)
    } catch {
      console.say("\(error)")
      exit(console.finish(.failed).rawValue)
    }
    exit(console.finish(.done).rawValue)
  }
  guard let follows = TypeProtocol.follows(verb) else {
    console.say("docsource-share is run by docsource, with types or link-types")
    exit(console.finish(.usage).rawValue)
  }
  // The types of local files need no modules, such as those for servers, which take a millisecond.
  unsafe setenv("GIO_MODULE_DIR", "/dev/null", 1)
  do throws(CompanionMessage.Failure) {
    try converse(follows: follows)
  } catch {
    console.say("cannot tell the kinds of files: \(error)")
    exit(console.finish(.failed).rawValue)
  }
  exit(console.finish(.done).rawValue)
}

run()
