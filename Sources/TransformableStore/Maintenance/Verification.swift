internal import Transformable

/// What a check of a whole store has found.
public struct Verification: Sendable {
    /// Cells of an attribute that cannot be read in this program, and are not damaged.
    public struct Unreadable: Sendable {
        /// The entity's name.
        public let entity: String
        /// The attribute's name.
        public let attribute: String
        /// How many cells.
        public internal(set) var count: Int
        /// Why: a transformer that is not registered here or is another one, or a key that is not here.
        public let error: StoreError
    }

    /// How many objects there are.
    public internal(set) var objectCount = 0
    /// How many external blobs the database knows.
    public internal(set) var blobCount = 0
    /// What is wrong, each with its place; the first ``limit`` of them.
    public internal(set) var faults: [StoreError] = []
    /// How many faults there are.
    public internal(set) var faultCount = 0
    /// What keeps its bytes, and cannot be read in this program: no fault of the store.
    public internal(set) var unreadable: [Unreadable] = []
    /// The projections whose columns were computed by another expression, as in `Patient.ssn_blind_index`.
    ///
    /// Conditions do without them or are refused. Opening the store for writing computes them again, if all values that
    /// they depend on can be read.
    public internal(set) var outdatedProjections: [String] = []
    /// How many files a crash has left, or are kept for readers: a sweep removes them.
    public internal(set) var orphanedBlobCount = 0
    /// Re-encodings that have begun and not ended: no fault, but their values may stand in the file in clear.
    public internal(set) var unfinishedReencodings: [UnfinishedReencoding] = []
    /// Projections of confidential attributes that have no key, as `Patient.ssn_lower`: no fault, but the model of an
    /// earlier version, which does not say that they may reveal.
    public internal(set) var revealingProjections: [String] = []

    /// How many faults are described.
    public static let limit = 1000

    /// Whether nothing is wrong.
    public var isSound: Bool { faultCount == 0 }

    mutating func add(_ fault: StoreError) {
        faultCount += 1
        if faults.count < Self.limit { faults.append(fault) }
    }

    /// Notes a cell that gives no value: damage, or something that is missing here.
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
    /// Codes of transformers that lack a key; the stages that use them are a plugin's, and codes are for ever.
    private static let keyCodes = ["missing-key", "retired-key"]

    /// Whether an attribute cannot be read because of what this program has, not because of its bytes.
    var isOfThisProgram: Bool {
        if [.unresolvedTransformer, .signatureMismatch].contains(code) { return true }
        return lacksKey
    }

    /// Whether a key is missing that would open the value, or has been retired.
    var lacksKey: Bool { transformerError.map { Self.keyCodes.contains($0.code.rawValue) } ?? false }

    /// Whether a sealed value does not open: its key is not here, or is another one, or its bytes were altered.
    var isUnopened: Bool { lacksKey || transformerError?.code.rawValue == "authentication-failed" }
}
