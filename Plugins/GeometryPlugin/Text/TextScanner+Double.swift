internal import Transformable

extension TextScanner {
    /// The maximum length of a number.
    ///
    /// The longest exact decimal representation of a double has 1,077 bytes.
    private static let longestNumber = 1_100

    /// The powers of ten that a double represents exactly.
    private static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Reads a number, to the nearest double.
    ///
    /// ```
    /// number = [ "-" ] ( digits [ "." digits ] [ ( "e" / "E" ) [ "+" / "-" ] digits ]
    ///        / "inf" / "nan" [ payload ] / "snan" payload )
    /// payload = "(0x" 1*13( hexadecimal digit ) ")"
    /// ```
    mutating func double(_ text: Span<UInt8>) throws(TransformerError) -> Double {
        skipSpaces(text)
        let start = offset
        let isNegative = skip(.minus, text)
        guard let byte = next(text), byte.isDigit else {
            return try special(text, isNegative: isNegative)
        }
        let decimal = try decimal(text)
        guard offset - start <= Self.longestNumber else {
            throw .limitExceeded("a number is longer than \(Self.longestNumber) bytes", offset: start)
        }
        if let exact = decimal.exactValue(Self.exactPowersOfTen) {
            return isNegative ? -exact : exact
        }
        return try parsed(text.extracting(start..<offset), at: start)
    }

    private mutating func decimal(_ text: Span<UInt8>) throws(TransformerError) -> DecimalNumber {
        var decimal = DecimalNumber()
        appendDigits(text, to: &decimal)
        if skip(UInt8(ascii: "."), text) {
            let start = offset
            appendDigits(text, to: &decimal)
            guard offset > start else { throw unexpected("a digit after the point") }
            decimal.exponent -= offset - start
        }
        if skip(UInt8(ascii: "e"), text) || skip(UInt8(ascii: "E"), text) {
            decimal.exponent += try exponent(text)
        }
        return decimal
    }

    private mutating func appendDigits(_ text: Span<UInt8>, to decimal: inout DecimalNumber) {
        while let digit = digit(text) {
            decimal.append(digit)
        }
    }

    /// Parses an exponent.
    ///
    /// It is limited to a million, beyond which it makes no difference for text of this length.
    private mutating func exponent(_ text: Span<UInt8>) throws(TransformerError) -> Int {
        let isNegative = skip(.minus, text)
        if !isNegative {
            _ = skip(UInt8(ascii: "+"), text)
        }
        guard let byte = next(text), byte.isDigit else {
            throw unexpected("a digit of the exponent")
        }
        var exponent = 0
        while let digit = digit(text) {
            exponent = min(exponent * 10 + Int(digit), 1_000_000)
        }
        return isNegative ? -exponent : exponent
    }

    /// Returns the nearest double for text that is known to match the grammar.
    private func parsed(_ digits: Span<UInt8>, at start: Int) throws(TransformerError) -> Double {
        guard let text = try? UTF8Span(validating: digits), let number = Double(String(copying: text)) else {
            throw failure("expected a number", at: start)
        }
        guard number.isFinite else {
            throw failure("the number is too large for a double; write infinity as inf", at: start)
        }
        return number
    }
}

extension TextScanner {
    /// Parses infinity or a NaN, after the sign.
    private mutating func special(_ text: Span<UInt8>, isNegative: Bool) throws(TransformerError) -> Double {
        let sign = isNegative ? NaNBits.sign : 0
        if skip("inf", text) {
            return isNegative ? -.infinity : .infinity
        }
        if skip("nan", text) {
            let payload = next(text) == UInt8(ascii: "(") ? try payload(text) : 0
            return Double(bitPattern: sign | NaNBits.exponent | NaNBits.quiet | payload)
        }
        if skip("snan", text) {
            return Double(bitPattern: sign | NaNBits.exponent | (try payload(text)))
        }
        throw unexpected("a number")
    }

    /// Parses the bits of a NaN below the quiet bit.
    ///
    /// A signaling NaN must have at least one, because it would otherwise be infinity.
    private mutating func payload(_ text: Span<UInt8>) throws(TransformerError) -> UInt64 {
        guard skip("(0x", text) else { throw unexpected("“(0x”") }
        let start = offset
        var payload: UInt64 = 0
        while let byte = next(text), let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
            payload = payload << 4 | UInt64(digit)
            offset += 1
            guard payload <= NaNBits.payload else {
                throw failure("the payload of a NaN must not have more than 51 bits", at: start)
            }
        }
        guard payload > 0 else {
            throw failure("expected the payload of a NaN, which must be greater than 0", at: start)
        }
        guard skip(UInt8(ascii: ")"), text) else { throw unexpected("“)”") }
        return payload
    }

    private mutating func skip(_ word: StaticString, _ text: Span<UInt8>) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        guard end <= text.count else { return false }
        let matches = word.withUTF8Buffer { bytes in bytes.indices.allSatisfy { bytes[$0] == text[offset + $0] } }
        offset = matches ? end : offset
        return matches
    }
}

/// The digits that were parsed, and a power of ten.
private struct DecimalNumber {
    /// The largest integer up to which a double represents all integers exactly.
    private static let largestExact: UInt64 = 1 << 53

    private var digits: UInt64 = 0
    private var isCut = false
    var exponent = 0

    mutating func append(_ digit: UInt8) {
        if digits < Self.largestExact {
            digits = digits * 10 + UInt64(digit)
        } else {
            isCut = true
        }
    }

    /// Returns the value if a single rounded operation is sufficient to compute it, or nil otherwise.
    ///
    /// Both operands are exact, so the result is the nearest double (W. D. Clinger, “How to read floating point numbers
    /// accurately”, 1990).
    func exactValue(_ powersOfTen: [Double]) -> Double? {
        guard !isCut, digits <= Self.largestExact, exponent.magnitude < powersOfTen.count else { return nil }
        let power = powersOfTen[Int(exponent.magnitude)]
        return exponent < 0 ? Double(digits) / power : Double(digits) * power
    }
}
