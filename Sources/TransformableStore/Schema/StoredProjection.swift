internal import Foundation
internal import Transformable

/// A projection as an open store has it.
struct StoredProjection: Sendable {
    let description: ProjectionDescription
    /// The column's type, as SQLite's shell shows it.
    let columnType: String
    /// Whether its cells compare as the values do.
    let isOrdered: Bool
    /// Whether every value equal to another is found by its candidates.
    let findsEqualValues: Bool
    /// The expression with all its arguments, and the versions of its stages.
    let fingerprint: String
    /// The keys it depends on; nil if it depends on none.
    let keys: KeyRecord?
    /// Why it cannot be computed in this program.
    let failure: StoreError?

    var name: String { description.name }
    /// Whether its column was computed by another expression.
    var isOutdated: Bool { failure?.code == .signatureMismatch }

    /// A projection that does not resolve here.
    init(_ description: ProjectionDescription, failure: StoreError) {
        self.description = description
        self.failure = failure
        columnType = "BLOB"
        isOrdered = false
        findsEqualValues = false
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
        // Text is projected in its composed form, and looked for in every form.
        let needed: TransformerTraits = resolved.valueType == String.self ? .deterministic : .canonical
        findsEqualValues = resolved.traits.contains(needed)
        let prefix = origin.isEmpty ? "" : "(\(origin)) | "
        fingerprint = "\(prefix)\(resolved.expression) = \(resolved.signature)"
        // What is about to be computed again depends on no former key.
        let isCurrent = known?.fingerprint == fingerprint
        keys = KeyRecord(resolved, recorded: isCurrent ? known?.keys ?? [] : [])
    }
}

/// Computes a projection of values of a known type.
struct Projector<Value>: Sendable {
    let encode: @Sendable (Value, TransformContext) throws -> ColumnValue
    let candidates: @Sendable (Value, TransformContext) throws -> [ColumnValue]

    /// Takes a transformer that ends in one of the types of a column; nil for any other.
    init?(_ transformer: any OneWayTransformer) {
        if let base = transformer as? any OneWayTransformer<Value, Int64> {
            self.init(base) { .integer($0) }
        } else if let base = transformer as? any OneWayTransformer<Value, Double> {
            // SQLite has no NaN; both sides of a comparison take NULL for it.
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
        candidates = { try base.candidates(for: $0, in: $1).map(column) }
    }

    /// Text in Unicode's composed form, so that equal text gives the same; any other value as it is.
    private static func composed(_ value: Value) -> Value {
        (value as? String)?.composed as? Value ?? value
    }
}
