/// What stands where in a path, by its bytes alone.
struct PathParts {
  /// Without slashes at the end, unless it is nothing else.
  private let path: ArraySlice<UInt8>

  private static let slash = UInt8(ascii: "/")

  init(_ path: ArraySlice<UInt8>) {
    let end = path.lastIndex { $0 != Self.slash }
    self.path = end.map { path[...$0] } ?? path.prefix(1)
  }

  /// What stands behind the last slash.
  var name: ArraySlice<UInt8> {
    guard path.count > 1, let slash = path.lastIndex(of: Self.slash) else { return path }
    return path[(slash + 1)...]
  }

  /// What stands before it: `.` where there is none.
  var directory: ArraySlice<UInt8> {
    guard let slash = path.lastIndex(of: Self.slash) else { return [UInt8(ascii: ".")] }
    let lead = path[..<slash]
    let end = lead.lastIndex { $0 != Self.slash }
    return end.map { lead[...$0] } ?? path.prefix(1)
  }

  /// The path without what stands behind the last period of the name; a leading period begins
  /// none.
  var withoutExtension: ArraySlice<UInt8> { path[..<stemEnd] }

  var nameWithoutExtension: ArraySlice<UInt8> { name[..<stemEnd] }

  private var stemEnd: Int {
    let name = name
    guard let period = name.lastIndex(of: UInt8(ascii: ".")), period > name.startIndex,
      !name.elementsEqual("..".utf8)
    else { return name.endIndex }
    return period
  }
}
