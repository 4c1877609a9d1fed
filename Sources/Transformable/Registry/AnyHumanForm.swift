public import Foundation

/// A ``HumanForm`` whose value type is known only at run time.
public struct AnyHumanForm: Sendable {
    /// Reads what a person gave.
    public let parse: @Sendable (Data) throws -> Any
    /// Writes a value of the form's type, in the format of a file extension where one is given.
    public let print: @Sendable (Any, String?) throws -> Data
    /// Whether what is written is text, fit for a terminal.
    public let isText: Bool
    /// What a person should know beside a value of the form's type.
    public let remarks: @Sendable (Any) -> [String]

    /// Hides the value type of a form.
    ///
    /// - Parameter form: The form.
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

    /// The form that values of a type have by themselves, if they have one.
    ///
    /// - Parameter type: The type of the values.
    /// - Returns: Raw bytes for `Data`, text for what Swift writes and reads losslessly, JSON for `Codable` types.
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
