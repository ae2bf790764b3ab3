/// Weighted sums over rows, by column and sample, of samples multiplied with their alpha.
///
/// The place where a picture of a megapixel spends its time beside inflating: done four pixels at a
/// time, the products in 16 bits, which 255 * 255 fits.
struct WeightedSums {
  private let count: Int
  private var sums: [SIMD8<UInt32>]

  /// - Parameter count: the number of samples in a row, four a pixel.
  init(count: Int) {
    self.count = count
    sums = [SIMD8<UInt32>](repeating: .zero, count: (count + 15) / 16 * 2)
  }

  mutating func clear() {
    for index in sums.indices { sums[index] = .zero }
  }

  /// The sums of a column's red, green, blue (each times alpha) and alpha (times 255).
  subscript(column: Int) -> SIMD4<UInt32> {
    let pair = sums[column / 2]
    return column & 1 == 0 ? pair.lowHalf : pair.highHalf
  }

  /// Adds a row of `count` samples.
  ///
  /// - Parameter weight: at most 2048 in all between two times of clearing.
  mutating func add(_ row: RowBuffer, weight: UInt32) {
    precondition(row.count == count)
    unsafe row.withUnsafeBytes { row in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        let weights = SIMD8<UInt32>(repeating: weight)
        for index in 0..<sums.count / 2 {
          let samples = unsafe row.loadUnaligned(
            fromByteOffset: 16 * index, as: SIMD16<UInt8>.self)
          unsafe sums[2 * index] &+= Self.weighted(samples.lowHalf) &* weights
          unsafe sums[2 * index + 1] &+= Self.weighted(samples.highHalf) &* weights
        }
      }
    }
  }

  /// Two pixels, their colours multiplied with their alpha, alpha with 255.
  @inline(__always)
  private static func weighted(_ samples: SIMD8<UInt8>) -> SIMD8<UInt32> {
    let wide = SIMD8<UInt16>(truncatingIfNeeded: samples)
    let alpha = SIMD8(wide[3], wide[3], wide[3], 255, wide[7], wide[7], wide[7], 255)
    return SIMD8(truncatingIfNeeded: wide &* alpha)
  }
}
