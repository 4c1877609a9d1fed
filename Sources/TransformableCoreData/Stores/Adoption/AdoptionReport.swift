public import TransformableStore

/// The result of ``CoreDataStore/adopt(as:into:transformers:options:progress:)``: what was adopted, and
/// what was found.
public struct AdoptionReport: Sendable {
    /// The objects of an entity.
    public struct Entity: Sendable, Hashable {
        /// The entity's name.
        public let name: String
        /// The number of objects, without those of entities that inherit from it.
        public internal(set) var objects = 0
        /// The number of attribute values, not counting attributes without a value.
        public internal(set) var values = 0
    }

    /// The references of a relationship.
    public struct Relationship: Sendable, Hashable {
        /// The name of the entity that declares the relationship.
        public let entity: String
        /// The relationship's name.
        public let name: String
        /// The number of references.
        public internal(set) var references = 0
        /// The number of references to objects that do not exist.
        public internal(set) var dangling = 0
        /// The number of references that were left out, such as those to or from objects that were not adopted.
        public internal(set) var leftOut = 0
    }

    /// The entities that have a table of objects, sorted by name.
    public internal(set) var entities: [Entity] = []
    /// The relationships that store references, sorted by entity and name: to-one relationships, and, for a
    /// many-to-many relationship, the side that Core Data names its table after.
    public internal(set) var relationships: [Relationship] = []
    /// The number of values that were copied from files of their own.
    public internal(set) var fileCount = 0
    /// Notes about everything that could not be adopted unchanged, and how it was handled.
    public internal(set) var notes: [CoreDataNote] = []
    /// The result of reading every value of the new store, if the options ask for it.
    public internal(set) var verification: Verification?

    /// The number of objects.
    public var objectCount: Int { entities.reduce(0) { $0 + $1.objects } }
    /// The number of references.
    public var referenceCount: Int { relationships.reduce(0) { $0 + $1.references } }
    /// The number of references to objects that do not exist.
    public var danglingCount: Int { relationships.reduce(0) { $0 + $1.dangling } }
}

extension CoreDataStore {
    /// Options for adopting a store.
    public struct AdoptionOptions: Sendable {
        /// The treatment of references to objects that do not exist.
        public enum Dangling: String, Sendable, CaseIterable {
            /// The reference is left out and reported.
            case keepNull = "keep-null"
            /// The adoption fails.
            case fail
        }

        /// The treatment of references to objects that do not exist.
        public var dangling = Dangling.keepNull
        /// The entities to adopt, along with those that inherit from them, or an empty array for all.
        public var entities: [String] = []
        /// Whether to do everything except write the store.
        public var isRehearsal = false
        /// Whether to read every value of the new store before it appears.
        public var verifies = false

        /// Creates options.
        ///
        /// - Parameters:
        ///   - dangling: The treatment of references to objects that do not exist.
        ///   - entities: The entities to adopt, along with those that inherit from them, or an empty array for all.
        ///   - rehearsing: Whether to do everything except write the store.
        ///   - verifying: Whether to read every value of the new store before it appears.
        public init(
            dangling: Dangling = .keepNull,
            entities: [String] = [],
            rehearsing: Bool = false,
            verifying: Bool = false
        ) {
            self.dangling = dangling
            self.entities = entities
            isRehearsal = rehearsing
            verifies = verifying
        }
    }
}
