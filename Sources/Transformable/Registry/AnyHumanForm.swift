public import Foundation

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

/// A transformer that provides the human-readable form of its values, because it depends on the arguments.
///
/// This form takes precedence over the form of the registration, which in turn takes precedence over the default form
/// of the type.
public protocol HumanFormProviding {
    /// The form, or nil if the transformer does not provide one.
    var humanForm: AnyHumanForm? { get }
}

extension StageTransformer: HumanFormProviding {
    var humanForm: AnyHumanForm? {
        (base as? any HumanFormProviding)?.humanForm
    }
}
