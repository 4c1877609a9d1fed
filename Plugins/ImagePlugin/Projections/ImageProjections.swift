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
