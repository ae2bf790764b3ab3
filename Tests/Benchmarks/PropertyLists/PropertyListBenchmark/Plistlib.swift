import Foundation

/// Python's plistlib, timed by Python in a process of its own.
enum Plistlib {
  private static let script = """
    import plistlib, sys, time
    data, rounds = sys.stdin.buffer.read(), int(sys.argv[1])
    repetitions = int(sys.argv[2])
    def best(work):
      times = []
      for _ in range(rounds):
        start = time.perf_counter_ns()
        for _ in range(repetitions): work()
        times.append((time.perf_counter_ns() - start) / repetitions)
      return min(times)
    tree = plistlib.loads(data)
    print(best(lambda: plistlib.loads(data)))
    print(best(lambda: plistlib.dumps(tree, fmt=plistlib.FMT_BINARY, sort_keys=False)))
    """

  /// The best times of reading and writing, in nanoseconds.
  static func times(
    _ data: Data, rounds: Int, repetitions: Int
  ) throws -> (decode: Double, encode: Double) {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "docsource-bench-\(ProcessInfo.processInfo.processIdentifier).bplist")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, String(rounds), String(repetitions)]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let figures = text.split(separator: "\n").compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == 2 else {
      fatalError("python3 could not time plistlib")
    }
    return (figures[0], figures[1])
  }
}
