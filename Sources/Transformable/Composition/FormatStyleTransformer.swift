public import Foundation

/// A transformer of one of Foundation's format styles: text as the style writes and parses it.
///
/// ```swift
/// let percent = FormatStyleTransformer(.percent.locale(Locale(identifier: "en_US")))
/// ```
public struct FormatStyleTransformer<Style: ParseableFormatStyle & Sendable>: Transformer
where Style.FormatOutput == String, Style.Strategy: Sendable {
    private let style: Style
    private let strategy: Style.Strategy
    /// What holds of this transformer.
    public let traits: TransformerTraits

    /// Makes a transformer of a format style.
    ///
    /// - Parameters:
    ///   - style: The style; state its locale and time zone, else the machine's are used.
    ///   - traits: What holds of the style; most round, and write a sign before 0.
    public init(_ style: Style, traits: TransformerTraits = [.deterministic, .lossy]) {
        self.style = style
        strategy = style.parseStrategy
        self.traits = traits
    }

    /// Writes the value in the style.
    public func encode(_ value: Style.FormatInput, in context: TransformContext) -> String {
        style.format(value)
    }

    /// Reads a text in the style.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Style.FormatInput {
        do {
            return try strategy.parse(encoded)
        } catch {
            throw TransformerError.invalidData("the text does not follow the format", underlying: error)
        }
    }
}
