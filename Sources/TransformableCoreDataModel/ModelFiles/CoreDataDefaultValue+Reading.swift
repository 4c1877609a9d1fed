internal import Foundation

extension CoreDataDefaultValue {
    /// Reads a default from its text in XML.
    ///
    /// - Parameters:
    ///   - text: The text, which need not fit the type.
    ///   - type: The type of the attribute.
    /// - Returns: The default, and a note if the text does not have the usual form.
    static func reading(_ text: String, as type: CoreDataAttributeType) -> (value: Self, note: String?) {
        switch type {
        case .boolean: boolean(text)
        case .integer16: integer(text, in: Int64(Int16.min)...Int64(Int16.max))
        case .integer32: integer(text, in: Int64(Int32.min)...Int64(Int32.max))
        case .integer64: integer(text, in: .min ... .max)
        case .float, .double: Double(text).map { (.number($0), nil) } ?? number(of: text)
        case .decimal: decimal(text)
        case .string, .uri, .uuid: (.string(text), nil)
        case .undefined, .date, .binary, .transformable, .objectID, .composite: (.invalid(text), nil)
        }
    }

    private static func boolean(_ text: String) -> (Self, String?) {
        switch text.lowercased() {
        case "yes": (.boolean(true), nil)
        case "no": (.boolean(false), nil)
        case "true", "1": (.boolean(true), "read as YES")
        case "false", "0": (.boolean(false), "read as NO")
        default: (.invalid(text), nil)
        }
    }

    private static func integer(_ text: String, in range: ClosedRange<Int64>) -> (Self, String?) {
        if let number = Int64(text) { return range.contains(number) ? (.integer(number), nil) : (.invalid(text), nil) }
        switch text.lowercased() {
        case "yes", "true": return (.integer(1), "read as 1")
        case "no", "false": return (.integer(0), "read as 0")
        default: break
        }
        guard let number = Double(text), let whole = Int64(exactly: number.rounded(.towardZero)), range.contains(whole)
        else { return (.invalid(text), nil) }
        return (.integer(whole), "read as \(whole)")
    }

    /// Reads a Boolean value where a number is expected.
    private static func number(of text: String) -> (Self, String?) {
        switch text.lowercased() {
        case "yes", "true": (.number(1), "read as 1")
        case "no", "false": (.number(0), "read as 0")
        default: (.invalid(text), nil)
        }
    }

    private static func decimal(_ text: String) -> (Self, String?) {
        isNumber(text) ? (.decimal(canonicalNumber(text)), nil) : (.invalid(text), nil)
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.count <= 64 && text.wholeMatch(of: /[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?/) != nil
    }

    /// Returns the shortest text of a decimal number, or any other text as it is.
    static func canonicalNumber(_ text: String) -> String {
        guard isNumber(text), let number = Decimal(string: text), !number.isNaN else { return text }
        return number.description
    }
}
