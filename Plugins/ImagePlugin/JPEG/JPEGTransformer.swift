public import Foundation
public import Transformable

/// Images as JPEG files: small, and not exactly what they were.
///
/// Decoding reads the header; pixels are decoded on first use. Encoding an image that came from a JPEG
/// and is not changed gives that file's bytes and so loses nothing, unless
/// ``ImageReadingOptions/yieldsToArguments`` says otherwise and ``options`` differ from the standard ones.
///
/// Baseline, progressive and arithmetic coding are read, in grey, YCbCr, RGB, CMYK and YCCK. Samples of
/// 16 bits are rounded to 8 when written. Alpha has no place in a JPEG: it is an error, or is flattened
/// on ``JPEGOptions/background``.
public struct JPEGTransformer: Transformer {
    /// How files are written.
    public let options: JPEGOptions
    /// What reading a file may cost.
    public let limits: ImageLimits
    /// Whether a damaged file gives what can be read of it, and is stored as it is.
    public let isTolerant: Bool

    /// Makes a transformer; by default with the standard options and limits.
    public init(options: JPEGOptions = .standard, limits: ImageLimits = .standard, isTolerant: Bool = false) {
        self.options = options
        self.limits = limits
        self.isTolerant = isTolerant
    }

    /// Repeats itself, and loses what the eye hardly sees.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// The file of the image, or the very file it came from.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        let isStandard = options == .standard
        if let kept = try image.keptBytes(.jpeg, isStandard: isStandard, isTolerant: isTolerant) { return kept }
        return try JPEGWriter(options: options).write(image)
    }

    /// The image of the file, whose header alone is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        try RasterImage(encoded, as: .jpeg, options: reading)
    }

    private var reading: ImageReadingOptions { ImageReadingOptions(limits: limits, isTolerant: isTolerant) }

    /// Whether the image came from these very bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension JPEGTransformer: HumanFormProviding {
    /// An image file, read within the transformer's own limits and with its tolerance.
    public var humanForm: AnyHumanForm? { AnyHumanForm(.image(reading)) }
}
