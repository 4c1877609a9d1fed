public import Transformable

/// How much a sealed value tells of its plaintext's length.
///
/// The plaintext is followed by a byte 80 and as many zeros as it takes (ISO/IEC 7816-4), so that its
/// length, together with that byte, reaches the next of the lengths below.
public enum SealedPadding: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Multiples of 32 up to 1 KiB; above, Padmé's lengths, which add at most 12 percent.
    case block
    /// Powers of two from 64: at most double, and nothing told but the magnitude.
    case buckets
    /// The length itself is stored, and shown to who sees the bytes.
    case none
}

extension SealedPadding {
    /// The byte that ends the plaintext.
    static let marker: UInt8 = 0x80
    private static let smallestStep = 32
    private static let largestInBlocks = 1024
    private static let smallestBucket = 64

    /// The length that a plaintext is padded to.
    func paddedCount(of count: Int) -> Int {
        let marked = count + 1
        switch self {
        case .none: return count
        case .buckets: return max(Self.smallestBucket, 1 << (Int.bitWidth - (marked - 1).leadingZeroBitCount))
        case .block:
            let step = Self.step(at: marked)
            return (marked + step - 1) & ~(step - 1)
        }
    }

    /// The distance of the lengths around one: 32, or Padmé's (Nikitin and others, 2019).
    private static func step(at count: Int) -> Int {
        guard count > largestInBlocks else { return smallestStep }
        let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
        let digits = Int.bitWidth - exponent.leadingZeroBitCount
        return 1 << (exponent - digits)
    }

    /// The most that any padding adds to reach a length.
    private static func largestAddition(reaching count: Int) -> Int {
        let isBucket = count.nonzeroBitCount == 1 && count >= smallestBucket
        return min(count, isBucket ? max(smallestBucket, count / 2) : step(at: count))
    }

    /// Writes a plaintext, the marker and zeros; the plaintext alone where there is no room for a marker.
    static func pad(_ plaintext: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer) {
        unsafe output.copyMemory(from: plaintext)
        guard plaintext.count < output.count else { return }
        unsafe output[plaintext.count] = marker
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: output[(plaintext.count + 1)...])
        _ = unsafe rest.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// Finds the length of a padded plaintext; nil if no marker stands where one can.
    ///
    /// Its time depends on the padded length alone. (`sodium_unpad` does the same in 2.5 ns a byte,
    /// which for a megabyte is a twentieth of decrypting it; this takes a tenth of that.)
    static func count(of padded: UnsafeRawBufferPointer) -> Int? {
        unsafe count(of: padded, within: largestAddition(reaching: padded.count))
    }

    /// Finds the length of a padded plaintext whose marker is among its last bytes.
    static func count(of padded: UnsafeRawBufferPointer, within window: Int) -> Int? {
        let start = padded.count - ((window + 7) & ~7)
        guard start >= 0 else { return nil }
        var last: UInt64 = 0
        var lastOffset = 0
        for offset in stride(from: start, to: padded.count, by: 8) {
            let word = UInt64(littleEndian: unsafe padded.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let isZero = ((word | (0 &- word)) >> 63) &- 1
            last = (last & isZero) | word
            lastOffset = (lastOffset & Int(truncatingIfNeeded: isZero)) | (offset & ~Int(truncatingIfNeeded: isZero))
        }
        guard last != 0 else { return nil }
        let byte = 7 - last.leadingZeroBitCount / 8
        guard UInt8(truncatingIfNeeded: last >> UInt64(8 * byte)) == marker else { return nil }
        return lastOffset + byte
    }
}
