/// A request to re-encode the stored values of an attribute, with the same transformer or a different one.
///
/// ```swift
/// try store.reencode(Reencoding("ssn", of: "Patient"))                                   // under the new key
/// try store.reencode(Reencoding("ssn", of: "Patient", to: .transformer("text | sealed")))  // sealed from now on
/// ```
///
/// The attribute can be declared or inherited by the entity. Every entity that has the attribute is included.
public struct Reencoding: Sendable, Hashable {
    /// The transformer that values are re-encoded with.
    public enum Target: Sendable, Hashable {
        /// The transformer in the model, with the current keys, padding, and other arguments.
        case same
        /// A different expression for values of the same type.
        case transformer(String)
        /// No transformer.
        ///
        /// The values are stored directly in their column.
        case plain
    }

    /// The attribute's name.
    ///
    /// For a part of a composite, this is the name of its column, such as `address_street`.
    public var attribute: String
    /// The name of an entity that has the attribute.
    public var entity: String
    /// The transformer that the values are re-encoded with.
    public var target: Target
    /// Whether a cell that cannot be decoded is kept even if the transformer changes.
    public var keepsUndecodable: Bool
    /// The number of old cells that are kept in memory, for a later search of the file.
    public var sampleCount = 0
    /// Whether a migration to a model that has been checked follows, so that what it drops or replaces does not matter.
    var precedesMigration = false

    /// Creates a re-encoding.
    ///
    /// - Parameters:
    ///   - attribute: The attribute's name.
    ///   - entity: The name of an entity that has the attribute.
    ///   - target: The transformer to re-encode the values with.
    ///   - keepsUndecodable: Whether a cell that cannot be decoded is kept even if the transformer changes. If `false`,
    ///     a single such cell leaves the column unchanged.
    public init(
        _ attribute: String,
        of entity: String,
        to target: Target = .same,
        keepsUndecodable: Bool = false
    ) {
        self.attribute = attribute
        self.entity = entity
        self.target = target
        self.keepsUndecodable = keepsUndecodable
    }
}

extension Reencoding {
    /// The progress of a re-encoding.
    public struct Progress: Sendable, Hashable {
        /// The number of cells that have been processed, including earlier runs.
        public let done: Int
        /// The number of cells when the run began.
        public let total: Int
    }

    /// The result of a re-encoding.
    public struct Report: Sendable {
        /// The number of cells that were re-encoded in this run.
        public internal(set) var cells = 0
        /// The number of cells that could not be re-encoded and were left unchanged.
        public internal(set) var failureCount = 0
        /// The errors of the first hundred of these cells.
        public internal(set) var failures: [StoreError] = []
        /// Whether the attribute's index was dropped, because transformed bytes have no order.
        ///
        /// To restore the index, open the store with a newer version of the model, in which the attribute is plain and
        /// indexed again.
        public internal(set) var dropsIndex = false
        /// Samples of the old cells, for ``Store/scrub(searchingFor:)``.
        public internal(set) var canaries = Canaries()

        private static let failureLimit = 100

        mutating func add(_ failure: StoreError) {
            failureCount += 1
            if failures.count < Self.failureLimit { failures.append(failure) }
        }
    }
}
