public import Foundation
public import Transformable
public import TransformableImages

/// What to do with an image file of a format that is recognized, but cannot be read: GIF, TIFF, HEIC, AVIF, or WebP.
public enum UnknownFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The file is an error.
    case refuse
    /// The file is kept byte for byte.
    ///
    /// Its size in pixels is known, but its pixels and metadata are not. The metadata cannot be stripped, either.
    case keep
}

/// A transformer that stores images as the PNG or JPEG files they came from.
///
/// An image that was created from pixels becomes a PNG file.
///
/// Decoding detects the format. Encoding returns the original bytes of the file, unless the metadata has
/// changed or is removed. Even then, the compressed pixels stay the same, so that a JPEG loses no quality.
public struct ImageTransformer: Transformer {
    /// Whether metadata is removed when a file is written: location, time, device, thumbnail, and text.
    ///
    /// Colors, density, and orientation are kept.
    public let isStripping: Bool
    /// The limits for reading a file.
    public let limits: ImageLimits
    /// Whether a damaged file is decoded as far as possible and stored unchanged.
    public let isTolerant: Bool

    /// What to do with a file of a format that cannot be read.
    public let unknown: UnknownFormat

    /// Creates a transformer.
    public init(
        isStripping: Bool = false,
        limits: ImageLimits = .standard,
        isTolerant: Bool = false,
        unknown: UnknownFormat = .refuse
    ) {
        self.isStripping = isStripping
        self.limits = limits
        self.isTolerant = isTolerant
        self.unknown = unknown
    }

    /// The traits of the transformer.
    ///
    /// It is not canonical, because equal images can come from different files.
    public var traits: TransformerTraits { isStripping ? [.deterministic, .lossy] : .deterministic }

    /// Returns the file of an image, which is the original file if possible.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        if let format = image.encoded?.format, format != .png, format != .jpeg, unknown == .refuse {
            throw .unreadable(format)
        }
        try reading.checkSize(of: image)
        return try reading.checked(file(of: image, in: context), of: image)
    }

    private func file(of image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        let png = PNGTransformer(limits: limits)
        guard isStripping else {
            guard let format = image.encoded?.format,
                let kept = try image.keptBytes(format, isStandard: true, isTolerant: isTolerant)
            else { return try png.encode(image, in: context) }
            return kept
        }
        guard let file = image.encoded else {
            var stripped = image
            stripped.metadata = image.metadata.stripped
            return try png.encode(stripped, in: context)
        }
        _ = try image.keptBytes(file.format, isStandard: true, isTolerant: isTolerant)
        return try file.replacing(with: image.metadata.stripped, isStripping: true)
    }

    /// Returns the image of a file.
    ///
    /// Only the header is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        let image = try RasterImage(encoded: encoded, options: reading)
        // An image that was decoded must be encodable again, and removing metadata depends on the structure of the
        // file.
        if isStripping { try image.encoded?.checkStructure() }
        return image
    }

    private var reading: ImageReadingOptions {
        ImageReadingOptions(limits: limits, isTolerant: isTolerant, keepsUnknownFormats: unknown == .keep)
    }

    /// Returns whether the image came from these bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension ImageTransformer: HumanFormProviding {
    /// The human-readable form, which reads image files with the transformer's limits and tolerance.
    public var humanForm: AnyHumanForm? { AnyHumanForm(.image(reading)) }
}

/// A transformer that converts image files to the format of another transformer.
///
/// Decoding returns the converted file.
struct ImageFileConverter<Base: Transformer<RasterImage, Data>>: Transformer {
    private let base: Base
    private let options: ImageReadingOptions

    init(_ base: Base, limits: ImageLimits, isTolerant: Bool) {
        self.base = base
        options = ImageReadingOptions(limits: limits, isTolerant: isTolerant)
    }

    var traits: TransformerTraits { base.traits.union(.lossy) }

    func encode(_ file: Data, in context: TransformContext) throws -> Data {
        try base.encode(RasterImage(encoded: file, options: options), in: context)
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        _ = try base.decode(encoded, in: context)
        return encoded
    }

    func isUnchanged(_ file: Data, since encoded: Data, in context: TransformContext) throws -> Bool {
        try file == encoded || encode(file, in: context) == encoded
    }
}
