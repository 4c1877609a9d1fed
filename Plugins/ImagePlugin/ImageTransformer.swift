public import Foundation
public import Transformable

/// Images as the files they came from, PNG or JPEG; an image of pixels becomes a PNG.
///
/// Decoding recognises the format. Encoding gives the file's very bytes unless the metadata were changed or
/// are stripped; even then the pixels stay as they are packed, and a JPEG loses nothing.
public struct ImageTransformer: Transformer {
    /// Whether metadata are dropped on writing: place, time, device, thumbnail and texts.
    ///
    /// Colours, density and orientation stay.
    public let isStripping: Bool
    /// What reading a file may cost.
    public let limits: ImageLimits
    /// Whether a damaged JPEG gives what can be read of it, and is stored as it is.
    public let isTolerant: Bool

    /// Makes a transformer; by default it drops nothing, has the standard limits, and refuses damaged files.
    public init(isStripping: Bool = false, limits: ImageLimits = .standard, isTolerant: Bool = false) {
        self.isStripping = isStripping
        self.limits = limits
        self.isTolerant = isTolerant
    }

    /// Repeats itself, and is not canonical, since equal images may come from different files.
    public var traits: TransformerTraits { isStripping ? [.deterministic, .lossy] : .deterministic }

    /// The file of the image, or the very file it came from.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        guard isStripping else {
            guard let format = image.encoded?.format,
                let kept = try image.keptBytes(format, isStandard: true, isTolerant: isTolerant)
            else { return try PNGTransformer().encode(image, in: context) }
            return kept
        }
        guard let file = image.encoded else {
            var stripped = image
            stripped.metadata = image.metadata.stripped
            return try PNGTransformer().encode(stripped, in: context)
        }
        _ = try image.keptBytes(file.format, isStandard: true, isTolerant: isTolerant)
        return try file.replacing(with: image.metadata.stripped, isStripping: true)
    }

    /// The image of the file, whose header alone is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        let image = try RasterImage(encoded: encoded, options: reading)
        // What is decoded can be encoded again, and stripping follows the file's structure.
        if isStripping { try image.encoded?.checkStructure() }
        return image
    }

    private var reading: ImageReadingOptions { ImageReadingOptions(limits: limits, isTolerant: isTolerant) }

    /// Whether the image came from these very bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension ImageTransformer: HumanFormProviding {
    /// An image file, read within the transformer's own limits and with its tolerance.
    public var humanForm: AnyHumanForm? { AnyHumanForm(.image(reading)) }
}
