package import Foundation
internal import Transformable

/// The rules that an attribute's value is checked against when it is saved.
///
/// A rule that is `nil` is not checked.
public struct ValidationRules: Sendable, Hashable {
    /// The smallest valid number.
    public var minimum: Double?
    /// The largest valid number.
    public var maximum: Double?
    /// The smallest valid length, in characters for text and in bytes for data.
    public var minimumLength: Int?
    /// The largest valid length, in characters for text and in bytes for data.
    public var maximumLength: Int?
    /// A regular expression that must match the whole text.
    public var pattern: String?

    /// Creates validation rules.
    ///
    /// - Parameters:
    ///   - minimum: The smallest valid number.
    ///   - maximum: The largest valid number.
    ///   - minimumLength: The smallest valid length, in characters for text and in bytes for data.
    ///   - maximumLength: The largest valid length, in characters for text and in bytes for data.
    ///   - pattern: A regular expression that must match the whole text.
    public init(
        minimum: Double? = nil,
        maximum: Double? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil,
        pattern: String? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.pattern = pattern
    }

    /// No rules.
    public static let none = Self()
}

/// An attribute's validation rules, ready for use.
package struct ValueRules: Sendable {
    private let rules: ValidationRules
    /// The limits that numbers are compared with.
    private let minimum: Double?
    private let maximum: Double?
    private let pattern: NSRegularExpression?
    package let isEmpty: Bool

    package init(_ description: AttributeDescription) {
        rules = description.validation
        let isFloat = description.type == .float
        minimum = rules.minimum.map { isFloat ? Self.rounded($0) : $0 }
        maximum = rules.maximum.map { isFloat ? Self.rounded($0) : $0 }
        pattern = rules.pattern.flatMap { try? Self.expression($0) }
        isEmpty = rules == .none
    }

    /// Returns a limit of numbers with 32 bits as one of them, unless it is beyond all of them or between the least of
    /// them and 0.
    ///
    /// The Float 0.7 is less than the Double 0.7.
    private static func rounded(_ limit: Double) -> Double {
        let rounded = Double(Float(limit))
        return rounded.isFinite && (rounded != 0 || limit == 0) ? rounded : limit
    }

    /// Returns the regular expression that matches only whole strings.
    ///
    /// Each alternative is tried up to the end of the text.
    ///
    /// - Throws: Foundation's error if the pattern is invalid. The validation of a model rejects such a pattern.
    package static func expression(_ pattern: String) throws -> NSRegularExpression {
        // Unbalanced parentheses must not match those that are added around the pattern.
        _ = try NSRegularExpression(pattern: pattern)
        return try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }

    /// Checks a cell that is about to be written.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidValue``, without the value, if a rule is broken.
    package func check(_ value: ColumnValue) throws(StoreError) {
        switch value {
        case .integer(let number):
            try check(isBelow: { Self.order(number, $0) < 0 }, isAbove: { Self.order(number, $0) > 0 })
        case .real(let number): try check(isBelow: { number < $0 }, isAbove: { number > $0 })
        case .text(let text): try check(text: text)
        case .blob(let bytes): try check(length: bytes.count, unit: "byte")
        case .null, .brokenText: break
        }
    }

    private func check(isBelow: (Double) -> Bool, isAbove: (Double) -> Bool) throws(StoreError) {
        if let minimum, isBelow(minimum) {
            throw StoreError(.invalidValue, "the value is below the minimum of \(rules.minimum ?? minimum)")
        }
        if let maximum, isAbove(maximum) {
            throw StoreError(.invalidValue, "the value is above the maximum of \(rules.maximum ?? maximum)")
        }
    }

    /// Compares a number with a limit, and returns -1, 0, or 1.
    ///
    /// An integer is never rounded for the comparison.
    private static func order(_ number: Int64, _ limit: Double) -> Int {
        // Outside of the 64-bit range, the sign of the limit decides.
        guard let floor = Int64(exactly: limit.rounded(.down)) else { return limit > 0 ? -1 : 1 }
        if number > floor { return 1 }
        return number == floor && Double(floor) == limit ? 0 : -1
    }

    /// Compares a decimal number with a limit, which is the decimal number shown in the model.
    private static func order(_ number: Decimal, _ limit: Double) -> Int {
        guard let decimal = try? DecimalText.decimal("\(limit)") else {
            // The limit is closer to zero than any decimal except zero, or larger than all of them.
            let reference = abs(limit) < 1 ? number : 0
            return reference.isZero ? limit > 0 ? -1 : 1 : reference < 0 ? -1 : 1
        }
        return number < decimal ? -1 : number > decimal ? 1 : 0
    }

    private func check(text: String) throws(StoreError) {
        if minimum != nil || maximum != nil, let number = try? DecimalText.decimal(text) {
            try check(isBelow: { Self.order(number, $0) < 0 }, isAbove: { Self.order(number, $0) > 0 })
        }
        if rules.minimumLength != nil || rules.maximumLength != nil {
            try check(length: text.count, unit: "character")
        }
        guard let pattern else { return }
        let whole = NSRange(text.startIndex..., in: text)
        guard pattern.firstMatch(in: text, range: whole) != nil else {
            throw StoreError(.invalidValue, "the text does not match the pattern “\(rules.pattern ?? "")”")
        }
    }

    private func check(length: Int, unit: String) throws(StoreError) {
        if let minimum = rules.minimumLength, length < minimum {
            throw StoreError(.invalidValue, "the value has \(length.counted(unit)), but must have at least \(minimum)")
        }
        if let maximum = rules.maximumLength, length > maximum {
            throw StoreError(.invalidValue, "the value has \(length.counted(unit)), but must have at most \(maximum)")
        }
    }
}
