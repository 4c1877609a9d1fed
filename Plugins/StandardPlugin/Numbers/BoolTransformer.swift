public import Transformable

/// A transformer that converts Booleans to two words, which are `1` and `0` by default.
public struct BoolTransformer: Transformer {
    private let yes: String
    private let no: String

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - yes: The word for true.
    ///   - no: The word for false.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if both words are the same.
    public init(true yes: String = "1", false no: String = "0") throws(TransformerError) {
        guard yes != no else {
            throw TransformerError(.invalidArgument, "the words for true and false must be different")
        }
        self.yes = yes
        self.no = no
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the word for a Boolean.
    public func encode(_ value: Bool, in context: TransformContext) -> String {
        value ? yes : no
    }

    /// Returns the Boolean for a word.
    ///
    /// Other words and other letter case are errors.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Bool {
        switch encoded {
        case yes: true
        case no: false
        default: throw .invalidData("expected “\(yes)” or “\(no)”", offset: 0)
        }
    }
}
