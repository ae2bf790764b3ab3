/// The kinds of PNG there are, by the names of their fixtures.
enum PictureKind {
  static let all: [String] = {
    let opaque = ["grey-alpha-8", "grey-alpha-16", "rgba-8", "rgba-16"]
    let others = [
      "grey-1", "grey-2", "grey-4", "grey-8", "grey-16", "rgb-8", "rgb-16", "palette-1",
      "palette-2", "palette-4", "palette-8",
    ]
    return (opaque + others + others.map { $0 + "-transparent" })
      .flatMap { [$0, $0 + "-interlaced"] }
  }()
}
