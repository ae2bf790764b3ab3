/// Finds what a mistyped word was meant to be.
public enum Spelling {
  /// The candidate nearest to a word, if it is near enough to be worth suggesting.
  ///
  /// Near are a beginning of the candidate of three letters or more, one of the words of a
  /// hyphenated one, and up to one slip in three letters; a slip is a letter too many, missing, wrong,
  /// or swapped with its neighbour.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    // A longer word than any name is no slip, and the table below would grow with it.
    guard word.utf8.count <= 64 else { return nil }
    let typed = Array(word.lowercased().unicodeScalars)
    if typed.count >= 3,
      let begun = candidates.first(where: { $0.unicodeScalars.starts(with: typed) })
    {
      return begun
    }
    if let part = candidates.first(where: { $0.split(separator: "-").contains(word[...]) }) {
      return part
    }
    let ranked = candidates.map { ($0, distance(typed, Array($0.lowercased().unicodeScalars))) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(1, best.0.count / 3) ? best.0 : nil
  }

  /// The optimal string alignment distance.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var twoAbove = [Int](repeating: 0, count: b.count + 1)
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in b.indices {
        let wrong = above[j] + (a[i] == b[j] ? 0 : 1)
        var best = min(wrong, above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, twoAbove[j - 1] + 1)
        }
        row.append(best)
      }
      (twoAbove, above) = (above, row)
    }
    return above[b.count]
  }
}
