public import Foundation
public import Transformable
public import TransformableImages

/// A transformer that stores images as WebP files, lossy or lossless.
///
/// Decoding reads the header. Pixels are decoded on first use, as RGB or RGBA with 8 bits per sample. If an image came
/// from a WebP file and has not changed, encoding returns the bytes of that file, unless ``unchanged`` says otherwise.
///
/// In a lossy file, 16-bit samples are rounded to 8 bits. A lossless file keeps every pixel, so an image that needs 16
/// bits is an error. WebP supports neither CMYK nor text other than XMP.
public struct WebPTransformer: Transformer {
    /// The options for writing files.
    public let options: WebPOptions
    /// What to do with an unchanged WebP file.
    public let unchanged: UnchangedFile
    /// Whether metadata is removed when a file is written: location, time, device, and text.
    ///
    /// Colors, density, and orientation are kept.
    public let isStripping: Bool
    /// What to do with an animation.
    public let animation: WebPAnimationReading
    /// The limits for reading a file.
    public let limits: ImageLimits
    /// The human-readable form of files in other formats.
    private let otherFiles: HumanForm<RasterImage>?

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - options: The options for writing files.
    ///   - unchanged: What to do with an unchanged WebP file.
    ///   - isStripping: Whether metadata is removed when a file is written.
    ///   - animation: What to do with an animation.
    ///   - limits: The limits for reading a file.
    ///   - otherFiles: The human-readable form of files in other formats.
    public init(
        options: WebPOptions = .standard,
        unchanged: UnchangedFile = .keep,
        isStripping: Bool = false,
        animation: WebPAnimationReading = .refuse,
        limits: ImageLimits = .standard,
        otherFiles: HumanForm<RasterImage>? = nil
    ) {
        self.options = options
        self.unchanged = unchanged
        self.isStripping = isStripping
        self.animation = animation
        self.limits = limits
        self.otherFiles = otherFiles
    }

    /// The traits of the transformer.
    ///
    /// It is lossy, unless all pixels and metadata are kept. It is not canonical, because equal images can come from
    /// different files.
    public var traits: TransformerTraits {
        options.isLossless && !isStripping ? .deterministic : [.deterministic, .lossy]
    }

    /// Returns the file of an image, which is the original file if possible.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        let writer = WebPWriter(options: options)
        let file = try image.file(
            .webp,
            unchanged: unchanged,
            isStripping: isStripping,
            isTolerant: false
        ) { image throws(TransformerError) in
            // A caller that reads the first frame of animations knows that the others are lost.
            if animation == .refuse { try image.checkIsStill(for: "a new WebP file") }
            return try writer.write(image)
        }
        return try checked(file, of: image)
    }

    /// Returns a file that was written or kept, if the same transformer can read it again.
    private func checked(_ file: Data, of image: RasterImage) throws(TransformerError) -> Data {
        let options = ImageReadingOptions(limits: limits)
        let written = try RasterImage(webP: file, options: options, animation: animation)
        if image.encoded?.bytes == file, image.encoded?.options.limits == limits { return file }
        // Metadata that are too large are left out with a warning. An original file may have caused other warnings.
        guard written.warnings.count <= image.warnings.count else {
            throw .tooMuchMetadata(limits.maxMetadataBytes)
        }
        return file
    }

    /// Returns the image of a file.
    ///
    /// Only the header is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        let options = ImageReadingOptions(limits: limits)
        let image = try RasterImage(webP: encoded, options: options, animation: animation)
        // An image that was decoded must be encodable again, and removing metadata depends on the structure of the
        // file.
        if isStripping { try image.encoded?.checkStructure() }
        return image
    }

    /// Returns whether the image came from these bytes, or would be encoded as them.
    public func isUnchanged(_ image: RasterImage, since encoded: Data, in context: TransformContext) throws -> Bool {
        try image.isUnchanged(since: encoded) || encode(image, in: context) == encoded
    }
}

extension WebPTransformer: HumanFormProviding {
    /// The human-readable form, which reads WebP files with the transformer's limits.
    public var humanForm: AnyHumanForm? {
        let options = ImageReadingOptions(limits: limits, yieldsToArguments: true)
        return AnyHumanForm(.webP(options, animation: animation, otherFiles: otherFiles))
    }
}

extension RasterImage {
    /// Creates an image from a WebP file.
    ///
    /// Only the header is read.
    ///
    /// - Parameters:
    ///   - encoded: The whole file.
    ///   - options: The limits. A damaged file is always an error.
    ///   - animation: What to do with an animation.
    /// - Throws: `TransformerError` with the code `invalid-data`, `truncated-data`, `unsupported`, or `limit-exceeded`
    ///   if the header is invalid. Other damage is detected when the pixels are decoded.
    public init(
        webP encoded: Data,
        options: ImageReadingOptions = ImageReadingOptions(),
        animation: WebPAnimationReading = .refuse
    ) throws(TransformerError) {
        guard let format = ImageFileFormat(detecting: encoded) else {
            throw .invalidData("the bytes are not a WebP file", offset: 0)
        }
        guard format == .webp else {
            throw .invalidData("expected a WebP file, but found a \(format.title) file", offset: 0)
        }
        let header = try WebPHeader(encoded, limits: options.limits, animation: animation)
        var options = options
        options.takesFirstFrame = animation == .first
        self.init(EncodedImage(encoded, options: options, header: header))
    }
}

/// The options for writing a WebP file.
public struct WebPOptions: Sendable, Hashable {
    /// The quality of a lossy file, from 0 (smallest) to 100 (best).
    public var quality: Int
    /// Whether all pixels are kept exactly, including the colors of transparent ones.
    public var isLossless: Bool
    /// How much time is spent on a small file, from 0 (least) to 6 (most).
    public var effort: Int

    /// The standard options: lossy, with quality 80 and effort 4.
    public static let standard = Self()

    /// Creates options.
    ///
    /// The default values are the standard ones.
    public init(quality: Int = 80, isLossless: Bool = false, effort: Int = 4) {
        self.quality = quality
        self.isLossless = isLossless
        self.effort = effort
    }
}

/// What to do with a WebP file that is an animation.
public enum WebPAnimationReading: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The file is an error.
    case refuse
    /// The image is the first frame.
    ///
    /// As long as the image has not changed, the whole file is kept.
    case first
}
