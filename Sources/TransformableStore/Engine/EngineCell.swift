package import Foundation

/// The bytes of a large cell.
package protocol EngineCell: AnyObject {
    /// The number of bytes.
    var count: Int { get }

    /// Returns the next bytes, and an empty value at the end.
    func read(upTo wanted: Int) throws(StoreError) -> Data
}
