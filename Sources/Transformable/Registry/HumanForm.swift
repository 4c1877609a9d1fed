public import Foundation

/// How a person gives and sees a value: on the command line, in files and in listings.
///
/// Strings, numbers, `Data` and `Codable` types have one by themselves (text, text, raw bytes and
/// JSON); a registration states one for everything else.
public struct HumanForm<Value>: Sendable {
    /// Reads what a person gave: an argument's UTF-8, or a file's bytes.
    public let parse: @Sendable (Data) throws -> Value
    /// Writes the value, in the format that the second argument names.
    ///
    /// The format is a file's extension in lower case, where one is known.
    public let print: @Sendable (Value, String?) throws -> Data
    /// Whether what is written is text, fit for a terminal.
    public let isText: Bool
    /// What a person should know beside the value: that a part of it is missing, say.
    public let remarks: @Sendable (Value) -> [String]

    /// Makes a form of bytes.
    ///
    /// - Parameters:
    ///   - isText: Whether what `print` writes is text.
    ///   - parse: Reads what a person gave.
    ///   - print: Writes a value, in the format of a file extension where one is given.
    ///   - remarks: What a person should know beside the value, asked for once it is printed.
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

    /// Makes a form of text.
    ///
    /// - Parameters:
    ///   - parse: Reads a text.
    ///   - print: Writes a value.
    /// - Returns: The form; it refuses bytes that are not UTF-8.
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

    /// Makes a form of what a reversible transformer of text writes and reads.
    ///
    /// - Parameter transformer: The transformer whose encoded form a person sees.
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
    /// The text that Swift writes and reads losslessly.
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
            throw TransformerError.invalidData("the input is not JSON for \(Value.self)", underlying: error)
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
            throw TransformerError.invalidData("“\(text)” is too large or too small for a \(Value.self)")
        }
        return value
    }

    func print(_ value: Value) -> String {
        value.description
    }
}
