public import Foundation

/// The human-readable form of values, which is used on the command line, in files, and in listings.
///
/// Strings, numbers, `Data`, and `Codable` types have a default form: text, text, raw bytes, and JSON. For all other
/// types, specify a form when you register a transformer.
public struct HumanForm<Value>: Sendable {
    /// Parses a value from the bytes of an argument or a file.
    public let parse: @Sendable (Data) throws -> Value
    /// Prints a value.
    ///
    /// The second argument selects the format.
    ///
    /// The format is the lowercased extension of the output file, if it is known.
    public let print: @Sendable (Value, String?) throws -> Data
    /// Whether the printed form is text that a terminal can show.
    public let isText: Bool
    /// Returns remarks about a value, for example that a part of it is missing.
    public let remarks: @Sendable (Value) -> [String]

    /// Creates a form of bytes.
    ///
    /// - Parameters:
    ///   - isText: Whether the printed form is text.
    ///   - parse: A closure that parses a value.
    ///   - print: A closure that prints a value. Its second argument is the extension of the output file, if any.
    ///   - remarks: A closure that returns remarks about a value after it is printed.
    public init(
        isText: Bool,
        parse: @escaping @Sendable (Data) throws -> Value,
        print: @escaping @Sendable (Value, String?) throws -> Data,
        remarks: @escaping @Sendable (Value) -> [String] = { _ in [] }
    ) {
        self.isText = isText
        self.parse = parse
        self.print = print
        self.remarks = remarks
    }

    /// Returns a text form.
    ///
    /// - Parameters:
    ///   - parse: A closure that parses text.
    ///   - print: A closure that prints a value.
    /// - Returns: A form that rejects bytes that are not valid UTF-8.
    public static func text(
        parse: @escaping @Sendable (String) throws -> Value,
        print: @escaping @Sendable (Value) throws -> String
    ) -> Self {
        Self(
            isText: true,
            parse: { try parse(TextTransformer().decode($0)) },
            print: { value, _ in Data(try print(value).utf8) }
        )
    }

    /// Returns a form that prints and parses text with a transformer.
    ///
    /// - Parameter transformer: The transformer.
    /// - Returns: The form.
    public static func text(_ transformer: some Transformer<Value, String>) -> Self {
        .text(parse: { try transformer.decode($0) }, print: { try transformer.encode($0) })
    }
}

extension HumanForm where Value: Codable {
    /// JSON, indented and with sorted keys.
    public static var json: Self {
        let coder = JSONForm<Value>()
        return Self(isText: true, parse: coder.parse, print: coder.print)
    }
}

extension HumanForm where Value: LosslessStringConvertible {
    /// The text that Swift converts losslessly to and from values.
    static var lossless: Self {
        let coder = LosslessForm<Value>()
        return .text(parse: coder.parse, print: coder.print)
    }
}

private struct JSONForm<Value: Codable>: Sendable {
    func parse(_ bytes: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: bytes)
        } catch {
            throw TransformerError.invalidData(
                "the input is not valid JSON for a value of type \(Value.self)",
                underlying: error
            )
        }
    }

    func print(_ value: Value, _ format: String?) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

private struct LosslessForm<Value: LosslessStringConvertible>: Sendable {
    func parse(_ text: String) throws -> Value {
        guard let value = Value(text) else {
            throw TransformerError.invalidData("“\(text)” is not a value of type \(Value.self)")
        }
        if let type = Value.self as? any (BinaryFloatingPoint & LosslessStringConvertible).Type,
            RealText.number(text, as: type) == nil
        {
            throw TransformerError.invalidData("“\(text)” is out of range for \(Value.self)")
        }
        return value
    }

    func print(_ value: Value) -> String {
        value.description
    }
}

/// A type-erased ``HumanForm``.
public struct AnyHumanForm: Sendable {
    /// Parses a value.
    public let parse: @Sendable (Data) throws -> Any
    /// Prints a value of the form's type.
    ///
    /// The second argument is the extension of the output file, if any.
    public let print: @Sendable (Any, String?) throws -> Data
    /// Whether the printed form is text that a terminal can show.
    public let isText: Bool
    /// Returns remarks about a value of the form's type.
    public let remarks: @Sendable (Any) -> [String]

    /// Creates a type-erased form.
    ///
    /// - Parameter form: The form to wrap.
    public init<Value>(_ form: HumanForm<Value>) {
        isText = form.isText
        parse = form.parse
        remarks = { ($0 as? Value).map(form.remarks) ?? [] }
        print = { value, format in
            guard let value = value as? Value else {
                throw TransformerError.unsupportedType(type(of: value), expected: Value.self)
            }
            return try form.print(value, format)
        }
    }

