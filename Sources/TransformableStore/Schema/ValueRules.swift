internal import Foundation
internal import Transformable

/// An attribute's validation rules, ready for use.
struct ValueRules: Sendable {
    private let rules: ValidationRules
    private let pattern: NSRegularExpression?
    let isEmpty: Bool

    init(_ description: AttributeDescription) {
        rules = description.validation
        pattern = rules.pattern.flatMap { try? Self.expression($0) }
        isEmpty = rules == .none
    }

    /// The regular expression that matches whole texts only: each alternative is tried to the text's end.
    ///
    /// - Throws: Foundation's error if the pattern is none; the validation of a model refuses it.
    static func expression(_ pattern: String) throws -> NSRegularExpression {
        // Parentheses that do not match must not find their fellows in those around them.
        _ = try NSRegularExpression(pattern: pattern)
        return try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
    }

    /// Checks a cell that is about to be written.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidValue``, without the value.
    func check(_ value: ColumnValue) throws(StoreError) {
        switch value {
        case .integer(let number):
            try check(isBelow: { Self.order(number, $0) < 0 }, isAbove: { Self.order(number, $0) > 0 })
        case .real(let number): try check(isBelow: { number < $0 }, isAbove: { number > $0 })
        case .text(let text): try check(text: text)
        case .blob(let bytes): try check(length: bytes.count, unit: "bytes")
        case .null, .brokenText: break
        }
    }

    private func check(isBelow: (Double) -> Bool, isAbove: (Double) -> Bool) throws(StoreError) {
        if let minimum = rules.minimum, isBelow(minimum) {
            throw StoreError(.invalidValue, "the value is below the minimum of \(minimum)")
        }
        if let maximum = rules.maximum, isAbove(maximum) {
            throw StoreError(.invalidValue, "the value is above the maximum of \(maximum)")
        }
    }

    /// Below, at or above a limit, as -1, 0 or 1: a whole number is never rounded to be compared.
    private static func order(_ number: Int64, _ limit: Double) -> Int {
        // Beyond the range of 64 bits the limit's sign says all.
        guard let floor = Int64(exactly: limit.rounded(.down)) else { return limit > 0 ? -1 : 1 }
        if number > floor { return 1 }
        return number == floor && Double(floor) == limit ? 0 : -1
    }

    /// The same for a decimal number, whose limit is the decimal number that the model shows.
    private static func order(_ number: Decimal, _ limit: Double) -> Int {
        guard let decimal = try? DecimalText.decimal("\(limit)") else {
            // Nearer to zero than any decimal but zero, or farther away than all of them.
            let reference = abs(limit) < 1 ? number : 0
            return reference.isZero ? limit > 0 ? -1 : 1 : reference < 0 ? -1 : 1
        }
        return number < decimal ? -1 : number > decimal ? 1 : 0
    }

    private func check(text: String) throws(StoreError) {
        if rules.minimum != nil || rules.maximum != nil, let number = try? DecimalText.decimal(text) {
            try check(isBelow: { Self.order(number, $0) < 0 }, isAbove: { Self.order(number, $0) > 0 })
        }
        if rules.minimumLength != nil || rules.maximumLength != nil {
            try check(length: text.count, unit: "characters")
        }
        guard let pattern else { return }
        let whole = NSRange(text.startIndex..., in: text)
        guard pattern.firstMatch(in: text, range: whole) != nil else {
            throw StoreError(.invalidValue, "the text does not match the pattern “\(rules.pattern ?? "")”")
        }
    }

    private func check(length: Int, unit: String) throws(StoreError) {
        if let minimum = rules.minimumLength, length < minimum {
            throw StoreError(.invalidValue, "the value has \(length) \(unit), and at least \(minimum) are needed")
        }
        if let maximum = rules.maximumLength, length > maximum {
            throw StoreError(.invalidValue, "the value has \(length) \(unit), and at most \(maximum) are allowed")
        }
    }
}
