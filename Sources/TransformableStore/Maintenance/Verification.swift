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
        public internal(set) var count: Int
        /// The reason: a transformer that is not registered in this program or that differs, or a key that is not
        /// available.
        public let error: StoreError
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
    /// The cells that this program cannot read.
    ///
    /// They keep their bytes and are not faults.
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
    public var isSound: Bool { faultCount == 0 }

    mutating func add(_ fault: StoreError) {
        faultCount += 1
        if faults.count < Self.limit { faults.append(fault) }
    }

    /// Records a cell that cannot be decoded, because it is damaged or because this program lacks something.
    mutating func note(_ failure: StoreError, _ entity: String, _ attribute: String) {
        guard failure.isOfThisProgram else { return add(failure) }
        if let index = unreadable.firstIndex(where: { $0.entity == entity && $0.attribute == attribute }) {
            unreadable[index].count += 1
        } else {
            unreadable.append(Unreadable(entity: entity, attribute: attribute, count: 1, error: failure))
        }
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
