import CIconPeer
import Glibc

/// Pictures like those that applications offer.
enum SamplePicture: String, CaseIterable {
  /// A disc on a smooth gradient, opaque.
  case gradient
  /// The same with transparent corners and a soft edge.
  case transparent
  /// A gradient with a little noise, which compresses badly.
  case noisy

  func png(side: Int) -> [UInt8] {
    var random = LinearCongruence()
    let middle = Double(side) / 2
    var pixels: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        let distance = hypot(Double(x) - middle, Double(y) - middle) / middle
        let noise = self == .noisy ? random.next(below: 16) : 0
        let disc = distance < 0.6
        pixels.append(UInt8(disc ? 240 : x * 230 / side) + UInt8(noise))
        pixels.append(UInt8(disc ? 120 : y * 230 / side) + UInt8(noise))
        pixels.append(UInt8(disc ? 40 + x * 100 / side : 160))
        let edge = min(1, max(0, (1.2 - distance) * 20))
        pixels.append(self == .transparent ? UInt8(255 * edge) : 255)
      }
    }
    var output = [UInt8](repeating: 0, count: 4 << 20)
    let count = cpeer_write(pixels, UInt32(side), &output, output.count)
    return Array(output[..<count])
  }
}
