internal import _PropertyLists

/// What a reader of archives spends at most on one archive.
///
/// All limits are checked before memory is taken. An archive beyond one is an error with the code
/// `limit-exceeded`, never a crash.
public struct KeyedArchiveLimits: Sendable, Hashable {
    /// The size of the archive in bytes.
    public var bytes: Int
    /// The number of objects in the property list, and of values that come out of it.
    public var objects: Int
    /// How deep values may be nested, up to ``deepest``.
    public var depth: Int

    /// The greatest depth that can be asked for.
    ///
    /// Values are read, compared, written, printed and freed without recursion, at any depth.
    public static let deepest = 1_000_000

    /// How deep `Codable` types may be nested, which code and decode themselves by recursion.
    ///
    /// A level takes 0.8 KiB of the stack at most: these fit on a thread of 512 KiB.
    static let deepestCodable = 512

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - bytes: The size of the archive in bytes; 1 GiB by default.
    ///   - objects: The number of objects and of values; twenty million by default.
    ///   - depth: How deep values may be nested; 10,000 by default, and never above ``deepest``. `Codable`
    ///     types nest 512 deep at most.
    public init(bytes: Int = 1 << 30, objects: Int = 20_000_000, depth: Int = 10_000) {
        self.bytes = max(0, min(bytes, Int(UInt32.max) / 2))
        self.objects = max(0, min(objects, Int(UInt32.max) / 2))
        self.depth = max(1, min(depth, Self.deepest))
    }

    /// What the reader of the property list spends.
    var list: PropertyListLimits { PropertyListLimits(bytes: bytes, objects: objects) }

    /// How many values may come out of an archive: more than stand in it, since objects can be shared.
    ///
    /// Sharing makes an exponential tree of a few bytes; what a real archive shares stays within this.
    func expansion(ofBytes count: Int) -> Int {
        min(objects, 100_000 + 16 * count)
    }
}
