public import Foundation
package import Transformable

/// The metadata of an image.
public struct ImageMetadata: Sendable {
    /// The colors that samples represent.
    public var colorProfile: ColorProfile
    /// The number of pixels per unit of length, or nil if it is not known.
    ///
    /// If a file does not contain a density of its own, the density in its EXIF data is used.
    public var density: PixelDensity?
    /// The text entries, such as comments, in the order in which the file contains them.
    public var texts: [ImageText]
    /// The EXIF data: a TIFF structure that begins with `II` or `MM`, as in the eXIf chunk of PNG and in APP1 of JPEG.
    public var exif: Data?

    /// Creates metadata.
    public init(
        colorProfile: ColorProfile = ColorProfile(),
        density: PixelDensity? = nil,
        texts: [ImageText] = [],
        exif: Data? = nil
    ) {
        self.colorProfile = colorProfile
        self.density = density
        self.texts = texts
        self.exif = exif
    }

    /// The metadata that affects only the appearance: colors, density, and orientation, but not
    /// location, time, device, or text.
    ///
    /// The ICC profile of a display loses everything that is not about colors, such as the serial number of the display.
    /// If only EXIF says that the colors are in Adobe RGB, that statement is kept.
    public var stripped: Self {
        let colors = isAdobeRGB ? ExifStructure.adobeRGB : nil
        var result = Self(colorProfile: colorProfile.stripped, density: knownDensity, exif: colors)
        result.orientation = orientation
        return result
    }

    /// Whether EXIF says that the colors are in Adobe RGB, and neither an ICC profile nor sRGB is stated.
    ///
    /// Code points, gamma, and chromaticities take precedence if they are usable.
    package var isAdobeRGB: Bool {
        colorProfile.icc == nil && colorProfile.renderingIntent == nil
            && exif.flatMap(ExifStructure.init)?.isAdobeRGB == true
    }

    /// The orientation for viewing, as stored in EXIF, or ``ImageOrientation/up`` if there is none.
    ///
    /// Setting it changes or adds the EXIF orientation. All other EXIF data stays the same.
    public var orientation: ImageOrientation {
        get { exif.flatMap { ExifStructure($0)?.orientation } ?? .up }
        set { exif = ExifStructure.setting(newValue, in: exif) }
    }

    /// Rejects EXIF data that no reader would recognize, before they are written.
    ///
    /// - Throws: `TransformerError` with the code `invalid-value`.
    package func checkExif() throws(TransformerError) {
        guard let exif, ExifStructure(exif) == nil else { return }
        throw .invalidValue(
            "the EXIF data of the image is not a TIFF structure, which begins with “II” or “MM”; remove what precedes it,"
                + " such as “Exif” and two NULs"
        )
    }

    /// The metadata after the pixels have been rotated and mirrored according to the orientation.
    package var upright: Self {
        var result = self
        guard orientation != .up else { return result }
        result.orientation = .up
        // A thumbnail would have to be rotated, too.
        result.exif = result.exif.map { ExifStructure.removingThumbnail(from: $0) }
        guard orientation.swapsSides else { return result }
        result.density = density.map {
            PixelDensity(horizontal: $0.vertical, vertical: $0.horizontal, unit: $0.unit)
        }
        result.exif = result.exif.map { ExifStructure.exchangingDensities(in: $0) }
        return result
    }
}

extension ImageMetadata: Hashable {
    /// Returns whether all metadata is the same.
    ///
    /// It does not matter whether the density comes from EXIF.
    public static func == (left: Self, right: Self) -> Bool {
        left.colorProfile == right.colorProfile && left.texts == right.texts && left.exif == right.exif
            && left.knownDensity == right.knownDensity
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(colorProfile)
        hasher.combine(texts)
        hasher.combine(exif)
        hasher.combine(knownDensity)
    }

    /// The density of the file, or else that of EXIF.
    package var knownDensity: PixelDensity? {
        density ?? exif.flatMap(ExifStructure.init)?.density
    }

