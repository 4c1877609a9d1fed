internal import Foundation
public import Transformable
public import TransformableImages

/// A projection to the stored width of an image in pixels.
///
/// It reads only the header of a file.
public struct ImageWidthTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns the width of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.width)
    }
}

/// A projection to the stored height of an image in pixels.
///
/// It reads only the header of a file.
public struct ImageHeightTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns the height of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.height)
    }
}

/// A projection to the format of the file that an image came from, such as `png`, `jpeg`, or `webp`, or `none` if it was
/// created from pixels.
public struct ImageFormatTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the format of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) -> String {
        image.encoded?.format.rawValue ?? "none"
    }
}

/// A projection to the EXIF orientation of an image, from 1 to 8.
///
/// It does not decode the pixels.
public struct ImageOrientationTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns the orientation of an image.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.metadata.orientation.rawValue)
    }
}

/// A projection to the width of an image in pixels, as it is viewed.
///
/// It does not decode the pixels.
public struct ImageUprightWidthTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns the width of the upright image.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.viewedSize.width)
    }
}

/// A projection to the height of an image in pixels, as it is viewed.
///
/// It does not decode the pixels.
public struct ImageUprightHeightTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns the height of the upright image.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.viewedSize.height)
    }
}

/// A projection to 1 for an image that can have transparent pixels, and to 0 for any other image.
///
/// It reads only the header of a file.
public struct ImageAlphaTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .deterministic }

    /// Returns 1 if an image can have transparent pixels, or 0.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        image.format.hasAlpha ? 1 : 0
    }
}

/// A projection to the number of frames in the file of an image, which is 1 unless the file is animated.
///
/// It reads only the header of a file.
public struct ImageFrameCountTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the number of frames.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.encoded?.header.frameCount ?? 1)
    }
}

/// A projection to the time when a picture was taken, according to EXIF, or `none`.
///
/// The time is the local one of the camera, as `2024-05-01T12:34:56`. The difference from UTC
/// follows if it is known: `2024-05-01T12:34:56+02:00`. Such strings are ordered by local time.
///
/// A time that is malformed or does not exist, such as one on February 30, is not known.
public struct ImageTimeTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns the time when a picture was taken.
    public func encode(_ image: RasterImage, in context: TransformContext) -> String {
        image.metadata.exif.flatMap(ExifStructure.init)?.timeTaken ?? "none"
    }
}

/// A projection to 1 for an image whose metadata contains a location, and to 0 for any other image.
///
/// It does not decode the pixels. In formats other than PNG, JPEG, and WebP, metadata is not read, so the result is 0 even
/// if the file contains a location.
public struct ImageLocationTransformer: OneWayTransformer {
    /// Creates the projection.
    public init() {}

    /// The traits of the projection.
    public var traits: TransformerTraits { .plain }

    /// Returns 1 if the metadata of an image contains a location, or 0.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        let metadata = image.metadata
        let isInExif = metadata.exif.flatMap(ExifStructure.init)?.hasLocation ?? false
        let isInText = metadata.texts.contains { $0.keyword == ImageText.xmpKeyword && $0.text.contains(":GPSL") }
        return isInExif || isInText ? 1 : 0
    }
}

extension ExifStructure {
    /// The time of the exposure, or else of the scan, in the form of ISO 8601.
    fileprivate var timeTaken: String? {
        let photo = entries(under: 0x8769)
        return time(0x9003, offset: 0x9011, photo) ?? time(0x9004, offset: 0x9012, photo)
    }

    /// Whether there is a latitude or a longitude.
    fileprivate var hasLocation: Bool { entries(under: 0x8825).contains { $0.tag == 2 || $0.tag == 4 } }

    /// Converts a time of the form `2024:05:01 12:34:56`, or returns nil if it is blank, malformed, or does not exist.
    private func time(_ tag: Int, offset offsetTag: Int, _ photo: [Entry]) -> String? {
        guard let entry = photo.first(where: { $0.tag == tag }), let text = text(entry),
            let match = text.wholeMatch(of: /([0-9]{4}):([0-9]{2}):([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            1...12 ~= month, day >= 1, day <= CivilTime.days(in: month, of: year),
            Self.isTimeOfDay(hour: match.4, minute: match.5, second: match.6)
        else { return nil }
        let offset = photo.first { $0.tag == offsetTag }.flatMap { self.text($0) } ?? ""
        let parts = offset.wholeMatch(of: /[+-]([0-9]{2}):([0-9]{2})/)
        let isOffset = parts.map { Self.isTimeOfDay(hour: $0.1, minute: $0.2) } ?? false
        return "\(match.1)-\(match.2)-\(match.3)T\(match.4):\(match.5):\(match.6)\(isOffset ? offset : "")"
    }

    /// Returns whether numbers of two digits are a time of day.
    ///
    /// A second of 60 is a leap second (ISO 8601).
    private static func isTimeOfDay(hour: Substring, minute: Substring, second: Substring = "00") -> Bool {
        hour <= "23" && minute <= "59" && second <= "60"
    }
}
