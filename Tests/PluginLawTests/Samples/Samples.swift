import Transformable

/// Values that an expression takes, with what is known of them: the ground of the law tests, and the
/// fuzzer's first seeds.
struct Samples<Value>: SampleSet {
    let expression: String
    var values: [Value]
    /// Values that must be refused.
    var refused: [Value] = []
    /// Bytes or text that must be rejected.
    var rejected: [any Sendable] = []
    /// When two values count as equal.
    var areEqual: (Value, Value) -> Bool
    /// The order that an ordered transformer keeps; nil for values that are `Comparable`.
    var areInIncreasingOrder: ((Value, Value) -> Bool)?
    /// Reads what a decoded value puts off until it is asked.
    var touch: (@Sendable (Value) throws -> Void)?

    init(
        _ expression: String,
        _ values: [Value],
        refused: [Value] = [],
        rejected: [any Sendable] = [],
        by areEqual: @escaping (Value, Value) -> Bool
    ) {
        self.expression = expression
        self.values = values
        self.refused = refused
        self.rejected = rejected
        self.areEqual = areEqual
    }
}

extension Samples {
    /// The same samples, of which a decoded one is asked for all it holds.
    func touched(_ touch: @escaping @Sendable (Value) throws -> Void) -> Self {
        var touched = self
        touched.touch = touch
        return touched
    }

    /// The same samples, in the order of what an ordered transformer takes from them.
    func ordered(by key: @escaping (Value) -> some Comparable) -> Self {
        var ordered = self
        ordered.areInIncreasingOrder = { key($0) < key($1) }
        return ordered
    }
}

extension Samples where Value: Equatable {
    init(_ expression: String, _ values: [Value], refused: [Value] = [], rejected: [any Sendable] = []) {
        self.init(expression, values, refused: refused, rejected: rejected, by: ==)
    }
}

/// The samples of one expression, whatever their type.
protocol SampleSet {
    associatedtype Value
    var expression: String { get }
    var values: [Value] { get }
    var refused: [Value] { get }
    var rejected: [any Sendable] { get }
    var areEqual: (Value, Value) -> Bool { get }
    var areInIncreasingOrder: ((Value, Value) -> Bool)? { get }
    var touch: (@Sendable (Value) throws -> Void)? { get }
}

extension SampleSet {
    /// The transformer of the expression, in whatever its last stage gives.
    func transformer(in registry: TransformerRegistry) throws -> any OneWayTransformer {
        let whole = try registry.resolve(expression, for: Value.self, ending: .anything).transformer
        guard let touch else { return whole }
        func touching<Base: Transformer>(_ base: Base) -> any OneWayTransformer {
            guard let touch = touch as? @Sendable (Base.Value) throws -> Void else { return base }
            return TouchingTransformer(base: base, touch: touch)
        }
        return (whole as? any Transformer).map { touching($0) } ?? whole
    }
}

/// A transformer whose decoder also reads what a value puts off until it is asked.
struct TouchingTransformer<Base: Transformer>: Transformer {
    let base: Base
    let touch: @Sendable (Base.Value) throws -> Void

    var traits: TransformerTraits { base.traits }

    func encode(_ value: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        try base.encode(value, in: context)
    }

    func decode(_ encoded: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        let value = try base.decode(encoded, in: context)
        try touch(value)
        return value
    }
}
