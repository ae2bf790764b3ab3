internal import AppIcon
internal import CommandLineInterface
public import LinuxSystem

/// Renders an icon in a process of its own that has given up its rights.
///
/// The parent's network state, cache and descriptors are out of the decoder's reach; what the
/// process does wrong costs no more than time, which is bounded, and an icon.
public struct RenderingProcess: Sendable {
  /// The longest answer, in bytes: 1024² pixels that do not compress, and chunks around them.
  public static let outputLimit = Int(DecodingSandbox.fileSize)
  /// The longest words that ``RenderingFailure/refused(_:)`` has, in bytes.
  public static let wordLimit = 1 << 10

  private let program: FilePath
  private let arguments: [String]
  private let milliseconds: Int

  /// - Parameters:
  ///   - program: run with `arguments`, it must call ``RenderingService/run(_:)`` with what follows
  ///     them. `/proc/self/exe` is this program.
  ///   - arguments: those before the rendering's, the program's name first.
  ///   - milliseconds: how long it may take in all.
  public init(program: FilePath, arguments: [String], milliseconds: Int = 10_000) {
    self.program = program
    self.arguments = arguments
    self.milliseconds = milliseconds
  }

  /// Returns the icon as a PNG, as ``PictureRendering/render(png:)`` does.
  public func render(
    _ png: [UInt8], _ rendering: PictureRendering
  ) throws(RenderingFailure) -> [UInt8] {
    let child = try ChildProcess(program, arguments + rendering.arguments)
    var exchange = Exchange(with: child, input: png)
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    try exchange.run(until: deadline)
    switch try child.end(at: deadline) {
    case ExitStatus.done.rawValue:
      // A process that was taken over can still answer only with what this library writes; what the
      // rows hold is up to it.
      guard RenderedPNG.isOne(exchange.output, side: rendering.size.pixels) else {
        throw .unexpected(status: ExitStatus.done.rawValue)
      }
      return exchange.output
    case ExitStatus.noSource.rawValue:
      throw .refused(String(decoding: exchange.errors, as: UTF8.self))
    case ExitStatus.failed.rawValue:
      throw .unable(String(decoding: exchange.errors, as: UTF8.self))
    case let status: throw .unexpected(status: status)
    }
  }
}
