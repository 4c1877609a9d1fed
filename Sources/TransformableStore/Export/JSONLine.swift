internal import Foundation
internal import Transformable

/// Parts of JSON on a single line.
enum JSONLine {
    static func string(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    static func value(_ value: Any, _ form: AnyHumanForm?, isTransformed: Bool) throws -> String {
        // A transformer may state another form than that of its type, such as 12.50 for 1250 cents.
        if let scalar = scalar(value),
            try !isTransformed || form?.print(value, nil).elementsEqual("\(value)".utf8) != false
        {
            return scalar
        }
        guard let bytes = try form?.print(value, nil) else { return string("\(value)") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TransformerError.invalidValue("its text form is not valid UTF-8")
        }
        let isContainer = ["{", "["].contains(text.first) && (try? JSONSerialization.jsonObject(with: bytes)) != nil
        // Line breaks can occur only between JSON tokens.
        guard isContainer else { return string(text) }
        return String(decoding: bytes.map { [0x0A, 0x0D].contains($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func scalar(_ value: Any) -> String? {
        switch value {
        case let text as String: string(text)
        case let flag as Bool: "\(flag)"
        case let number as any BinaryInteger: "\(number)"
        case let number as Double: number.isFinite ? "\(number)" : string("\(number)")
        case let number as Float: number.isFinite ? "\(number)" : string("\(number)")
        default: nil
        }
    }
}