    /// The EXIF data of a file that has no other place for the density.
    ///
    /// Setting it to EXIF with nothing but a density sets only the density, unless the file states another one.
    package var exifWithDensity: Data? {
        get {
            guard let density, density != exif.flatMap(ExifStructure.init)?.density else { return exif }
            return ExifStructure.setting(density, in: exif)
        }
        set {
            if density == nil, let structure = newValue.flatMap(ExifStructure.init), structure.hasOnlyDensity {
                density = structure.density
            } else {
                exif = newValue
            }
        }
    }
}

/// The orientation of the stored pixels relative to the image as it is viewed.
///
/// Raw values are the same as in EXIF, tag 0x0112 (CIPA DC-008).
public enum ImageOrientation: Int, CaseIterable, Sendable {
    /// As stored.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored = 2
    /// Rotated by 180 degrees.
    case down = 3
    /// Mirrored vertically.
    case downMirrored = 4
    /// Mirror horizontally, and then rotate 270 degrees clockwise, to display.
    case leftMirrored = 5
    /// Rotate 90 degrees clockwise to display.
    case right = 6
    /// Mirror horizontally, and then rotate 90 degrees clockwise, to display.
    case rightMirrored = 7
    /// Rotate 270 degrees clockwise to display.
    case left = 8

    /// Whether width and height are exchanged for viewing.
    public var swapsSides: Bool { rawValue >= 5 }
}

/// The number of pixels per unit of length, or only the aspect ratio of a pixel.
public struct PixelDensity: Sendable {
    /// The unit of length.
    public enum Unit: String, Sendable {
        /// No unit: the numbers are an aspect ratio.
        case ratio
        /// Pixels per meter.
        case meter
        /// Pixels per centimeter.
        case centimeter
        /// Pixels per inch (25.4 mm).
        case inch
    }

    /// The number of pixels per unit horizontally.
    public var horizontal: Int
    /// The number of pixels per unit vertically.
    public var vertical: Int
    /// The unit.
    public var unit: Unit

    /// Creates a density.
    public init(horizontal: Int, vertical: Int, unit: Unit) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.unit = unit
    }

    /// The number of pixels per meter, rounded, or nil for an aspect ratio.
    public var perMeter: (horizontal: Int, vertical: Int)? {
        let factor: Double
        switch unit {
        case .ratio: return nil
        case .meter: factor = 1
        case .centimeter: factor = 100
        case .inch: factor = 1 / 0.0254
        }
        return (Self.scaled(horizontal, by: factor), Self.scaled(vertical, by: factor))
    }

    /// The number of pixels per inch, or nil for an aspect ratio.
    public var perInch: (horizontal: Double, vertical: Double)? {
        let factor: Double
        switch unit {
        case .ratio: return nil
        case .meter: factor = 0.0254
        case .centimeter: factor = 2.54
        case .inch: factor = 1
        }
        return (Double(horizontal) * factor, Double(vertical) * factor)
    }

    private static func scaled(_ number: Int, by factor: Double) -> Int {
        Int(exactly: (Double(number) * factor).rounded()) ?? number
    }
}

extension PixelDensity: Hashable {
    /// Returns whether two densities are equal when rounded to pixels per meter, which is how PNG stores them.
    public static func == (left: Self, right: Self) -> Bool {
        left.comparable == right.comparable
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(comparable)
    }

    private var comparable: [Int] {
        guard let (horizontal, vertical) = perMeter else { return [0, horizontal, vertical] }
        return [1, horizontal, vertical]
    }
}

/// Text in an image file: PNG's tEXt, zTXt, and iTXt, JPEG's comment, or XMP.
public struct ImageText: Sendable, Hashable {
    /// The keyword, such as “Title”, “Author”, or “Comment”: 1 to 79 Latin-1 characters.
    public var keyword: String
    /// The text.
    public var text: String
    /// The language in the format of RFC 3066, or an empty string if it is not known.
    public var language: String
    /// The keyword in that language, or an empty string if there is none.
    public var translatedKeyword: String

    /// The keyword of a JPEG comment.
    public static let commentKeyword = "Comment"
    /// The keyword for XMP data, as registered for PNG.
    public static let xmpKeyword = "XML:com.adobe.xmp"

    /// Creates text with a keyword.
    public init(_ keyword: String, _ text: String, language: String = "", translatedKeyword: String = "") {
        self.keyword = keyword
        self.text = text
        self.language = language
        self.translatedKeyword = translatedKeyword
    }
}
