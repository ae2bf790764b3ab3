import CLibMD
import ForeignFormats
import Glibc
import LinuxSystem

/// The checksum of a file's content, compared with that of its package.
enum ContentChecksum {
  private static let blockSize = 1 << 18

  static func verification(
    of file: HeldFile, by checksum: PackageRecord.Checksum?
  ) -> PackageRecord.Verification {
    guard let checksum, let descriptor = try? file.openedToLook() else { return .unknown }
    defer { close(descriptor) }
    guard let digest = try? digest(of: descriptor, checksum.algorithm) else { return .unknown }
    return digest == checksum.digest ? .same : .changed
  }

  private static func digest(
    of descriptor: CInt, _ algorithm: PackageRecord.Checksum.Algorithm
  ) throws(Errno) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: algorithm.length)
    switch algorithm {
    case .md5:
      var context = MD5_CTX()
      unsafe MD5Init(&context)
      try forEachBlock(of: descriptor) { bytes in
        unsafe bytes.withUnsafeBufferPointer {
          unsafe MD5Update(&context, $0.baseAddress, $0.count)
        }
      }
      unsafe digest.withUnsafeMutableBufferPointer { unsafe MD5Final($0.baseAddress, &context) }
    case .sha256:
      var context = SHA2_CTX()
      unsafe SHA256Init(&context)
      try forEachBlock(of: descriptor) { bytes in
        unsafe bytes.withUnsafeBufferPointer {
          unsafe SHA256Update(&context, $0.baseAddress, $0.count)
        }
      }
      unsafe digest.withUnsafeMutableBufferPointer { unsafe SHA256Final($0.baseAddress, &context) }
    }
    return digest
  }

  private static func forEachBlock(
    of descriptor: CInt, _ take: ([UInt8]) -> Void
  ) throws(Errno) {
    while true {
      let block = try Descriptor.readBlock(descriptor, most: blockSize)
      if block.isEmpty { return }
      take(block)
    }
  }
}
