public import Foundation

/// Which colours the samples of an image mean.
///
/// A file may say it in several ways at once; a reader takes the first that is there: code points, an
/// ICC profile, sRGB, then gamma and chromaticities (PNG, third edition, section 4.3). An image that
/// says nothing is usually taken for sRGB.
public struct ColorProfile: Sendable, Hashable {
    /// Video's code points, PNG's cICP.
    public var codePoints: ColorCodePoints?
    /// An ICC profile, as ICC.1 has it.
    public var icc: Data?
    /// The ICC profile's name, where the file gives one; 1 to 79 Latin-1 characters.
    public var iccName: String?
    /// That the samples are sRGB, with a rendering intent.
    public var renderingIntent: RenderingIntent?
    /// The exponent that led from light to samples, times 100,000: 45,455 for 1/2.2.
    public var gamma: Int?
    /// The white point and the primaries.
    public var chromaticities: Chromaticities?

    /// Makes it of its numbers.
    public init(
        codePoints: ColorCodePoints? = nil,
        icc: Data? = nil,
        iccName: String? = nil,
        renderingIntent: RenderingIntent? = nil,
        gamma: Int? = nil,
        chromaticities: Chromaticities? = nil
    ) {
        self.codePoints = codePoints
        self.icc = icc
        self.iccName = iccName
        self.renderingIntent = renderingIntent
        self.gamma = gamma
        self.chromaticities = chromaticities
    }

    /// Samples that are sRGB.
    public static let sRGB = Self(renderingIntent: .perceptual)

    /// Whether nothing is said.
    public var isEmpty: Bool { self == Self() }

    /// In what spirit colours out of reach are replaced: ICC's numbers.
    public enum RenderingIntent: Int, Sendable {
        /// For pictures.
        case perceptual = 0
        /// For logos: colours in reach stay exact, relative to white.
        case relativeColorimetric = 1
        /// For charts: as vivid as possible.
        case saturation = 2
        /// For proofs: colours in reach stay exact.
        case absoluteColorimetric = 3
    }

    /// A point of the CIE 1931 diagram, each number times 100,000.
    public struct Chromaticity: Sendable, Hashable {
        /// The first coordinate.
        public var x: Int
        /// The second coordinate.
        public var y: Int

        /// Makes it of its numbers.
        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// The white point and the primaries.
    public struct Chromaticities: Sendable, Hashable {
        /// Where white lies.
        public var white: Chromaticity
        /// Where red lies.
        public var red: Chromaticity
        /// Where green lies.
        public var green: Chromaticity
        /// Where blue lies.
        public var blue: Chromaticity

        /// Makes it of its numbers.
        public init(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
            self.white = white
            self.red = red
            self.green = green
            self.blue = blue
        }
    }
}

/// Code points of ITU-T H.273, as PNG's cICP chunk has them.
public struct ColorCodePoints: Sendable, Hashable {
    /// The primaries' number: 1 for BT.709 and sRGB, 9 for BT.2020, 12 for Display P3.
    public var primaries: UInt8
    /// The transfer function's number: 13 for sRGB, 16 for PQ, 18 for HLG.
    public var transfer: UInt8
    /// The matrix's number: 0, for RGB, in a PNG.
    public var matrix: UInt8
    /// Whether samples use all their values.
    public var isFullRange: Bool

    /// Makes it of its numbers.
    public init(primaries: UInt8, transfer: UInt8, matrix: UInt8 = 0, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
