import Foundation
import Testing

/// A WebP file of 21 × 13 pixels, made from a computed picture by cwebp 1.2.4.
///
/// The options are `-q 80` for the lossy files and `-lossless -exact` for the others. The checksums are CRC-32 of the
/// samples that dwebp 1.2.4 gives for the file, without alpha for the files that have none.
struct WebPFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let checksum: UInt32
    let base64: String

    var testDescription: String { name }
    var bytes: Data { Data(base64Encoded: base64.filter { !$0.isWhitespace }) ?? Data() }
    var hasAlpha: Bool { name == "alpha" || name == "lossless" }

    static let all = [lossy, alpha, lossless, opaque]

    static let lossy = Self(
        name: "lossy",
        checksum: 0xbbd5_60bf,
        base64: """
            UklGRnIAAABXRUJQVlA4IGYAAACwAwCdASoVAA0APm0uk0WkIqGYBABABsS2G4ABgHYKMABs4egnQAD+/SCXyabJt8J3cLjZhukPYFxs
            DCSsJ5aZzRDH/NOBkEoDIeS6cqWfavlx9VNn2eXDO/gjhf/4K2dmBSO8gAA=
            """
    )

    static let alpha = Self(
        name: "alpha",
        checksum: 0xf72f_2ce9,
        base64: """
            UklGRuIAAABXRUJQVlA4WAoAAAAQAAAAFAAADAAAQUxQSFUAAAABmTJE9D/AKJIkReNfy5KAfW3A8f3IDN9QxBmImACFbdsg6RgeuQKd
            Dir9SqGgOBw6IsVhRBpNdSgA4ztmGQDqC1zhE6EuZkKDPUF/GaYYob8IjYwDAFZQOCBmAAAAsAMAnQEqFQANAD5tLpNFpCKhmAQAQAbE
            thuAAYB2CjAAbOHoJ0AA/v0gl8mmybfCd3C42YbpD2BcbAwkrCeWmc0Qx/zTgZBKAyHkunKln2r5cfVTZ9PP1jLpa6j/gk97XmfaAAAA
            """
    )

    static let lossless = Self(
        name: "lossless",
        checksum: 0xc8e3_57cb,
        base64: """
            UklGRoIAAABXRUJQVlA4THUAAAAvFAADEAmAIAb8D5uI6H9qARCE/20TEf1PgWHbtmH4Q/+/dnYSYA8MwxwoiiSpWf9a7gABvKgcf8nM
            Vils2wZJx/AIYJz0BHjSryB97BO0FSQQs5pLBSINIOEPS7gGCSerPFlqJOylSUeIP8QECTP+4GMEAQEA
            """
    )

    static let opaque = Self(
        name: "opaque",
        checksum: 0xc3d9_23f2,
        base64: """
            UklGRjYAAABXRUJQVlA4TCoAAAAvFAADAAmASNofe4mI/qcWAEH43zYR0f8UhASED/7/1dRhmIOYAOBU1wE=
            """
    )

    /// A lossless file that Pillow 13 wrote with a profile of 42 bytes, EXIF (“Camera”, orientation 6), and XMP.
    static let described = Self(
        name: "described",
        checksum: 0xc3d9_23f2,
        base64: """
            UklGRtIAAABXRUJQVlA4WAoAAAAsAAAAFAAADAAASUNDUCoAAABub3QgYSByZWFsIHByb2ZpbGUsIGJ1dCA0MSBieXRlcyBvZiBhIGZp
            bGVWUDhMHgAAAC8UAAMAuYzof+wiov8BIQHhg/9/NXUY5iAmADjVdUVYSUYuAAAATU0AKgAAAAgAAgEPAAIAAAAHAAAAJgESAAMAAAAB
            AAYAAAAAAABDYW1lcmEAAFhNUCAlAAAAPHg6eG1wbWV0YSB4bWxuczp4PSJhZG9iZTpuczptZXRhLyIvPgA=
            """
    )

    /// An animation that webpmux 1.2.4 made: the file “opaque” at (4, 6) on a canvas of 40 × 30 pixels, and a second
    /// frame.
    static let animation = Self(
        name: "animation",
        checksum: 0xc3d9_23f2,
        base64: """
            UklGRqAAAABXRUJQVlA4WAoAAAACAAAAJwAAHQAAQU5JTQYAAAD/////AABBTk1GQgAAAAIAAAMAABQAAAwAAGQAAABWUDhMKgAAAC8U
            AAMACYBI2h97iYj+pxYAQfjfNhHR/xSEBIQP/v/V1GGYg5gA4FTXAUFOTUYqAAAAAAAAAAAAJwAAHQAAZAAAAFZQOEwRAAAALydABwAH
            UOQq1KP/gYjofwAA
            """
    )
}

/// The checksum of PNG and zip (ISO 3309), bit by bit.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

extension Data {
    /// Returns the bytes with a number of four bytes in little-endian order at an offset.
    func with(_ number: UInt32, at offset: Int) -> Data {
        var result = self
        for byte in 0..<4 { result[offset + byte] = UInt8(truncatingIfNeeded: number >> (byte * 8)) }
        return result
    }
}
