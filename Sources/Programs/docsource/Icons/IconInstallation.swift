import AppIcon
import CommandLineInterface
import LinuxSystem
import TextFormats

/// `docsource icon --install`: puts applications' own icons into the user's icon theme.
struct IconInstallation {
  let finder: IconFinder
  let options: IconOptions
  let console: Console

  func install(_ operand: IconOperand) -> ExitStatus {
    guard let identifier = operand.identifier else {
      console.report(operand.bytes[...], "no identifier is known under which to install an icon")
      return .noSource
    }
    do throws(ThemedIcon.Refusal) {
      return try install(operand, as: ThemedIcon(identifier, finder.places))
    } catch {
      console.report(operand.bytes[...], EscapedText("not installed: \(error.reason)").description)
      return .failed
    }
  }

  /// Installs the sizes that the picture fills, and the next one: a desktop that wants a larger one
  /// scales that.
  private func install(
    _ operand: IconOperand, as icon: ThemedIcon
  ) throws(ThemedIcon.Refusal) -> ExitStatus {
    defer { icon.announce() }
    for (position, pixels) in ThemedIcon.sizes.enumerated() {
      guard let size = IconSize(points: Double(pixels)) else { continue }
      let isFirst = position == 0
      // Servers are asked once whether something has changed, not for each size.
      let findings = finder.find(
        [operand], size: size, asking: isFirst ? options.eagerness : .missing)
      guard let finding = findings.first else { continue }
      if case .override(let path) = finding.resolution.answer, path.isSVG {
        guard let svg = InputFile(path: path).read(console) else { return .failed }
        tell(operand, try icon.install(svg: svg))
        return .done
      }
      guard finding.origin == .remote || finding.origin == .override else {
        // A larger one may be unreachable where the smaller one was not.
        guard isFirst else { return finding.hasFailed ? .failed : .done }
        return nothing(finding)
      }
      let picture = IconPicture(size: size, options: options, console: console)
      guard let png = picture.png(of: finding) else { return .failed }
      tell(operand, try icon.install(png: png, size: pixels))
      if finding.hasFailed { return .failed }
      if let side = finding.resolution.side, side <= pixels { break }
    }
    return .done
  }

  private func nothing(_ finding: IconFinding) -> ExitStatus {
    if finding.hasFailed { return .failed }
    let words =
      finding.origin == nil
      ? "no icon" : "there is none but that of a theme, which is not installed again"
    console.report(finding.operand.bytes[...], words)
    return .noSource
  }

  private func tell(_ operand: IconOperand, _ path: FilePath) {
    console.output.writeLine(
      "\(EscapedText(operand.bytes)): installed: \(EscapedText(path.bytes))")
  }
}

extension FilePath {
  fileprivate var isSVG: Bool { lastComponent.suffix(4).elementsEqual(".svg".utf8) }
}
