/// The cost of trying a passphrase: the number of operations and the memory of Argon2id (RFC 9106).
///
/// The cost is stored in the file, so you can raise it for new files at any time.
public struct PassphraseCost: Sendable, Hashable {
    /// The number of passes over the memory, which is at least 1.
    public let operations: Int
    /// The amount of memory in bytes.
    ///
    /// It is rounded down to kibibytes.
    public let memory: Int

    /// Creates a cost.
    ///
    /// - Parameters:
    ///   - operations: The number of passes over the memory.
    ///   - memory: The amount of memory in bytes.
    public init(operations: Int, memory: Int) {
        self.operations = operations
        self.memory = memory
    }

    /// 64 MiB of memory, and about a tenth of a second.
    public static let interactive = Self(operations: 2, memory: 64 << 20)
    /// 256 MiB of memory, and about half a second.
    public static let moderate = Self(operations: 3, memory: 256 << 20)
    /// 1 GiB of memory, and a few seconds.
    public static let sensitive = Self(operations: 4, memory: 1 << 30)

    /// Whether the cost is accepted from a file.
    ///
    /// A higher cost could keep a program busy for hours.
    var isAcceptable: Bool {
        (1...64).contains(operations) && ((8 << 10)...(4 << 30)).contains(memory)
    }
}
