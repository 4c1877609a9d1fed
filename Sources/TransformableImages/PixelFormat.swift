public import Transformable

/// The layout of a pixel in memory: its samples, their order, and their number of bits.
///
/// 16-bit samples are little-endian. Alpha is straight: colors are not multiplied by alpha, and a fully transparent
/// pixel keeps its color. CMYK samples are amounts of ink, where 0 is none and 255 is full.
public enum PixelFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// A single 8-bit sample, where 0 is black.
    case gray8
    /// A single 16-bit sample, where 0 is black.
    case gray16
    /// Gray and alpha, with 8 bits each.
    case grayAlpha8 = "gray-alpha8"
    /// Gray and alpha, with 16 bits each.
    case grayAlpha16 = "gray-alpha16"
    /// Red, green, and blue, with 8 bits each.
    case rgb8
    /// Red, green, and blue, with 16 bits each.
    case rgb16
    /// Red, green, blue, and alpha, with 8 bits each.
    case rgba8
    /// Red, green, blue, and alpha, with 16 bits each.
    case rgba16
    /// Cyan, magenta, yellow, and black ink, with 8 bits each.
    case cmyk8

    /// The number of samples per pixel, including alpha.
    public var channelCount: Int {
        switch self {
        case .gray8, .gray16: 1
        case .grayAlpha8, .grayAlpha16: 2
        case .rgb8, .rgb16: 3
        case .rgba8, .rgba16, .cmyk8: 4
        }
    }

    /// The number of bits per sample: 8 or 16.
    public var bitsPerSample: Int {
        switch self {
        case .gray8, .grayAlpha8, .rgb8, .rgba8, .cmyk8: 8
        case .gray16, .grayAlpha16, .rgb16, .rgba16: 16
        }
    }

    /// The number of bytes per pixel.
    public var bytesPerPixel: Int { channelCount * bitsPerSample / 8 }

    /// Whether the last sample is alpha, where 0 is transparent and the largest value is opaque.
    public var hasAlpha: Bool {
        switch self {
        case .grayAlpha8, .grayAlpha16, .rgba8, .rgba16: true
        case .gray8, .gray16, .rgb8, .rgb16, .cmyk8: false
        }
    }

    /// Whether the format is RGB or CMYK.
    public var hasColor: Bool { channelCount >= 3 }

    /// Creates the format with the given properties.
    ///
    /// - Parameters:
    ///   - hasColor: Whether the format is RGB instead of gray.
    ///   - hasAlpha: Whether the format has alpha.
    ///   - bits: 16, or any other number for 8 bits.
    package init(hasColor: Bool, hasAlpha: Bool, bits: Int) {
        switch (hasColor, hasAlpha, bits == 16) {
        case (false, false, false): self = .gray8
        case (false, false, true): self = .gray16
        case (false, true, false): self = .grayAlpha8
        case (false, true, true): self = .grayAlpha16
        case (true, false, false): self = .rgb8
        case (true, false, true): self = .rgb16
        case (true, true, false): self = .rgba8
        case (true, true, true): self = .rgba16
        }
    }
}

extension PixelFormat {
    /// Writes pixels in this format, which must not be CMYK.
    ///
    /// - Parameters:
    ///   - row: The pixels of a row.
    ///   - target: The buffer, which must have enough space.
    ///   - start: The offset of the first byte.
    package func write(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        // One loop for each layout, because this runs for every pixel.
        if bitsPerSample == 8 {
            writeEightBits(row, to: &target, at: start)
        } else {
            writeSixteenBits(row, to: &target, at: start)
        }
    }

    private func writeEightBits(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        let (hasColor, hasAlpha) = (hasColor, hasAlpha)
        var at = start
        for pixel in row {
            if hasColor {
                target[at] = pixel.red.toEightBits
                target[at + 1] = pixel.green.toEightBits
                target[at + 2] = pixel.blue.toEightBits
                at += 3
            } else {
                target[at] = pixel.luma.toEightBits
                at += 1
            }
            if hasAlpha {
                target[at] = pixel.alpha.toEightBits
                at += 1
            }
        }
    }

    private func writeSixteenBits(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        let (hasColor, hasAlpha) = (hasColor, hasAlpha)
        var at = start
        func put(_ sample: UInt16) {
            target[at] = UInt8(truncatingIfNeeded: sample)
            target[at + 1] = UInt8(truncatingIfNeeded: sample >> 8)
            at += 2
        }
        for pixel in row {
            if hasColor {
                put(pixel.red)
                put(pixel.green)
                put(pixel.blue)
            } else {
                put(pixel.luma)
            }
            if hasAlpha { put(pixel.alpha) }
        }
    }
}
