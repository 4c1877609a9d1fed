public import Foundation

/// A transformer that converts values to text and back with a format style.
///
/// ```swift
/// let percent = FormatStyleTransformer(.percent.locale(Locale(identifier: "en_US")))
/// ```
public struct FormatStyleTransformer<Style: ParseableFormatStyle & Sendable>: Transformer
where Style.FormatOutput == String, Style.Strategy: Sendable {
    private let style: Style
    private let strategy: Style.Strategy
    /// The traits of the format style.
    public let traits: TransformerTraits

    /// Creates a transformer from a format style.
    ///
    /// - Parameters:
    ///   - style: The style. Set its locale and time zone; otherwise, those of the machine are used.
    ///   - traits: The traits of the style. The default suits most styles: they round, and they distinguish -0 from 0.
    public init(_ style: Style, traits: TransformerTraits = [.deterministic, .lossy]) {
        self.style = style
        strategy = style.parseStrategy
        self.traits = traits
    }

    /// Formats a value.
    public func encode(_ value: Style.FormatInput, in context: TransformContext) -> String {
        style.format(value)
    }

    /// Parses a text.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Style.FormatInput {
        do {
            return try strategy.parse(encoded)
        } catch {
            throw TransformerError.invalidData("the text does not match the format", underlying: error)
        }
    }
}
