/// What is to be done to the stored values of an attribute: written anew by the same transformer or by
/// another one.
///
/// ```swift
/// try store.reencode(Reencoding("ssn", of: "Patient"))                                   // under the new key
/// try store.reencode(Reencoding("ssn", of: "Patient", to: .transformer("text | sealed")))  // sealed from now on
/// ```
///
/// The attribute is the one that the entity declares or inherits; every entity that has it takes part.
public struct Reencoding: Sendable, Hashable {
    /// What values are written by.
    public enum Target: Sendable, Hashable {
        /// The transformer that the model states: keys, padding and other arguments of writing are applied anew.
        case same
        /// Another expression, for values of the same type.
        case transformer(String)
        /// None: the values lie in their column as they are.
        case plain
    }

    /// The attribute's name.
    public var attribute: String
    /// The name of an entity that has it.
    public var entity: String
    /// What its values are written by.
    public var target: Target
    /// Whether a cell that cannot be decoded is left as it is under another transformer, too.
    public var keepsUndecodable: Bool
    /// How many of the old cells are kept in memory, for a search of the file afterwards.
    public var sampleCount = 0
    /// Whether a model that has been checked follows, so that what it drops or replaces does not count.
    var precedesMigration = false

    /// Describes a re-encoding.
    ///
    /// - Parameters:
    ///   - attribute: The attribute's name.
    ///   - entity: The name of an entity that has it.
    ///   - target: What its values are written by.
    ///   - keepsUndecodable: Whether a cell that cannot be decoded is left as it is under another transformer,
    ///     too; if not, one such cell keeps the column as it was.
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
    /// How far a re-encoding is.
    public struct Progress: Sendable, Hashable {
        /// How many cells have been looked at, in earlier runs as well.
        public let done: Int
        /// How many there were when the run began.
        public let total: Int
    }

    /// What a re-encoding has done.
    public struct Report: Sendable {
        /// How many cells were written anew in this run.
        public internal(set) var cells = 0
        /// How many cells could not be, and are as they were.
        public internal(set) var failureCount = 0
        /// Why, for the first hundred of them.
        public internal(set) var failures: [StoreError] = []
        /// Whether the attribute was indexed and no longer is, since the bytes of a transformer have no order.
        ///
        /// To have the index back, open the store with a newer version of the model in which the attribute is plain
        /// again, and indexed.
        public internal(set) var dropsIndex = false
        /// Some of the old cells, for ``Store/scrub(searchingFor:)``.
        public internal(set) var canaries = Canaries()

        static let failureLimit = 100

        mutating func add(_ failure: StoreError) {
            failureCount += 1
            if failures.count < Self.failureLimit { failures.append(failure) }
        }
    }
}
