public import Transformable

/// An error thrown by a store, a model, or a condition.
///
/// To handle an error, compare its ``code``. Two errors are equal if their codes are equal. The message names the
/// entity, attribute, or file that caused the error and says what to do about it. It never contains stored values.
public struct StoreError: Error, Sendable {
    /// The kind of error.
    public var code: Code
    /// A description of the error.
    public var message: String
    /// The entity that the error concerns.
    public var entity: String?
    /// The attribute, projection, or relationship that the error concerns.
    public var attribute: String?
    /// The object that the error concerns.
    public var object: ObjectID?
    /// The position of the error in a condition's text, in bytes from its start.
    public var offset: Int?
    /// The position in the inserted sequence of the element that caused the error, counted from 0.
    public var element: Int?
    /// All faults that were found, if there may be several.
    public var faults: [String] = []
    /// The underlying error from a transformer or another library.
    public var underlying: (any Error)?
    /// Whether the block that failed may find the object with the same value if it runs again.
    package var mayFindObject = false

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: What is wrong and what to do about it, without stored values.
    ///   - entity: The entity that the error concerns.
    ///   - attribute: The attribute, projection, or relationship that the error concerns.
    ///   - object: The object that the error concerns.
    ///   - offset: The position of the error in a condition's text, in bytes from its start.
    ///   - faults: All faults that were found, if there may be several.
    ///   - underlying: The underlying error from a transformer or another library.
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

    /// The underlying error, if it was thrown by a transformer.
    public var transformerError: TransformerError? {
        underlying as? TransformerError
    }
}

extension StoreError {
    /// The kind of an error, as a short string that does not change between versions.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's string.
        public let rawValue: String

        /// Creates a code from its string.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's string.
        public var description: String { rawValue }
    }
}

extension StoreError.Code {
    // Files

