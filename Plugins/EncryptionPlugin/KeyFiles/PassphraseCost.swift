/// What it costs to try a passphrase: Argon2id's operations and memory (RFC 9106).
///
/// The numbers stand in the file, so that they can be raised for new files at any time.
public struct PassphraseCost: Sendable, Hashable {
    /// How many passes are made over the memory, from 1.
    public let operations: Int
    /// How much memory is taken, in bytes; whole kibibytes count.
    public let memory: Int

    /// Makes a cost.
    ///
    /// - Parameters:
    ///   - operations: Passes over the memory.
    ///   - memory: Bytes of memory.
    public init(operations: Int, memory: Int) {
        self.operations = operations
        self.memory = memory
    }

    /// 64 MiB: about a tenth of a second.
    public static let interactive = Self(operations: 2, memory: 64 << 20)
    /// 256 MiB: about half a second.
    public static let moderate = Self(operations: 3, memory: 256 << 20)
    /// 1 GiB: a few seconds.
    public static let sensitive = Self(operations: 4, memory: 1 << 30)

    /// What is accepted from a file: beyond it a file could keep a program busy for hours.
    var isAcceptable: Bool {
        (1...64).contains(operations) && ((8 << 10)...(4 << 30)).contains(memory)
    }
}
