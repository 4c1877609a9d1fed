public import Foundation
public import Transformable
public import TransformableImages

/// A transformer that stores images as JPEG files, with a loss of quality.
///
/// Decoding reads the header. Pixels are decoded on first use. If an image came from a JPEG file and has not changed,
/// encoding returns the bytes of that file, so that nothing is lost, unless ``unchanged`` says otherwise.
///
/// Baseline, progressive, and arithmetic coding can be read, in gray, YCbCr, RGB, CMYK, and YCCK. Samples of 16 bits
/// are rounded to 8 bits when they are written. JPEG does not support alpha: an image with alpha is an error, unless a
/// ``JPEGOptions/background`` is set.
public struct JPEGTransformer: Transformer {
    /// The options for writing files.
    public let options: JPEGOptions
    /// What to do with an unchanged JPEG file.
    public let unchanged: UnchangedFile
    /// What is improved in an unchanged JPEG file that is kept.
    public let rewriting: JPEGRewriting
    /// Whether metadata are removed when a file is written: location, time, device, thumbnail, and texts.
    ///
    /// Colors, density, and orientation are kept.
    public let isStripping: Bool
    /// The limits for reading a file.
    public let limits: ImageLimits
    /// Whether a damaged file is read as far as possible, and stored as it is.
    public let isTolerant: Bool

    /// Creates a transformer.
    public init(
        options: JPEGOptions = .standard,
        unchanged: UnchangedFile = .keep,
        rewriting: JPEGRewriting = .never,
        isStripping: Bool = false,
        limits: ImageLimits = .standard,
        isTolerant: Bool = false
    ) {
        self.options = options
        self.unchanged = unchanged
        self.rewriting = rewriting
        self.isStripping = isStripping
        self.limits = limits
        self.isTolerant = isTolerant
    }

    /// The traits of the transformer.
    ///
    /// It is lossy.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Returns the file of an image, which is the original file if possible.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        try reading.checkSize(of: image)
        return try reading.checked(file(of: image), of: image)
    }

    private func file(of image: RasterImage) throws(TransformerError) -> Data {
        let writer = JPEGWriter(options: options)
        let rewriter = JPEGRewriter(
            rewriting: rewriting,
            isProgressive: options.isProgressive,
            isStripping: isStripping || image.isStripped
        )
        return try image.file(
            .jpeg,
            unchanged: unchanged,
            isStripping: isStripping,
            isTolerant: isTolerant,
            improve: { (file, metadata, size) throws(TransformerError) in
                try rewriter.rewritten(file, with: metadata, insteadOf: size)
            },
            write: { image throws(TransformerError) in try writer.write(image) }
        )
    }

    /// Returns the image of a file.
    ///
    /// Only the header is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        let image = try RasterImage(encoded, as: .jpeg, options: reading)
        // An image that was decoded must be encodable again, and removing metadata depends on the structure of the
        // file.
        if isStripping { try image.encoded?.checkStructure() }
        return image
    }

    private var reading: ImageReadingOptions { ImageReadingOptions(limits: limits, isTolerant: isTolerant) }

    /// Returns whether the image came from these bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension JPEGTransformer: HumanFormProviding {
    /// The human-readable form, which reads image files with the transformer's limits and tolerance.
    ///
    /// A remark says that a file that was given on the command line is kept regardless of the options.
    public var humanForm: AnyHumanForm? {
        let isIgnoring = unchanged == .keep && options != .standard
        return AnyHumanForm(
            .image(reading) { image in
                guard isIgnoring, let file = image.encoded, file.format == .jpeg, file.options.yieldsToArguments else {
                    return []
                }
                return [
                    "the JPEG file is kept as it is; to encode it again, use “unchanged: smaller” or “unchanged: never”"
                ]
            }
        )
    }
}
