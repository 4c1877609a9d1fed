public import Transformable

/// True or false as one of two words; `1` and `0` unless others are given.
public struct BoolTransformer: Transformer {
    private let yes: String
    private let no: String

    /// Makes a transformer of Booleans.
    ///
    /// - Parameters:
    ///   - yes: The word for true.
    ///   - no: The word for false.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidArgument` if both are the same.
    public init(true yes: String = "1", false no: String = "0") throws(TransformerError) {
        guard yes != no else { throw TransformerError(.invalidArgument, "true and false have different words") }
        self.yes = yes
        self.no = no
    }

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The word.
    public func encode(_ value: Bool, in context: TransformContext) -> String {
        value ? yes : no
    }

    /// The word's meaning; no other word and no other letter case is taken.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Bool {
        switch encoded {
        case yes: true
        case no: false
        default: throw .invalidData("expected “\(yes)” or “\(no)”", offset: 0)
        }
    }
}
