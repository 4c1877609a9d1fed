internal import Foundation

extension CoreDataDefaultValue {
    /// Reads a default from an object in a compiled model.
    ///
    /// - Parameters:
    ///   - object: The object, which need not fit the type.
    ///   - type: The type of the attribute.
    init?(compiled object: CompiledObject, _ type: CoreDataAttributeType) {
        switch type {
        case .boolean: self.init(boolean: object)
        case .integer16, .integer32, .integer64: self.init(integer: object)
        case .float, .double: self.init(number: object)
        case .decimal: self.init(decimal: object)
        case .date:
            self = object.date.map { .date($0) } ?? .invalid(object.plainText)
        case .string, .uri, .uuid:
            self = Self.text(object).map { .string($0) } ?? .invalid(object.plainText)
        case .undefined, .binary, .transformable, .objectID, .composite:
            self = object.data.map { .data($0) } ?? .invalid(object.plainText)
        }
    }

    private init(boolean object: CompiledObject) {
        let isNumber = object.isBoolean || object.integer != nil
        self = isNumber ? .boolean(object.boolean) : .invalid(object.plainText)
    }

    private init(integer object: CompiledObject) {
        if object.isBoolean {
            self = .integer(object.boolean ? 1 : 0)
        } else if let number = object.integer {
            self = .integer(Int64(number))
        } else if let number = object.double, let whole = Int64(exactly: number.rounded(.towardZero)) {
            self = .integer(whole)
        } else {
            self = .invalid(object.plainText)
        }
    }

    private init(number object: CompiledObject) {
        let number = object.isBoolean ? (object.boolean ? 1 : 0) : object.double
        self = number.map { .number($0) } ?? .invalid(object.plainText)
    }

    private init(decimal object: CompiledObject) {
        if let digits = object.decimalText {
            self = .decimal(digits)
        } else if let number = object.double {
            self = .decimal(Self.canonicalNumber(object.integer.map(String.init) ?? String(number)))
        } else {
            self = .invalid(object.plainText)
        }
    }

    private static func text(_ object: CompiledObject) -> String? {
        if let bytes = object["NS.uuidbytes"]?.data, bytes.count == 16 {
            let digits = bytes.map { String(format: "%02X", $0) }
            return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
        }
        return object.string ?? object["NS.relative"]?.string
    }

    /// The text of a number that limits an attribute's values.
    var ruleText: String? {
        switch self {
        case .decimal(let digits): digits
        case .invalid, .integer, .number, .boolean, .string, .date, .data: nil
        }
    }
}

extension CompiledObject {
    /// The digits of an `NSDecimalNumber`: a mantissa of up to eight 16-bit words, an exponent, and a sign.
    fileprivate var decimalText: String? {
        guard let mantissa = self["NS.mantissa"]?.data, mantissa.count == 16,
            let exponent = self["NS.exponent"]?.integer,
            let length = self["NS.length"]?.integer, 0...8 ~= length, -128...127 ~= exponent
        else { return nil }
        let isNegative = self["NS.negative"]?.boolean ?? false
        guard length > 0 || !isNegative else { return "NaN" }
        let isBigEndian = self["NS.mantissa.bo"]?.integer == 2
        let bytes = [UInt8](mantissa)
        let significand = (0..<length).reversed()
            .reduce(UInt128(0)) { value, word in
                let (first, second) = (UInt128(bytes[2 * word]), UInt128(bytes[2 * word + 1]))
                return value << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
            }
        guard let digits = Decimal(string: String(significand)) else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: digits).description
    }
}
