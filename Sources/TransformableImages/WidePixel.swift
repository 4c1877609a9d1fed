package import Foundation
package import Transformable

/// A pixel of any format, converted to 16 bits of red, green, blue, and alpha each, from the most significant bit down.
///
/// Pixels of different formats that have the same meaning are equal. Its members can be inlined into other modules, because
/// they are used for every pixel.
package struct WidePixel: Hashable {
    package let bits: UInt64

    @inlinable package init(bits: UInt64) {
        self.bits = bits
    }

    @inlinable package init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = .max) {
        let colors: UInt64 = UInt64(red) << 48 | UInt64(green) << 32 | UInt64(blue) << 16
        bits = colors | UInt64(alpha)
    }

    @inlinable package init(gray: UInt16, alpha: UInt16 = .max) {
        self.init(red: gray, green: gray, blue: gray, alpha: alpha)
    }

    /// Creates a pixel from amounts of ink, which are treated as ideal filters of light.
    @inlinable package init(cyan: UInt8, magenta: UInt8, yellow: UInt8, black: UInt8) {
        func light(_ ink: UInt8) -> UInt16 {
            // Rounded to 8 bits, like djpeg.
            let product = Int(255 - ink) * Int(255 - black)
            return UInt16((product * 2 + 255) / 510) * 257
        }
        self.init(red: light(cyan), green: light(magenta), blue: light(yellow))
    }

    @inlinable package var red: UInt16 { UInt16(truncatingIfNeeded: bits >> 48) }
    @inlinable package var green: UInt16 { UInt16(truncatingIfNeeded: bits >> 32) }
    @inlinable package var blue: UInt16 { UInt16(truncatingIfNeeded: bits >> 16) }
    @inlinable package var alpha: UInt16 { UInt16(truncatingIfNeeded: bits) }

    @inlinable package var isGray: Bool { red == green && green == blue }
    @inlinable package var isOpaque: Bool { alpha == .max }

    /// Whether 8 bits per sample represent the pixel exactly.
    @inlinable package var fitsEightBits: Bool { ((bits >> 8) ^ bits) & Self.lowBytes == 0 }

    @usableFromInline static let lowBytes: UInt64 = 0x00FF_00FF_00FF_00FF

    /// The brightness, with the weights of ITU-R BT.601, which JPEG uses.
    @inlinable package var luma: UInt16 {
        if isGray { return red }
        let sum: UInt32 = 299 * UInt32(red) + 587 * UInt32(green) + 114 * UInt32(blue)
        return UInt16((sum + 500) / 1000)
    }

    /// Returns the pixel in front of an opaque background.
    @inlinable package func flattened(on background: WidePixel) -> WidePixel {
        if isOpaque { return self }
        let weight = UInt64(alpha)
        func mix(_ front: UInt16, _ back: UInt16) -> UInt16 {
            let sum: UInt64 = UInt64(front) * weight + UInt64(back) * (65_535 - weight)
            return UInt16((sum + 32_767) / 65_535)
        }
        return WidePixel(
            red: mix(red, background.red),
            green: mix(green, background.green),
            blue: mix(blue, background.blue)
        )
    }
}

extension UInt16 {
    /// The sample in 8 bits, rounded.
    @inlinable package var toEightBits: UInt8 { UInt8((UInt32(self) * 255 + 32_767) / 65_535) }
}

extension UInt8 {
    /// The sample in 16 bits, which is exact.
    @inlinable package var toSixteenBits: UInt16 { UInt16(self) * 257 }
}

extension RasterImage {
    /// Converts a row of the image's pixels.
    ///
    /// - Parameters:
    ///   - row: The row, from 0 to `height - 1`.
    ///   - pixels: The image's ``pixels``.
    ///   - target: The buffer for `width` pixels.
    package func readRow(_ row: Int, of pixels: Data, into target: inout [WidePixel]) {
        let span = pixels.span
        let start = row * rowStride
        func wide(_ offset: Int) -> UInt16 { UInt16(span[offset]) | UInt16(span[offset + 1]) << 8 }
        switch format {
        case .gray8:
            for x in 0..<width { target[x] = WidePixel(gray: span[start + x].toSixteenBits) }
        case .gray16:
            for x in 0..<width { target[x] = WidePixel(gray: wide(start + x * 2)) }
        case .grayAlpha8:
            for x in 0..<width {
                let at = start + x * 2
                target[x] = WidePixel(gray: span[at].toSixteenBits, alpha: span[at + 1].toSixteenBits)
            }
        case .grayAlpha16:
            for x in 0..<width {
                let at = start + x * 4
                target[x] = WidePixel(gray: wide(at), alpha: wide(at + 2))
            }
        case .rgb8, .rgba8:
            let step = format.bytesPerPixel
            for x in 0..<width {
                let at = start + x * step
                target[x] = WidePixel(
                    red: span[at].toSixteenBits,
                    green: span[at + 1].toSixteenBits,
                    blue: span[at + 2].toSixteenBits,
                    alpha: step == 4 ? span[at + 3].toSixteenBits : .max
                )
            }
        case .rgb16, .rgba16:
            let step = format.bytesPerPixel
            for x in 0..<width {
                let at = start + x * step
                let alpha = step == 8 ? wide(at + 6) : .max
                target[x] = WidePixel(red: wide(at), green: wide(at + 2), blue: wide(at + 4), alpha: alpha)
            }
        case .cmyk8:
            for x in 0..<width {
                let at = start + x * 4
                target[x] = WidePixel(
                    cyan: span[at],
                    magenta: span[at + 1],
                    yellow: span[at + 2],
                    black: span[at + 3]
                )
            }
        }
    }

    /// Calls `body` with every converted row from top to bottom, until it returns false.
    package func forEachRow(_ body: (Int, [WidePixel]) throws(TransformerError) -> Bool) throws(TransformerError) {
        let pixels = try pixels
        var row = [WidePixel](repeating: WidePixel(bits: 0), count: width)
        for y in 0..<height {
            readRow(y, of: pixels, into: &row)
            guard try body(y, row) else { return }
        }
    }
}

/// Uninitialized memory for the pixels of an image.
///
/// It owns the memory until ``take()`` transfers ownership.
@safe package struct PixelMemory: ~Copyable {
    private let address: UnsafeMutableRawPointer
    package let count: Int

    package init(_ count: Int) throws(TransformerError) {
        guard count > 0, let address = unsafe malloc(count) else { throw .outOfMemory }
        unsafe self.address = address
        self.count = count
    }

    deinit {
        unsafe free(address)
    }

    @unsafe package var start: UnsafeMutableRawPointer { unsafe address }

    /// Returns the pixels, which own their memory.
    package consuming func take() -> Data {
        let result = unsafe Data(bytesNoCopy: address, count: count, deallocator: .free)
        discard self
        return result
    }
}
