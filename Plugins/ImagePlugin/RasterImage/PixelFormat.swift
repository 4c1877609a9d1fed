public import Transformable

/// The layout of a pixel in memory: which samples, in which order, of how many bits.
///
/// Samples of 16 bits are little-endian. Alpha is straight: colours are not multiplied by it, and a
/// fully transparent pixel keeps its colour. CMYK samples are amounts of ink: 0 is none, 255 full.
public enum PixelFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// One sample of 8 bits, 0 black.
    case gray8
    /// One sample of 16 bits, 0 black.
    case gray16
    /// Grey, then alpha, 8 bits each.
    case grayAlpha8 = "gray-alpha8"
    /// Grey, then alpha, 16 bits each.
    case grayAlpha16 = "gray-alpha16"
    /// Red, green and blue, 8 bits each.
    case rgb8
    /// Red, green and blue, 16 bits each.
    case rgb16
    /// Red, green, blue, then alpha, 8 bits each.
    case rgba8
    /// Red, green, blue, then alpha, 16 bits each.
    case rgba16
    /// Cyan, magenta, yellow and black ink, 8 bits each.
    case cmyk8

    /// How many samples a pixel has, alpha included.
    public var channelCount: Int {
        switch self {
        case .gray8, .gray16: 1
        case .grayAlpha8, .grayAlpha16: 2
        case .rgb8, .rgb16: 3
        case .rgba8, .rgba16, .cmyk8: 4
        }
    }

    /// How many bits a sample has: 8 or 16.
    public var bitsPerSample: Int {
        switch self {
        case .gray8, .grayAlpha8, .rgb8, .rgba8, .cmyk8: 8
        case .gray16, .grayAlpha16, .rgb16, .rgba16: 16
        }
    }

    /// How many bytes a pixel takes.
    public var bytesPerPixel: Int { channelCount * bitsPerSample / 8 }

    /// Whether the last sample is alpha: 0 transparent, the largest value opaque.
    public var hasAlpha: Bool {
        switch self {
        case .grayAlpha8, .grayAlpha16, .rgba8, .rgba16: true
        case .gray8, .gray16, .rgb8, .rgb16, .cmyk8: false
        }
    }

    /// Whether a pixel has colour: RGB or CMYK.
    public var hasColor: Bool { channelCount >= 3 }

    /// The format with these properties.
    ///
    /// - Parameters:
    ///   - hasColor: RGB, or else grey.
    ///   - hasAlpha: Whether alpha follows.
    ///   - bits: 16, or else 8.
    init(hasColor: Bool, hasAlpha: Bool, bits: Int) {
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
