internal import Transformable

/// The result of verifying a whole store.
public struct Verification: Sendable {
    /// Cells of an attribute that this program cannot read although they are not damaged.
    public struct Unreadable: Sendable {
        /// The entity's name.
        public let entity: String
        /// The attribute's name.
        public let attribute: String
        /// The number of cells.
        public fileprivate(set) var count = 0
        /// The reason: a transformer that is not registered in this program or that differs, or a key that is not
        /// available.
        public let error: StoreError
        /// The identifiers of the missing keys, in the order in which they were found.
        ///
        /// At most ``limit`` of them are listed. The list is empty if no key is missing, or if it is not known which.
        public fileprivate(set) var keys: [String] = []
        /// The numbers of the first objects that have such a cell.
        ///
        /// At most ``limit`` of them are listed.
        public fileprivate(set) var objects: [Int64] = []

        /// The maximum number of keys, and of objects, that are listed.
        public static let limit = 10

        fileprivate mutating func add(_ failure: StoreError, of number: Int64) {
            count += 1
            if objects.count < Self.limit, objects.last != number { objects.append(number) }
            guard let key = failure.transformerError?.key, keys.count < Self.limit, !keys.contains(key) else { return }
            keys.append(key)
        }
    }

    /// The number of objects.
    public internal(set) var objectCount = 0
    /// The number of external values that the database refers to.
    public internal(set) var blobCount = 0
    /// The faults that were found, each with its location.
    ///
    /// At most ``limit`` of them are listed.
    public internal(set) var faults: [StoreError] = []
    /// The number of faults.
    public internal(set) var faultCount = 0
    /// The cells that this program cannot read, and therefore could not check.
    ///
    /// They keep their bytes and are not faults. A cell whose key this program should have is a fault instead:
    /// ``Store/verify(progress:)`` says when.
    public internal(set) var unreadable: [Unreadable] = []
    /// The projections whose columns were computed by a different expression, such as `Patient.ssn_blind_index`.
    ///
    /// Conditions do not use these projections, or are rejected. Opening the store for writing recomputes them if all
    /// values that they depend on can be read.
    public internal(set) var outdatedProjections: [String] = []
    /// The number of files that a crash has left behind or that are kept for readers.
    ///
    /// A sweep removes them.
    public internal(set) var orphanedBlobCount = 0
    /// Re-encodings that are unfinished.
    ///
    /// They are not faults, but the file may contain their values unencrypted.
    public internal(set) var unfinishedReencodings: [UnfinishedReencoding] = []
    /// Projections of confidential attributes that are not keyed, such as `Patient.ssn_lower`.
    ///
    /// They are not faults, but were allowed by the model of an earlier version.
    public internal(set) var revealingProjections: [String] = []

    /// The maximum number of faults that are listed.
    public static let limit = 1000

    /// Whether no faults were found.
    ///
    /// The cells in ``unreadable`` were not checked.
    public var isSound: Bool { faultCount == 0 }

    mutating func add(_ fault: StoreError) {
        faultCount += 1
        if faults.count < Self.limit { faults.append(fault) }
    }

    /// Records a value that cannot be decoded.
    ///
    /// A program that has the keys of the seal and of the attribute should be able to read each value. If a value names
    /// another key, the key ring is outdated, or someone without the key has replaced the identifier.
    ///
    /// - Parameters:
    ///   - failure: The reason.
    ///   - attribute: The attribute.
    ///   - object: The object.
    ///   - isAuthenticated: Whether the program has the key of the store's seal.
    mutating func note(
        _ failure: StoreError,
        _ attribute: StoredAttribute,
        of object: ManagedObject,
        isAuthenticated: Bool
    ) {
        let key = isAuthenticated && failure.lacksKey ? failure.transformerError?.key : nil
        if let key, attribute.transformer?.hasOnlyOtherKeys(than: key) == true {
            add(failure.ofUnknownKey)
        } else {
            note(failure, attribute.name, of: object)
        }
    }

