/// Base64 as property lists hold it (RFC 4648, section 4), with spaces wherever they please.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    private static let values = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() {
            values[Int(letter)] = UInt8(value)
        }
        return values
    }()

    /// The bytes; nil if there is a stranger among the letters, or one too few.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.underestimatedCount / 4 * 3)
        var bits: UInt32 = 0
        var letters = 0
        var paddings = 0
        for byte in text where !XMLScanner.isSpace(byte) {
            let value = values[Int(byte)]
            if byte == padding {
                paddings += 1
            } else if value == 0xFF || paddings > 0 {
                return nil
            }
            bits = bits << 6 | UInt32(value & 0x3F)
            letters += 1
            if letters.isMultiple(of: 4) {
                output += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
                output.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        guard letters.isMultiple(of: 4), paddings <= 2 else { return nil }
        return Array(output.dropLast(paddings))
    }

    package static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var count = 0
        func letter(_ shift: Int) -> UInt8 { alphabet[Int(bits >> UInt32(shift) & 0x3F)] }
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 1
            if count.isMultiple(of: 3) {
                output += [letter(18), letter(12), letter(6), letter(0)]
            }
        }
        switch count % 3 {
        case 1:
            bits <<= 16
            output += [letter(18), letter(12), padding, padding]
        case 2:
            bits <<= 8
            output += [letter(18), letter(12), letter(6), padding]
        default: break
        }
        return output
    }
}
