public import Foundation

/// The metadata of an image.
public struct ImageMetadata: Sendable {
    /// The colors that samples represent.
    public var colorProfile: ColorProfile
    /// The number of pixels per unit of length, or nil if it is not known.
    ///
    /// If a file does not contain a density of its own, the density in its EXIF data is used.
    public var density: PixelDensity?
    /// The texts, in the order of the file.
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

    /// The metadata that affect only the appearance: colors, density, and orientation, but not location, time, device,
    /// or texts.
    ///
    /// The ICC profile of a display loses everything that is not about colors, such as the serial number of the display.
    public var stripped: Self {
        var result = Self(colorProfile: colorProfile.stripped, density: knownDensity)
        result.orientation = orientation
        return result
    }

    /// The orientation for viewing, as stored in EXIF, or ``ImageOrientation/up`` if there is none.
    ///
    /// Setting it changes or adds the EXIF orientation. All other EXIF data stay the same.
    public var orientation: ImageOrientation {
        get { exif.flatMap { ExifStructure($0)?.orientation } ?? .up }
        set { exif = ExifStructure.setting(newValue, in: exif) }
    }
}

extension ImageMetadata: Hashable {
    /// Returns whether all metadata are the same.
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
}
