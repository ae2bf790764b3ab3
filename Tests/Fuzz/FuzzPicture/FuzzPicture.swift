import AppIcon
import FuzzInput
import IconFetch

/// Renders an input whose checksums were put right, the first byte choosing how: the result is an
/// icon of the size asked for, or a failure that says where.
@c(LLVMFuzzerTestOneInput)
public func fuzzPicture(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  var input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  let choice = input.last ?? 0
  mendChecksums(&input)
  let shape = IconShape.allCases[Int(choice % 4)]
  guard let size = IconSize(points: Double(choice / 4 % 16) * 2 + 1, scale: Double(choice / 64 + 1))
  else { fatalError("there is no such size") }
  let rendering = IconRendering(size: size, shape: shape, hasStroke: choice & 1 == 0)
  do throws(PictureFailure) {
    let icon = try PNGHeader(rendering.render(png: input))
    claim(icon.width == size.pixels && icon.height == size.pixels, "the icon is \(icon)")
  } catch {
    claim(0...max(count, PNGHeader.byteLimit) ~= error.offset, "\(error) is outside")
  }
  return 0
}

/// Gives each chunk the checksum of its bytes, without which no mutation would get far.
private func mendChecksums(_ png: inout [UInt8]) {
  var chunk = 8
  while chunk + 12 <= png.count {
    let length = png[chunk..<chunk + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= png.count - chunk - 12 else { return }
    let end = chunk + 8 + length
    var crc: UInt32 = ~0
    for byte in png[chunk + 4..<end] {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    for place in 0..<4 { png[end + place] = UInt8(truncatingIfNeeded: ~crc >> (24 - 8 * place)) }
    chunk = end + 4
  }
}
