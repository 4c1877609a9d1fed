internal import Transformable

extension TextScanner {
    /// Parses an integer that fits in 64 bits.
    mutating func integer(_ text: Span<UInt8>) throws(TransformerError) -> Int {
        skipSpaces(text)
        let start = offset
        let isNegative = skip(.minus, text)
        guard let byte = next(text), byte.isDigit else {
            throw unexpected("an integer")
        }
        var number: Int = 0
        while let digit = digit(text).map(Int.init) {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            guard !isTooLarge, !overflows else {
                throw failure("the number does not fit in 64 bits", at: start)
            }
            number = sum
        }
        return number
    }
}
