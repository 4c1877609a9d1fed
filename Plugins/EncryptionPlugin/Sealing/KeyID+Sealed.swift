public import Foundation

extension KeyID {
    /// How many bytes of a sealed value say which key it was sealed under.
    public static let headerCount = 16

    /// Reads which key a value was sealed under, without opening it.
    ///
    /// - Parameter header: The first ``headerCount`` bytes of a stored value, or more.
    public init?(sealed header: Data) {
        guard header.count >= Self.headerCount, header.starts(with: SealedHeader.magic) else { return nil }
        self.init(number: header.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
