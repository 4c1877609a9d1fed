internal import Foundation
internal import Transformable

/// A projection of an open store.
struct StoredProjection: Sendable {
    let description: ProjectionDescription
    /// The column's declared type in SQL.
    let columnType: String
    /// Whether its cells are in the same order as the values.
    let isOrdered: Bool
    /// Whether the candidates of a value include those of every equal value.
    let findsEqualValues: Bool
    /// Whether its cells depend on where their values are, such as on the tenant.
    let isContextual: Bool
    /// The expression with all its arguments, and the versions of its stages.
    let fingerprint: String
    /// The keys that it depends on, or `nil` if there are none.
    let keys: KeyRecord?
    /// The reason why it cannot be computed in this program.
    let failure: StoreError?

    var name: String { description.name }
    /// The keys that rows are written with from now on, as the file records them.
    var currentKeys: String { keys?.current.joined(separator: " ") ?? "" }
    /// Whether its column was computed by a different expression.
    var isOutdated: Bool { failure?.code == .signatureMismatch }

    /// Creates a projection that cannot be resolved in this program.
    init(_ description: ProjectionDescription, failure: StoreError) {
        self.description = description
        self.failure = failure
        columnType = "BLOB"
        isOrdered = false
        findsEqualValues = false
        isContextual = false
        fingerprint = ""
        keys = nil
    }

    init(
        _ description: ProjectionDescription,
        _ resolved: ResolvedTransformer,
        known: Metadata.Projection? = nil,
        of origin: String = ""
    ) {
        self.description = description
        failure = nil
        columnType =
            switch resolved.encodedType {
            case is Int64.Type: "INTEGER"
            case is Double.Type: "REAL"
            case is String.Type: "TEXT"
            default: "BLOB"
            }
        isOrdered = resolved.traits.contains(.ordered) && resolved.valueType is any Comparable.Type
        // Text is projected in its composed form, but searched for in every form.
        let needed: TransformerTraits = resolved.valueType == String.self ? .deterministic : .canonical
        findsEqualValues = resolved.traits.contains(needed)
        isContextual = resolved.traits.contains(.contextual)
        let prefix = origin.isEmpty ? "" : "(\(origin)) | "
        fingerprint = "\(prefix)\(resolved.expression) = \(resolved.signature)"
        // A projection that is about to be recomputed does not depend on earlier keys.
        let isCurrent = known?.fingerprint == fingerprint
        keys = KeyRecord(resolved, recorded: isCurrent ? known?.keys ?? [] : [])
    }
}

extension StoredProjection {
    /// Throws an error if another program may write rows with a newer key, which this program does not have.
    func requireNewestKeys(of entity: String?) throws(StoreError) {
        guard let keys else { return }
        do throws(TransformerError) {
            try keys.checkWriting()
        } catch {
            let message = """
                the value cannot be stored, because its index uses a key that is not available; open the store with the \
                right keys. \(StoreError.wayWithoutKey)
                """
            throw StoreError(.invalidValue, message, entity: entity, attribute: name, underlying: error)
        }
    }
}

/// Computes a projection of values of a known type.
struct Projector<Value>: Sendable {
    let encode: @Sendable (Value, TransformContext) throws -> ColumnValue
    /// Returns what a column may contain for a value that equals one of several values.
    let candidates: @Sendable ([Value], TransformContext) throws -> [ColumnValue]

    /// Uses a transformer that returns one of the types of a column, and returns `nil` for any other.
    init?(_ transformer: any OneWayTransformer) {
        if let base = transformer as? any OneWayTransformer<Value, Int64> {
            self.init(base) { .integer($0) }
        } else if let base = transformer as? any OneWayTransformer<Value, Double> {
            // SQLite has no NaN. Both sides of a comparison use NULL instead.
            self.init(base) { $0.isNaN ? .null : .real($0) }
        } else if let base = transformer as? any OneWayTransformer<Value, String> {
            self.init(base) { .text($0) }
        } else if let base = transformer as? any OneWayTransformer<Value, Data> {
            self.init(base) { .blob($0) }
        } else {
            return nil
        }
    }

    private init<Encoded>(
        _ base: any OneWayTransformer<Value, Encoded>,
        column: @escaping @Sendable (Encoded) -> ColumnValue
    ) {
        encode = { column(try base.encode(Self.composed($0), in: $1)) }
        candidates = { try base.candidates(forAnyOf: $0, in: $1).map(column) }
    }

    /// Returns text in Unicode's composed form, so that equal text has the same projection, and any other value
    /// unchanged.
    private static func composed(_ value: Value) -> Value {
        (value as? String)?.composed as? Value ?? value
    }
}

extension ResolvedTransformer {
    /// Throws an error if the results for the same value may differ, so that a projection cannot use it.
    func requireSameResults() throws(TransformerError) {
        guard traits.contains(.deterministic) || traits.contains(.canonical) else {
            throw TransformerError(.unsupported, "a projection must return the same result for the same value")
        }
    }
}
