public import Transformable

/// Any failure of a store, a model or a condition.
///
/// Match on ``code``. Two errors are equal if their codes are. A message is one sentence that names
/// the culprit and the way out; it never shows values.
public struct StoreError: Error, Sendable {
    /// What went wrong.
    public var code: Code
    /// One sentence for a person.
    public var message: String
    /// The entity it concerns.
    public var entity: String?
    /// The attribute, projection or relationship it concerns.
    public var attribute: String?
    /// The object it concerns.
    public var object: ObjectID?
    /// Where in a condition's text, in bytes from its start.
    public var offset: Int?
    /// Which element of a sequence that was inserted, counted from 0.
    public var element: Int?
    /// Every fault, where there are several.
    public var faults: [String] = []
    /// What a transformer or another library said.
    public var underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code,
        _ message: String,
        entity: String? = nil,
        attribute: String? = nil,
        object: ObjectID? = nil,
        offset: Int? = nil,
        faults: [String] = [],
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entity = entity
        self.attribute = attribute
        self.object = object
        self.offset = offset
        self.faults = faults
        self.underlying = underlying
    }

    /// What the transformer said, if one failed.
    public var transformerError: TransformerError? {
        underlying as? TransformerError
    }
}

extension StoreError {
    /// What went wrong, as a short stable string.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The string itself.
        public let rawValue: String

        /// Makes a code of a string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The string itself.
        public var description: String { rawValue }
    }
}

extension StoreError.Code {
    // The file

    /// There is no file of this name.
    public static let noSuchFile = Self(rawValue: "no-such-file")
    /// There is a file already where a new one was asked for.
    public static let fileExists = Self(rawValue: "file-exists")
    /// The file or its folder cannot be written.
    public static let cannotCreate = Self(rawValue: "cannot-create")
    /// The file, or one of those beside it, is there and cannot be opened.
    public static let cannotOpen = Self(rawValue: "cannot-open")
    /// The file is not a store: not a database, or another program's.
    public static let notAStore = Self(rawValue: "not-a-store")
    /// The file is damaged.
    public static let corruptFile = Self(rawValue: "corrupt-file")
    /// Reading or writing the file failed.
    public static let inputOutput = Self(rawValue: "input-output")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "disk-full")
    /// Another connection kept the file locked for longer than the timeout.
    public static let busy = Self(rawValue: "busy")
    /// The store is open for reading only.
    public static let readOnly = Self(rawValue: "read-only")

    /// The file of an external blob is missing, or the database does not know the blob.
    public static let missingBlob = Self(rawValue: "missing-blob")
    /// The file of an external blob has not the bytes that were written.
    public static let damagedBlob = Self(rawValue: "damaged-blob")

    // Model and schema

    /// The model contradicts itself or does not follow the format.
    public static let invalidModel = Self(rawValue: "invalid-model")
    /// The model differs from the one in the file, and its version is the same.
    public static let modelMismatch = Self(rawValue: "model-mismatch")
    /// Another program has changed the store's tables while it was open.
    public static let storeChanged = Self(rawValue: "store-changed")
    /// The file was written with a newer version of the model.
    public static let newerModel = Self(rawValue: "newer-model")
    /// The file was written by a newer version of this library.
    public static let newerFormat = Self(rawValue: "newer-format")
    /// Nothing shows that the store's model and tables are genuine: their seal is missing, is that of other ones, or was made
    /// under a key that is not in use here.
    public static let unauthenticatedModel = Self(rawValue: "unauthenticated-model")
    /// A transformer's signature differs from the one that wrote the column.
    public static let signatureMismatch = Self(rawValue: "signature-mismatch")
    /// A transformer of the model is not registered, does not fit or cannot decode.
    public static let unresolvedTransformer = Self(rawValue: "unresolved-transformer")

    /// A projection without a key would show values of a confidential attribute.
    public static let revealingProjection = Self(rawValue: "revealing-projection")

    // Names and types

    /// The model has no such entity.
    public static let unknownEntity = Self(rawValue: "unknown-entity")
    /// The entity has no such attribute, relationship or projection.
    public static let unknownAttribute = Self(rawValue: "unknown-attribute")
    /// There is no object with this id, or it has been deleted.
    public static let noSuchObject = Self(rawValue: "no-such-object")
    /// The attribute has values of another type.
    public static let wrongType = Self(rawValue: "wrong-type")
    /// The attribute has no value where one is needed.
    public static let missingValue = Self(rawValue: "missing-value")
    /// The condition's text does not follow the grammar.
    public static let invalidCondition = Self(rawValue: "invalid-condition")
    /// What a condition computes has no result: overflow, division by zero, no number.
    public static let arithmeticFailure = Self(rawValue: "arithmetic-failure")
    /// A statement in SQL that a program gave cannot be run.
    public static let invalidStatement = Self(rawValue: "invalid-statement")
    /// SQLite refuses a statement of the store's own.
    public static let statementFailed = Self(rawValue: "statement-failed")
    /// This cannot be done, or not yet.
    public static let unsupported = Self(rawValue: "unsupported")
    /// An object or context is used after its block has ended, or a block inside another one.
    public static let misuse = Self(rawValue: "misuse")

    // Values

    /// A value cannot be stored, or breaks a rule of the model.
    public static let invalidValue = Self(rawValue: "invalid-value")
    /// Stored bytes cannot be decoded; they stay as they are.
    public static let undecodable = Self(rawValue: "undecodable")
    /// A value occurs already where each occurs once.
    public static let notUnique = Self(rawValue: "not-unique")
    /// The object cannot be deleted while others depend on it.
    public static let deletionDenied = Self(rawValue: "deletion-denied")
    /// An object refers to one that does not exist.
    public static let danglingReference = Self(rawValue: "dangling-reference")
    /// Another context has changed the object since it was read.
    public static let conflict = Self(rawValue: "conflict")
    /// A projection's column is not what the value gives.
    public static let wrongProjection = Self(rawValue: "wrong-projection")
    /// Something exceeds a limit.
    public static let limitExceeded = Self(rawValue: "limit-exceeded")
}

extension StoreError: Equatable {
    /// Whether the codes are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension StoreError: CustomStringConvertible {
    /// The place, the message and the cause, on one line.
    public var description: String {
        let offset = offset.map { " (at byte \($0))" } ?? ""
        let list = faults.isEmpty ? "" : ": " + faults.joined(separator: "; ")
        let cause = underlying.map { ": \($0)" } ?? ""
        return "\(place)\(message)\(offset)\(list)\(cause)"
    }

    private var place: String {
        let names = [entity, attribute].compactMap(\.self).joined(separator: ".")
        let numbers = [object.map { "object \($0.number)" }, element.map { "element \($0)" }].compactMap(\.self)
        let subject = (names.isEmpty ? [] : [names]) + numbers
        return subject.isEmpty ? "" : subject.joined(separator: ", ") + ": "
    }
}
