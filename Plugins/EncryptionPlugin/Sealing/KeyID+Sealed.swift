public import Foundation

extension KeyID {
    /// The number of bytes at the beginning of a sealed value that include the identifier of its key.
    public static let headerCount = 16

    /// Reads the identifier of the key that sealed a value, without opening the value.
    ///
    /// - Parameter header: At least the first ``headerCount`` bytes of a stored value.
    public init?(sealed header: Data) {
        guard header.count >= Self.headerCount, header.starts(with: SealedHeader.magic) else { return nil }
        self.init(number: header.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
