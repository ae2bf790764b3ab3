import Foundation
import Glibc

/// Waiting for what others do.
package enum Patience {
  /// Waits until a condition holds, for a minute at most.
  ///
  /// - Throws: `POSIXError.ETIMEDOUT` where it does not, and what the condition throws.
  package static func wait(until condition: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try condition() { return }
      usleep(10_000)
    }
    throw POSIXError(.ETIMEDOUT)
  }
}
