import Foundation

/// The checksum of PNG and zip (ISO 3309), bit by bit, so that it depends on no library under test.
func crc32(_ bytes: Data) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

/// The checksum of zlib streams (RFC 1950, section 8.2).
func adler32(_ bytes: Data) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
    }
    return high << 16 | low
}

func bigEndian(_ number: UInt32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
}
