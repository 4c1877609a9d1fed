public import Foundation
internal import Synchronization

/// A transformer that converts values to text and back with a formatter.
///
/// Foundation's formatters are not thread-safe, so only one thread at a time uses the formatter. Prefer
/// ``FormatStyleTransformer`` if there is a suitable format style.
///
/// ```swift
/// let decimal = FormatterTransformer(formatter, format: { $0.string(from: $1) }, parse: { $0.number(from: $1) })
/// ```
///
/// - Warning: On Linux, a `DateFormatter` can crash if parsing stops before a combining mark. Make
///   sure that `parse` rejects such text before it passes it to the formatter.
public final class FormatterTransformer<Base: Formatter, Value>: Transformer {
    /// The traits of the formatter.
    public let traits: TransformerTraits
    private let lock = Mutex(())
    // Access only while `lock` is held. The caller of `init` transfers ownership of the formatter.
    private nonisolated(unsafe) let formatter: Base
    private let format: @Sendable (Base, Value) -> String?
    private let parse: @Sendable (Base, String) -> Value?

    /// Creates a transformer from a formatter, and takes ownership of it.
    ///
    /// - Parameters:
    ///   - formatter: The configured formatter. Set its locale and time zone.
    ///   - traits: The traits of the formatter. The default suits most formatters: they round, and they distinguish -0
    ///     from 0.
    ///   - format: A closure that formats a value, or returns nil if it cannot.
    ///   - parse: A closure that parses text, or returns nil if the text is not valid.
    public init(
        _ formatter: sending Base,
        traits: TransformerTraits = [.deterministic, .lossy],
        format: @escaping @Sendable (Base, Value) -> String?,
        parse: @escaping @Sendable (Base, String) -> Value?
    ) {
        self.formatter = formatter
        self.traits = traits
        self.format = format
        self.parse = parse
    }

    /// Formats a value.
    public func encode(_ value: Value, in context: TransformContext) throws -> String {
        guard let text = withFormatter({ format($0, value) }) else {
            throw TransformerError.invalidValue("the formatter cannot format this value")
        }
        return text
    }

    /// Parses text.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Value {
        guard let value = withFormatter({ parse($0, encoded) }) else {
            throw TransformerError.invalidData("the text does not match the format")
        }
        return value
    }

    private func withFormatter<Result>(_ body: (Base) -> Result) -> Result {
        lock.withLock { _ in body(formatter) }
    }
}

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

    /// Parses text.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Style.FormatInput {
        do {
            return try strategy.parse(encoded)
        } catch {
            throw TransformerError.invalidData("the text does not match the format", underlying: error)
        }
    }
}
