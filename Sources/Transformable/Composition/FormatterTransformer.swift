public import Foundation
internal import Synchronization

/// A transformer of one of Foundation's formatters: text as the formatter writes and parses it.
///
/// Foundation's formatters are not safe for use from several threads, so this one is used by one
/// thread at a time. Prefer ``FormatStyleTransformer`` where there is a style for the job.
///
/// ```swift
/// let decimal = FormatterTransformer(formatter, format: { $0.string(from: $1) }, parse: { $0.number(from: $1) })
/// ```
///
/// - Warning: On Linux, parsing by a `DateFormatter` can end the process where parsing stops before a
///   combining mark: let `parse` refuse such texts before it gives them to the formatter.
public final class FormatterTransformer<Base: Formatter, Value>: Transformer {
    /// What holds of this transformer.
    public let traits: TransformerTraits
    private let lock = Mutex(())
    // Used only while `lock` is held; `init` takes the formatter over from its caller.
    private nonisolated(unsafe) let formatter: Base
    private let format: @Sendable (Base, Value) -> String?
    private let parse: @Sendable (Base, String) -> Value?

    /// Makes a transformer of a formatter, which it takes over.
    ///
    /// - Parameters:
    ///   - formatter: The formatter, configured; state its locale and time zone.
    ///   - traits: What holds of the formatter; most round, and write a sign before 0.
    ///   - format: Writes a value; nil where it cannot.
    ///   - parse: Reads a text; nil where it is none of the formatter's.
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

    /// Writes the value by the formatter.
    public func encode(_ value: Value, in context: TransformContext) throws -> String {
        guard let text = withFormatter({ format($0, value) }) else {
            throw TransformerError.invalidValue("the formatter does not write this value")
        }
        return text
    }

    /// Reads the text by the formatter.
    public func decode(_ encoded: String, in context: TransformContext) throws -> Value {
        guard let value = withFormatter({ parse($0, encoded) }) else {
            throw TransformerError.invalidData("the text does not follow the format")
        }
        return value
    }

    private func withFormatter<Result>(_ body: (Base) -> Result) -> Result {
        lock.withLock { _ in body(formatter) }
    }
}