    /// Records a cell that cannot be decoded or computed, because it is damaged or because this program lacks something.
    mutating func note(_ failure: StoreError, _ attribute: String, of object: ManagedObject) {
        guard failure.isOfThisProgram else { return add(failure) }
        let entity = object.entity.name
        let known = unreadable.firstIndex { $0.entity == entity && $0.attribute == attribute }
        let index = known ?? unreadable.endIndex
        if known == nil { unreadable.append(Unreadable(entity: entity, attribute: attribute, error: failure)) }
        unreadable[index].add(failure, of: object.number)
    }
}

extension StoreError {
    /// The error codes of transformers that lack a key.
    ///
    /// The stages belong to a plugin, and codes never change.
    private static let keyCodes = ["missing-key", "retired-key"]

    /// Whether an attribute cannot be read because of this program, rather than because of its bytes.
    var isOfThisProgram: Bool {
        if [.unresolvedTransformer, .signatureMismatch].contains(code) { return true }
        return lacksKey
    }

    /// Whether the key that would open the value is missing or has been retired.
    var lacksKey: Bool { transformerError.map { Self.keyCodes.contains($0.code.rawValue) } ?? false }

    /// Whether a sealed value cannot be opened, because its key is not available, because a different key was used, or
    /// because its bytes were altered.
    var isUnopened: Bool { lacksKey || transformerError?.code.rawValue == "authentication-failed" }
}

extension ResolvedTransformer {
    /// Returns whether a key is unknown, although those of new values are known.
    ///
    /// A program may lack the key of an attribute on purpose, or have only the public part of it.
    fileprivate func hasOnlyOtherKeys(than key: String) -> Bool {
        let keyed = components.compactMap { $0 as? any KeyIdentifyingTransformer }
        return !keyed.isEmpty && keyed.allSatisfy { $0.currentKey != nil && (try? $0.requireKeys([key])) == nil }
    }
}

extension StoreError {
    /// The same error for a value that this program should be able to read.
    fileprivate var ofUnknownKey: Self {
        var error = self
        error.message = """
            the value cannot be checked, because it names a key that is not in use here: either the key ring is outdated, \
            or the value was changed without the key
            """
        return error
    }
}

extension Store {
    /// Verifies the whole store in one snapshot, concurrently with readers and writers: its seal, SQLite's own check,
    /// references, every value, every projection, and the length and checksum of every external value, including those
    /// that migrations have set aside.
    ///
    /// If the store comes from an earlier version, which did not enforce the unique groups that an entity inherits, objects
    /// with the same values are reported as well.
    ///
    /// With the key of a seal, it also compares triggers and the functions that delete external values, rules, unique
    /// indexes, and foreign keys in PostgreSQL with their definitions.
    ///
    /// Cells for which this program lacks a key or transformer are not faults, and are listed as
    /// ``Verification/unreadable``. If they are external values, their bytes are still compared with their checksums.
    /// If ``isAuthenticated`` is true, there is an exception: An authenticated row that names an unknown key is a fault,
    /// and so is a value that names an unknown key although the program has a key for new values of the attribute. In
    /// both cases, either the key ring is outdated, or someone without the key has replaced the key's identifier.
    ///
    /// - Parameter progress: A closure that is called with the number of objects verified so far.
    /// - Returns: What was found.
    /// - Throws: `StoreError` if the store cannot be read at all, with the code `unauthenticated-model` if its
    ///   model or tables were changed without the key, or with the code `access-denied` if row-level security of a
    ///   server may hide rows; and errors thrown by the closure.
    public func verify(progress: @Sendable (Int) throws -> Void = { _ in }) throws -> Verification {
        var found = Verification()
        do {
            try read(in: wholeScope) { context in
                defer { context.failures.forgetRecorded() }
                var verifier = Verifier(context)
                found = try verifier.run(progress: progress)
            }
        } catch let error as StoreError where error.code == .corruptFile && !found.isSound {
            // SQLite reports a page that it could not read once more at the end of the transaction.
        }
        return found
    }
}