    private init(
        isText: Bool,
        parse: @escaping @Sendable (Data) throws -> Any,
        print: @escaping @Sendable (Any, String?) throws -> Data,
        remarks: @escaping @Sendable (Any) -> [String]
    ) {
        self.isText = isText
        self.parse = parse
        self.print = print
        self.remarks = remarks
    }

    /// Returns a form that parses and prints like another one, and uses this one for what the other one cannot parse or
    /// print, and for remarks.
    func yielding(to other: Self) -> Self {
        let (parse, print) = (parse, print)
        return Self(
            isText: other.isText,
            parse: { bytes in
                try Self.either {
                    try other.parse(bytes)
                } or: {
                    try parse(bytes)
                }
            },
            print: { value, format in
                try Self.either {
                    try other.print(value, format)
                } or: {
                    try print(value, format)
                }
            },
            remarks: remarks
        )
    }

    /// Returns the default form for a type, if there is one.
    ///
    /// - Parameter type: The type of the values.
    /// - Returns: Raw bytes for `Data`, text for types that are losslessly convertible to strings, and JSON for other
    ///   `Codable` types.
    public static func automatic(for type: Any.Type) -> Self? {
        if type == Data.self {
            return Self(HumanForm<Data>(isText: false, parse: { $0 }, print: { bytes, _ in bytes }))
        }
        if let type = type as? any LosslessStringConvertible.Type { return lossless(type) }
        if let type = type as? any Codable.Type { return json(type) }
        return nil
    }

    private static func lossless<Value: LosslessStringConvertible>(_ type: Value.Type) -> Self {
        Self(HumanForm<Value>.lossless)
    }

    private static func json<Value: Codable>(_ type: Value.Type) -> Self {
        Self(HumanForm<Value>.json)
    }
}

extension AnyHumanForm {
    /// Returns a form of the values of another transformer with the same encoded form, or nil if either cannot decode.
    ///
    /// - Parameters:
    ///   - own: The transformer of the values that this form reads and prints.
    ///   - other: The other transformer.
    ///   - fallback: The form for values that only the other transformer supports.
    /// - Returns: The form.
    func converted(
        from own: any OneWayTransformer,
        to other: any OneWayTransformer,
        or fallback: AnyHumanForm?
    ) -> Self? {
        func fitting<Own: Transformer, Other: Transformer>(_ own: Own, _ other: Other) -> Self? {
            (own as? any Transformer<Own.Value, Other.Encoded>).map { converted(from: $0, to: other, or: fallback) }
        }
        guard let own = own as? any Transformer, let other = other as? any Transformer else { return nil }
        return fitting(own, other)
    }

    private func converted<Own: Transformer, Other: Transformer>(
        from own: Own,
        to other: Other,
        or fallback: AnyHumanForm?
    ) -> Self where Own.Encoded == Other.Encoded {
        let fallback = fallback.flatMap { $0.isText == isText ? $0 : nil }
        return Self(
            HumanForm<Other.Value>(
                isText: isText,
                parse: { text in
                    try Self.either {
                        guard let value = try parse(text) as? Own.Value else {
                            throw TransformerError.invalidData("the text is not a value of type \(Own.Value.self)")
                        }
                        return try other.decode(own.encode(value))
                    } or: {
                        try fallback?.parse(text) as? Other.Value
                    }
                },
                print: { value, format in
                    try Self.either {
                        try print(own.decode(other.encode(value)), format)
                    } or: {
                        try fallback?.print(value, format)
                    }
                }
            )
        )
    }

    /// Returns the first of two results, or the second one if there is an error, which is thrown if both fail.
    ///
    /// A value that exceeds a limit of one form would take too much memory in the other one, too.
    private static func either<Result>(_ first: () throws -> Result, or second: () throws -> Result?) throws -> Result {
        do {
            return try first()
        } catch let error as TransformerError where error.code == .limitExceeded {
            throw error
        } catch {
            guard let result = try? second() else { throw error }
            return result
        }
    }
}

/// A transformer that provides the human-readable form of its values, because it depends on the arguments.
///
/// This form takes precedence over the form of the registration, which in turn takes precedence over the default form
/// of the type. If stages that only change values precede the transformer, this form is used as well, and theirs for
/// what it cannot parse or print.
public protocol HumanFormProviding {
    /// The form, or nil if the transformer does not provide one.
    var humanForm: AnyHumanForm? { get }
}

extension StageTransformer: HumanFormProviding {
    var humanForm: AnyHumanForm? {
        (base as? any HumanFormProviding)?.humanForm
    }
}
