public import Foundation

/// The colors that the samples of an image represent.
///
/// A file can define them in several ways at once. A reader uses the first of these: code points, an ICC profile, sRGB,
/// or gamma and chromaticities (PNG, third edition, section 4.3). An image without any of them is usually treated as
/// sRGB.
public struct ColorProfile: Sendable, Hashable {
    /// The video code points (cICP in PNG).
    public var codePoints: ColorCodePoints?
    /// An ICC profile, as defined by ICC.1.
    public var icc: Data?
    /// The name of the ICC profile, if the file contains one: 1 to 79 Latin-1 characters.
    public var iccName: String?
    /// The rendering intent, which also indicates that samples are sRGB.
    public var renderingIntent: RenderingIntent?
    /// The exponent for converting light to samples, multiplied by 100,000: 45,455 for 1/2.2.
    public var gamma: Int?
    /// The white point and the primaries.
    public var chromaticities: Chromaticities?

    /// Creates a color profile.
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

    /// The profile of sRGB samples.
    public static let sRGB = Self(renderingIntent: .perceptual)

    /// Whether the profile contains no information.
    public var isEmpty: Bool { self == Self() }

    /// The rendering intent for colors out of gamut, with the numbers of ICC.
    public enum RenderingIntent: Int, Sendable {
        /// For photographs.
        case perceptual = 0
        /// For logos: colors in gamut stay exact, relative to white.
        case relativeColorimetric = 1
        /// For charts: colors are as vivid as possible.
        case saturation = 2
        /// For proofs: colors in gamut stay exact.
        case absoluteColorimetric = 3
    }

    /// A point of the CIE 1931 diagram, with coordinates multiplied by 100,000.
    public struct Chromaticity: Sendable, Hashable {
        /// The first coordinate.
        public var x: Int
        /// The second coordinate.
        public var y: Int

        /// Creates a point.
        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// The white point and the primaries.
    public struct Chromaticities: Sendable, Hashable {
        /// The white point.
        public var white: Chromaticity
        /// The red primary.
        public var red: Chromaticity
        /// The green primary.
        public var green: Chromaticity
        /// The blue primary.
        public var blue: Chromaticity

        /// Creates chromaticities.
        public init(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
            self.white = white
            self.red = red
            self.green = green
            self.blue = blue
        }
    }
}

/// Code points of ITU-T H.273, as in the cICP chunk of PNG.
public struct ColorCodePoints: Sendable, Hashable {
    /// The number of the primaries: 1 for BT.709 and sRGB, 9 for BT.2020, 12 for Display P3.
    public var primaries: UInt8
    /// The number of the transfer function: 13 for sRGB, 16 for PQ, 18 for HLG.
    public var transfer: UInt8
    /// The number of the matrix, which is 0 (RGB) in PNG.
    public var matrix: UInt8
    /// Whether samples use their full range.
    public var isFullRange: Bool

    /// Creates code points.
    public init(primaries: UInt8, transfer: UInt8, matrix: UInt8 = 0, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
