internal import Foundation
public import Transformable

/// An image's width in pixels, as it is stored; of a file, from its header alone.
public struct ImageWidthTransformer: OneWayTransformer {
    /// Makes the projection.
    public init() {}

    /// What callers may rely on.
    public var traits: TransformerTraits { .plain }

    /// The number or the word.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.width)
    }
}

/// An image's height in pixels, as it is stored; of a file, from its header alone.
public struct ImageHeightTransformer: OneWayTransformer {
    /// Makes the projection.
    public init() {}

    /// What callers may rely on.
    public var traits: TransformerTraits { .plain }

    /// The number or the word.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.height)
    }
}

/// The format of the file that an image came from: `png`, `jpeg`, or `none` for an image of pixels.
public struct ImageFormatTransformer: OneWayTransformer {
    /// Makes the projection.
    public init() {}

    /// What callers may rely on.
    public var traits: TransformerTraits { .deterministic }

    /// The number or the word.
    public func encode(_ image: RasterImage, in context: TransformContext) -> String {
        image.encoded?.format.rawValue ?? "none"
    }
}

/// An image's orientation as EXIF numbers it, 1 to 8; of a file, without its pixels.
public struct ImageOrientationTransformer: OneWayTransformer {
    /// Makes the projection.
    public init() {}

    /// What callers may rely on.
    public var traits: TransformerTraits { .plain }

    /// The number or the word.
    public func encode(_ image: RasterImage, in context: TransformContext) -> Int64 {
        Int64(image.metadata.orientation.rawValue)
    }
}
