import FileTree
import Glibc
import LinuxSystem
import Synchronization

/// What one thread has met.
struct Findings: Sendable {
  private static let output = Mutex(())

  let options: Options
  var entries = 0
  var failures = 0
  var descriptors: CInt = 0
  private var bytes: [UInt8] = []

  init(_ options: Options) { self.options = options }

  mutating func add(_ entry: borrowing TreeEntry) {
    entries += 1
    if let limit = options.limit, entries >= limit { options.walk.cancellation?.cancel() }
    if options.countsDescriptors {
      // The lowest number that is free: at least so many are open.
      let free = dup(0)
      close(free)
      descriptors = max(descriptors, free)
    }
    guard options.lists else { return }
    let mark: StaticString =
      switch entry.kind {
      case .file: "f "
      case .directory: "d "
      case .other: "o "
      }
    write(mark.description, entry.path)
  }

  mutating func add(_ failure: TreeFailure) {
    failures += 1
    write("! \(failure.reason): ", failure.path)
  }

  private mutating func write(_ mark: String, _ path: FilePath) {
    bytes += mark.utf8
    bytes += path.bytes
    bytes.append(0)
    if bytes.count >= 1 << 16 { flush() }
  }

  mutating func flush() {
    Self.output.withLock { _ in
      do throws(Errno) {
        try Descriptor.write(bytes, to: STDOUT_FILENO)
      } catch {
        exit(2)
      }
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
