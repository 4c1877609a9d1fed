public import Foundation

/// Makes and checks the tags of an entity's rows: keyed digests, one for each row, under one key.
///
/// A store asks its ``StoreSealer`` for one, keeps it, and calls it for every row that it writes or reads.
public protocol RowSealer: Sendable {
    /// Returns the tag of a row.
    ///
    /// - Parameter message: The row, as the bytes that its tag covers.
    /// - Returns: The tag, which has 16 bytes.
    /// - Throws: ``TransformerError`` if it cannot be computed.
    func tag(of message: UnsafeRawBufferPointer) throws -> Data

    /// Compares a tag with the one of a row, in a time that depends on the row's length alone.
    ///
    /// - Parameters:
    ///   - tag: The 16 bytes that are to be checked.
    ///   - message: The row, as the bytes that its tag covers.
    /// - Returns: Whether the tag is the row's.
    /// - Throws: ``TransformerError`` if the right one cannot be computed.
    func isTag(_ tag: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer) throws -> Bool
}
