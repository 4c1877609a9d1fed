/// The integer part of a double multiplied by a power of ten, computed exactly.
struct ScaledInteger {
    /// The integer part.
    let quotient: UInt128
    /// Whether a fraction was discarded.
    let hasRemainder: Bool

    /// Scales a finite, positive number so that its integer part has about twenty digits.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - powerOfTen: The exponent of the power of ten to multiply by.
    init(_ number: Double, powerOfTen: Int) {
        let exponentBits = Int(number.exponentBitPattern)
        let isNormal = exponentBits > 0
        let significand = number.significandBitPattern | (isNormal ? 1 << 52 : 0)
        let powerOfTwo = max(exponentBits, 1) - 1_075
        if let short = Self.short(significand, powerOfTen: powerOfTen, powerOfTwo: powerOfTwo) {
            self = short
            return
        }
        var digits = LongInteger(significand)
        digits.multiply(byPowerOfTen: max(powerOfTen, 0))
        digits.shiftLeft(max(powerOfTwo, 0))
        let droppedTens = digits.divide(byPowerOfTen: max(-powerOfTen, 0))
        let droppedTwos = digits.shiftRight(max(-powerOfTwo, 0))
        quotient = digits.low128
        hasRemainder = droppedTens || droppedTwos
    }

    private init(quotient: UInt128, hasRemainder: Bool) {
        self.quotient = quotient
        self.hasRemainder = hasRemainder
    }

    /// Performs the computation with 128 bits, which are sufficient for 53 bits of significand times up to 10^22.
    private static func short(_ significand: UInt64, powerOfTen: Int, powerOfTwo: Int) -> Self? {
        guard powersOfTen.indices.contains(powerOfTen), (-127...0).contains(powerOfTwo) else { return nil }
        let product = UInt128(significand) * powersOfTen[powerOfTen]
        let quotient = product >> UInt128(-powerOfTwo)
        return Self(quotient: quotient, hasRemainder: quotient << UInt128(-powerOfTwo) != product)
    }

    private static let powersOfTen: [UInt128] = (0..<22)
        .reduce(into: [1]) { powers, index in powers.append(powers[index] * 10) }
}

/// A natural number of any length, least significant limb first.
private struct LongInteger {
    private var limbs: [UInt32]

    init(_ number: UInt64) {
        limbs = [UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32)]
    }

    /// The lowest 128 bits.
    var low128: UInt128 {
        limbs.prefix(4).reversed().reduce(0) { $0 << 32 | UInt128($1) }
    }

    mutating func multiply(byPowerOfTen exponent: Int) {
        for factor in Self.factors(ofPowerOfTen: exponent) {
            var carry: UInt64 = 0
            for index in limbs.indices {
                let product = UInt64(limbs[index]) * UInt64(factor) + carry
                limbs[index] = UInt32(truncatingIfNeeded: product)
                carry = product >> 32
            }
            limbs.append(UInt32(carry))
        }
    }

    /// Divides by a power of ten, and returns whether there is a remainder.
    mutating func divide(byPowerOfTen exponent: Int) -> Bool {
        var hasRemainder = false
        for divisor in Self.factors(ofPowerOfTen: exponent) {
            var rest: UInt64 = 0
            for index in limbs.indices.reversed() {
                let dividend = rest << 32 | UInt64(limbs[index])
                limbs[index] = UInt32(dividend / UInt64(divisor))
                rest = dividend % UInt64(divisor)
            }
            hasRemainder = hasRemainder || rest != 0
        }
        return hasRemainder
    }

    mutating func shiftLeft(_ count: Int) {
        let (whole, bits) = count.quotientAndRemainder(dividingBy: 32)
        var carry: UInt64 = 0
        for index in limbs.indices {
            let shifted = UInt64(limbs[index]) << UInt64(bits) | carry
            limbs[index] = UInt32(truncatingIfNeeded: shifted)
            carry = shifted >> 32
        }
        limbs.append(UInt32(carry))
        limbs.insert(contentsOf: repeatElement(0, count: whole), at: 0)
    }

    /// Shifts right, and returns whether a set bit was discarded.
    mutating func shiftRight(_ count: Int) -> Bool {
        let (whole, bits) = count.quotientAndRemainder(dividingBy: 32)
        var hasRemainder = limbs.prefix(whole).contains { $0 != 0 }
        limbs.removeFirst(min(whole, limbs.count))
        var carry: UInt64 = 0
        for index in limbs.indices.reversed() {
            let limb = carry << 32 | UInt64(limbs[index])
            limbs[index] = UInt32(truncatingIfNeeded: limb >> UInt64(bits))
            carry = limb & (1 << UInt64(bits) - 1)
        }
        hasRemainder = hasRemainder || carry != 0
        return hasRemainder
    }

    /// Returns a power of ten as factors that each fit in a limb.
    private static func factors(ofPowerOfTen exponent: Int) -> [UInt32] {
        let (billions, rest) = exponent.quotientAndRemainder(dividingBy: 9)
        let last = (0..<rest).reduce(UInt32(1)) { power, _ in power * 10 }
        return Array(repeating: 1_000_000_000, count: billions) + (rest > 0 ? [last] : [])
    }
}
