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

    /// Makes a transformer; by default it drops nothing, and has the standard limits.
    public init(isStripping: Bool = false, limits: ImageLimits = .standard) {
        self.isStripping = isStripping
        self.limits = limits
    }

    /// Repeats itself, and is not canonical, since equal images may come from different files.
    public var traits: TransformerTraits { isStripping ? [.deterministic, .lossy] : .deterministic }

    /// The file of the image, or the very file it came from.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        guard isStripping else {
            guard let format = image.encoded?.format, let kept = try image.keptBytes(format, isStandard: true) else {
                return try PNGTransformer().encode(image, in: context)
            }
            return kept
        }
        guard let file = image.encoded else {
            var stripped = image
            stripped.metadata = image.metadata.stripped
            return try PNGTransformer().encode(stripped, in: context)
        }
        if file.options.yieldsToArguments { _ = try image.pixels }
        return try file.replacing(with: image.metadata.stripped, isStripping: true)
    }

    /// The image of the file, whose header alone is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        let image = try RasterImage(encoded: encoded, options: ImageReadingOptions(limits: limits))
        // What is decoded can be encoded again, and stripping follows the file's structure.
        if isStripping { try image.encoded?.checkStructure() }
        return image
    }

    /// Whether the image came from these very bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}
