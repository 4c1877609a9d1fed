public import Foundation

/// What an image carries beside its pixels.
public struct ImageMetadata: Sendable {
    /// Which colours the samples mean.
    public var colorProfile: ColorProfile
    /// How many pixels there are to a unit of length; nil where nothing is known.
    ///
    /// Read from a file, it is EXIF's where the file states no other.
    public var density: PixelDensity?
    /// Texts by keyword, in the file's order.
    public var texts: [ImageText]
    /// EXIF: a TIFF structure that begins with `II` or `MM`, as PNG's eXIf chunk and JPEG's APP1 have it.
    public var exif: Data?

    /// Makes metadata; what is left out is not there.
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

    /// What concerns the picture alone: colours, density and orientation, but neither place, time, device, nor texts.
    public var stripped: Self {
        var result = Self(colorProfile: colorProfile, density: knownDensity)
        result.orientation = orientation
        return result
    }

    /// How to turn the picture for viewing, as EXIF says it; ``ImageOrientation/up`` where it says nothing.
    ///
    /// Setting it changes or adds EXIF's orientation and leaves the rest of EXIF alone.
    public var orientation: ImageOrientation {
        get { exif.flatMap { ExifStructure($0)?.orientation } ?? .up }
        set { exif = ExifStructure.setting(newValue, in: exif) }
    }
}

extension ImageMetadata: Hashable {
    /// Whether everything is the same; a density may be stated or EXIF's.
    public static func == (left: Self, right: Self) -> Bool {
        left.colorProfile == right.colorProfile && left.texts == right.texts && left.exif == right.exif
            && left.knownDensity == right.knownDensity
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(colorProfile)
        hasher.combine(texts)
        hasher.combine(exif)
        hasher.combine(knownDensity)
    }

    /// The density that is stated, or else EXIF's.
    var knownDensity: PixelDensity? {
        density ?? exif.flatMap(ExifStructure.init)?.density
    }
}
