public import CommandLineInterface
internal import Glibc
internal import LinuxSystem

/// The far side of a ``RenderingProcess``: what a program does that was started to render.
public enum RenderingService {
  /// Enters the ``DecodingSandbox``, reads a PNG from standard input and writes the icon to
  /// standard output, or why there is none to standard error.
  ///
  /// - Parameter arguments: those of ``PictureRendering/arguments``.
  /// - Returns: the status to exit with: `done`, `noSource` where the picture cannot be shown, or
  ///   `failed` where this process cannot do its work.
  public static func run(_ arguments: [String]) -> ExitStatus {
    let answer: [UInt8]
    do throws(Errno) {
      try DecodingSandbox.enter()
      guard let rendering = PictureRendering(arguments: arguments) else {
        throw .invalidArgument
      }
      let input = try Descriptor.read(STDIN_FILENO, limit: PNGHeader.byteLimit)
      do throws(PictureFailure) {
        guard let input else { throw PictureFailure(.tooLarge, at: PNGHeader.byteLimit) }
        answer = try rendering.render(png: input)
      } catch {
        try Descriptor.write(Array(error.description.utf8), to: STDERR_FILENO)
        return .noSource
      }
      try Descriptor.write(answer, to: STDOUT_FILENO)
      return .done
    } catch {
      let words = RenderingFailure.system(error).description
      // Where even this cannot be written, the status says enough.
      try? Descriptor.write(Array(words.utf8), to: STDERR_FILENO)
      return .failed
    }
  }
}
