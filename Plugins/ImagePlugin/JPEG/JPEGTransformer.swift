public import Foundation
public import Transformable
public import TransformableImages

/// A transformer that stores images as JPEG files, with a loss of quality.
///
/// Decoding reads the header. Pixels are decoded on first use. If an image came from a JPEG file and has not changed,
/// encoding returns the bytes of that file, so that nothing is lost. The exception is an image that was read with
/// ``ImageReadingOptions/yieldsToArguments`` if ``options`` differ from the standard ones.
///
/// Baseline, progressive, and arithmetic coding can be read, in gray, YCbCr, RGB, CMYK, and YCCK. Samples of 16 bits
/// are rounded to 8 bits when they are written. JPEG does not support alpha: an image with alpha is an error, unless a
/// ``JPEGOptions/background`` is set.
public struct JPEGTransformer: Transformer {
    /// The options for writing files.
    public let options: JPEGOptions
    /// The limits for reading a file.
    public let limits: ImageLimits
    /// Whether a damaged file is read as far as possible, and stored as it is.
    public let isTolerant: Bool

    /// Creates a transformer.
    public init(options: JPEGOptions = .standard, limits: ImageLimits = .standard, isTolerant: Bool = false) {
        self.options = options
        self.limits = limits
        self.isTolerant = isTolerant
    }

    /// The traits of the transformer.
    ///
    /// It is lossy.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Returns the file of an image, which is the original file if possible.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        let isStandard = options == .standard
        if let kept = try image.keptBytes(.jpeg, isStandard: isStandard, isTolerant: isTolerant) { return kept }
        return try JPEGWriter(options: options).write(image)
    }

    /// Returns the image of a file.
    ///
    /// Only the header is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        try RasterImage(encoded, as: .jpeg, options: reading)
    }

    private var reading: ImageReadingOptions { ImageReadingOptions(limits: limits, isTolerant: isTolerant) }

    /// Returns whether the image came from these bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension JPEGTransformer: HumanFormProviding {
    /// The human-readable form, which reads image files with the transformer's limits and tolerance.
    public var humanForm: AnyHumanForm? { AnyHumanForm(.image(reading)) }
}
