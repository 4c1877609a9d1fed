public import Foundation
public import Transformable

/// Images as PNG files, bit for bit: 16 bits, alpha, and colours under zero alpha included.
///
/// Decoding reads the header; pixels are decoded on first use. Encoding an image that came from a PNG
/// and is not changed gives that file's bytes, unless ``ImageReadingOptions/yieldsToArguments`` says
/// otherwise and ``options`` differ from the standard ones.
///
/// Every colour type and depth is read, interlaced or not. CMYK has no place in a PNG and is an error.
public struct PNGTransformer: Transformer {
    /// How files are written.
    public let options: PNGOptions
    /// What reading a file may cost.
    public let limits: ImageLimits

    /// Makes a transformer; by default with the standard options and limits.
    public init(options: PNGOptions = .standard, limits: ImageLimits = .standard) {
        self.options = options
        self.limits = limits
    }

    /// Repeats itself, and is not canonical, since equal images may come from different files.
    public var traits: TransformerTraits { .deterministic }

    /// The file of the image, or the very file it came from.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        if let kept = try image.keptBytes(.png, isStandard: options == .standard) { return kept }
        return try PNGWriter(options: options).write(image)
    }

    /// The image of the file, whose header alone is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        try RasterImage(encoded, as: .png, options: reading)
    }

    private var reading: ImageReadingOptions { ImageReadingOptions(limits: limits) }

    /// Whether the image came from these very bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension PNGTransformer: HumanFormProviding {
    /// An image file, read within the transformer's own limits.
    public var humanForm: AnyHumanForm? { AnyHumanForm(.image(reading)) }
}