    /// The file does not exist, or the schema contains no store.
    public static let noSuchFile = Self(rawValue: "no-such-file")
    /// The file to be created already exists, or the schema already contains tables.
    public static let fileExists = Self(rawValue: "file-exists")
    /// The file cannot be created or written to.
    public static let cannotCreate = Self(rawValue: "cannot-create")
    /// The file, or a file that belongs to it, exists but cannot be opened.
    public static let cannotOpen = Self(rawValue: "cannot-open")
    /// The file is not a store.
    ///
    /// It is not a database, or it belongs to another program.
    public static let notAStore = Self(rawValue: "not-a-store")
    /// The file is damaged.
    public static let corruptFile = Self(rawValue: "corrupt-file")
    /// An I/O error occurred while the file was read or written.
    public static let inputOutput = Self(rawValue: "input-output")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "disk-full")
    /// The file was locked by another connection for longer than the timeout, or the server or the pool of connections
    /// was busy for too long.
    public static let busy = Self(rawValue: "busy")
    /// The store is open for reading only.
    public static let readOnly = Self(rawValue: "read-only")

    /// The bytes of an external value are missing, or the database has no record of them.
    public static let missingBlob = Self(rawValue: "missing-blob")
    /// The stored bytes of an external value are not those that were written.
    public static let damagedBlob = Self(rawValue: "damaged-blob")

    // Servers

    /// The connection string is invalid, contains a password, or asks for a connection that would not be verified.
    public static let invalidAddress = Self(rawValue: "invalid-address")
    /// The server cannot be reached, or it does not accept the connection.
    public static let connectionFailed = Self(rawValue: "connection-failed")
    /// The connection to the server was lost.
    ///
    /// No part of the transaction was written.
    public static let connectionLost = Self(rawValue: "connection-lost")
    /// The connection to the server was lost while a transaction was being committed.
    ///
    /// Either all of it was written or nothing.
    public static let outcomeUnknown = Self(rawValue: "outcome-unknown")
    /// The server ended the transaction because of what another transaction did at the same time.
    ///
    /// Nothing was written. The transaction may succeed if it runs again.
    public static let transactionConflict = Self(rawValue: "transaction-conflict")
    /// The server does not accept the role or its password, or the role lacks a privilege.
    public static let accessDenied = Self(rawValue: "access-denied")
    /// The statement was canceled.
    public static let canceled = Self(rawValue: "canceled")

    // Tenants

    /// The model has tenants, but no tenant was named.
    public static let tenantRequired = Self(rawValue: "tenant-required")

    // Models and schemas

    /// The model contradicts itself or does not follow the format.
    public static let invalidModel = Self(rawValue: "invalid-model")
    /// The model differs from the model in the file or in an export, but has the same version, or the file has an older
    /// version and was opened for reading only.
    ///
    /// Use the same model, increase its version, or open the file once for writing.
    public static let modelMismatch = Self(rawValue: "model-mismatch")
    /// Another program has migrated or re-encoded the store since it was opened.
    ///
    /// Open it again, with a model that fits.
    public static let storeChanged = Self(rawValue: "store-changed")
    /// The file was written with a newer version of the model, so the program must be updated.
    public static let newerModel = Self(rawValue: "newer-model")
    /// The file was written by a newer version of this library.
    public static let newerFormat = Self(rawValue: "newer-format")
    /// The store's model and tables cannot be verified.
    ///
    /// Their seal is missing, belongs to a different model or to different tables, or was made with a key that is not
    /// available.
    public static let unauthenticatedModel = Self(rawValue: "unauthenticated-model")
    /// A row was changed without the store's key, or the key that it is authenticated with is not available.
    public static let unauthenticatedRow = Self(rawValue: "unauthenticated-row")
    /// The transformer's signature differs from the signature that the column was written with.
    public static let signatureMismatch = Self(rawValue: "signature-mismatch")
    /// A transformer in the model is not registered, does not fit its attribute, or cannot decode.
    public static let unresolvedTransformer = Self(rawValue: "unresolved-transformer")

    /// A projection without a key would reveal values of a confidential attribute.
    public static let revealingProjection = Self(rawValue: "revealing-projection")

    // Names and types

    /// The model has no entity with this name.
    public static let unknownEntity = Self(rawValue: "unknown-entity")
    /// The entity has no attribute, relationship, or projection with this name.
    public static let unknownAttribute = Self(rawValue: "unknown-attribute")
    /// The object does not exist or has been deleted.
    public static let noSuchObject = Self(rawValue: "no-such-object")
    /// The attribute's values are of a different type.
    public static let wrongType = Self(rawValue: "wrong-type")
    /// The attribute has no value although it requires one.
    public static let missingValue = Self(rawValue: "missing-value")
    /// The condition or sort order is invalid.
    public static let invalidCondition = Self(rawValue: "invalid-condition")
    /// A computation in a condition has no result, because of an overflow, a division by zero, or an operand that is
    /// not a number.
    public static let arithmeticFailure = Self(rawValue: "arithmetic-failure")
    /// An SQL statement that the program passed is invalid.
    public static let invalidStatement = Self(rawValue: "invalid-statement")
    /// The database rejected one of the store's own statements.
    public static let statementFailed = Self(rawValue: "statement-failed")
    /// The operation is not supported.
    public static let unsupported = Self(rawValue: "unsupported")
    /// A function was called where it cannot be used.
    ///
    /// For example, an object or context was used after its block ended, an object belongs to another context, a block
    /// was nested in another block, or the store has been closed.
    public static let misuse = Self(rawValue: "misuse")

    // Values

    /// The value cannot be stored or breaks a validation rule of the model.
    public static let invalidValue = Self(rawValue: "invalid-value")
    /// The stored bytes cannot be decoded.
    ///
    /// They are left unchanged.
    public static let undecodable = Self(rawValue: "undecodable")
    /// The value already exists, but values of this attribute must be unique.
    public static let notUnique = Self(rawValue: "not-unique")
    /// The object cannot be deleted because other objects depend on it.
    public static let deletionDenied = Self(rawValue: "deletion-denied")
    /// The object refers to an object that does not exist.
    public static let danglingReference = Self(rawValue: "dangling-reference")
    /// The object was changed or deleted by another context after it was read.
    ///
    /// Nothing was written, and the changes of a context for editing are still pending. A re-encoding throws this error
    /// if another program has ended it.
    public static let conflict = Self(rawValue: "conflict")
    /// A projection's column does not match its attribute's value.
    public static let wrongProjection = Self(rawValue: "wrong-projection")
    /// A limit was exceeded.
    public static let limitExceeded = Self(rawValue: "limit-exceeded")
}

extension StoreError: Equatable {
    /// Returns a Boolean value that indicates whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}

extension StoreError: CustomStringConvertible {
    /// The location, message, and cause of the error, on one line.
    public var description: String {
        let offset = offset.map { " (at byte \($0))" } ?? ""
        // Each fault includes its own cause.
        let cause = faults.isEmpty ? underlying.map { ": \($0)" } ?? "" : ": " + faults.joined(separator: "; ")
        return "\(place)\(message)\(offset)\(cause)"
    }

    private var place: String {
        let names = [entity, attribute].compactMap(\.self).joined(separator: ".")
        let numbers = [object.map { "object \($0.number)" }, element.map { "element \($0)" }].compactMap(\.self)
        let subject = (names.isEmpty ? [] : [names]) + numbers
        return subject.isEmpty ? "" : subject.joined(separator: ", ") + ": "
    }
}
