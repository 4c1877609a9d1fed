package import TransformableModel

/// A number with a decimal point, of any length, or NaN.
///
/// Its text is what `numeric` columns look like in SQL. The number of digits after the point belongs to the number:
/// `1.50` is read as `1.50`.
package struct PostgresNumeric: Sendable, Hashable {
    /// A minus sign if needed, at least one digit, and digits after a point if there are any, or `NaN`.
    package let text: String

    private static let notANumber = "NaN"

    /// Creates a number from its text.
    ///
    /// - Throws: `StoreError` with the code `invalid-value` if the text is not a number, or exceeds PostgreSQL's limits of
    ///   131,072 digits before the point and 16,383 after it.
    package init(_ text: String) throws(StoreError) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber =
            (1...2).contains(parts.count)
            && parts.allSatisfy {
                !$0.isEmpty && $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        guard isNumber || text == Self.notANumber else {
            throw StoreError(.invalidValue, "the text is not a decimal number")
        }
        guard parts[0].utf8.count <= 131_072, parts.last.map({ $0.utf8.count <= 16_383 }) ?? true || parts.count == 1
        else {
            throw StoreError(.invalidValue, "the number has more digits than PostgreSQL stores")
        }
        self.text = text
    }
}

// MARK: - Binary format

extension PostgresNumeric: PostgresCodable {
    package static var postgresType: PostgresType { .numeric }

    // The digits are groups of four, that is, to the base 10,000.
    private static let groupLength = 4
    private static let base = 10_000
    private static let headerSize = 8

    /// The values of the sign field.
    private enum Sign {
        static let negative: UInt16 = 0x4000
        static let notANumber: UInt16 = 0xC000
        static let infinity: UInt16 = 0xD000
        static let negativeInfinity: UInt16 = 0xF000
    }

    @unsafe package init(wire bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count >= Self.headerSize, bytes.count % 2 == 0 else { throw .malformedValue(.numeric) }
        let fields = stride(from: 0, to: bytes.count, by: 2)
            .map { offset in
                unsafe UInt16(bigEndianBytes: .init(rebasing: bytes[offset..<offset + 2]))
            }
        let groups = fields[4...]
        guard Int(fields[0]) == groups.count, groups.allSatisfy({ $0 < Self.base }), fields[3] <= 16_383 else {
            throw .malformedValue(.numeric)
        }
        let weight = Int(Int16(bitPattern: fields[1]))
        switch fields[2] {
        case 0, Sign.negative:
            let digits = Self.digits(Array(groups), weight: weight, scale: Int(fields[3]))
            text = (fields[2] == 0 ? "" : "-") + String(decoding: digits, as: UTF8.self)
        case Sign.notANumber: text = Self.notANumber
        case Sign.infinity, Sign.negativeInfinity:
            throw StoreError(.undecodable, "a number is infinite, which a decimal number cannot be")
        default: throw .malformedValue(.numeric)
        }
    }

    /// Writes groups as digits before and after the point.
    ///
    /// - Parameters:
    ///   - groups: The groups that are not zero at either end.
    ///   - weight: The position of the first group: 0 for the last one before the point.
    ///   - scale: The number of digits after the point.
    /// - Returns: All digits, with a point if there are any after it.
    private static func digits(_ groups: [UInt16], weight: Int, scale: Int) -> [UInt8] {
        let zero = UInt8(ascii: "0")
        // The position of a digit counts from the first one of the first group.
        func digit(_ position: Int) -> UInt8 {
            let (index, place) = (position >> 2, position & 3)
            guard groups.indices.contains(index) else { return zero }
            return zero + UInt8(groups[index] / divisors[place] % 10)
        }
        let point = (weight + 1) * groupLength
        let first = (0..<max(point, 0)).first { digit($0) != zero } ?? point - 1
        var digits: [UInt8] = []
        digits.reserveCapacity(max(point - first, 0) + scale + 2)
        for position in first..<point { digits.append(digit(position)) }
        guard scale > 0 else { return digits }
        digits.append(UInt8(ascii: "."))
        for position in point..<point + scale { digits.append(digit(position)) }
        return digits
    }

    private static let divisors: [UInt16] = [1000, 100, 10, 1]

    /// The number of groups before or after the point that a decimal number can have at most.
    private static let mostGroups = 42
    /// The largest scale that the server chooses for the result of a calculation.
    private static let largestScale = 1000

    /// Returns a Boolean value that indicates whether a number is infinite, or has digits farther from the point than
    /// those of any decimal number.
    ///
    /// A few bytes can stand for a number of 131,072 digits.
    @unsafe static func exceedsDecimals(wire bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= headerSize else { return false }
        guard unsafe !isInfinite(wire: bytes) else { return true }
        let weight = unsafe Int(Int16(bigEndianBytes: UnsafeRawBufferPointer(rebasing: bytes[2..<4])))
        let scale = unsafe UInt16(bigEndianBytes: UnsafeRawBufferPointer(rebasing: bytes[6..<8]))
        let fraction = (bytes.count - headerSize) / 2 - weight - 1
        return weight >= mostGroups || fraction > mostGroups || scale > largestScale
    }

    /// Returns a Boolean value that indicates whether a number is infinite.
    @unsafe static func isInfinite(wire bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= headerSize else { return false }
        let sign = unsafe UInt16(bigEndianBytes: UnsafeRawBufferPointer(rebasing: bytes[4..<6]))
        return sign == Sign.infinity || sign == Sign.negativeInfinity
    }

    package func write(to buffer: inout WireBuffer) {
        guard text != Self.notANumber else {
            for field in [0, 0, Sign.notANumber, 0] { buffer.append(field) }
            return
        }
        let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        var (groups, weight) = Self.groups(whole: parts[0], fraction: fraction)
        if groups.isEmpty { weight = 0 }
        let sign = text.hasPrefix("-") && !groups.isEmpty ? Sign.negative : 0
        buffer.append(UInt16(groups.count))
        buffer.append(Int16(weight))
        buffer.append(sign)
        buffer.append(UInt16(fraction.utf8.count))
        for group in groups {
            buffer.append(group)
        }
    }

    /// Returns the groups without zeros at either end, and the position of the first one.
    private static func groups(whole: Substring, fraction: Substring) -> (groups: [UInt16], weight: Int) {
        let missing = (groupLength - whole.utf8.count % groupLength) % groupLength
        let excess = (groupLength - fraction.utf8.count % groupLength) % groupLength
        let zero = UInt8(ascii: "0")
        var digits = [UInt8](repeating: zero, count: missing)
        digits += whole.utf8
        digits += fraction.utf8
        digits += repeatElement(zero, count: excess)
        let all = stride(from: 0, to: digits.count, by: groupLength)
            .map { start in
                digits[start..<start + groupLength].reduce(0) { $0 * 10 + UInt16($1 - zero) }
            }
        let leading = all.prefix { $0 == 0 }.count
        var groups = all.dropFirst(leading)
        while groups.last == 0 { groups.removeLast() }
        return (Array(groups), (whole.utf8.count + missing) / groupLength - 1 - leading)
    }
}
