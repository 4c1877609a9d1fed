public import Foundation
public import Transformable
public import TransformableImages

/// A transformer that stores images as PNG files without loss, including 16-bit samples, alpha, and colors with zero
/// alpha.
///
/// Decoding reads the header. Pixels are decoded on first use. If an image came from a PNG file and has not changed,
/// encoding returns the bytes of that file. The exception is an image that was read with
/// `ImageReadingOptions.yieldsToArguments` if ``options`` differ from the standard ones.
///
/// All color types and bit depths can be read, interlaced or not. PNG does not support CMYK, so a CMYK image is an
/// error.
public struct PNGTransformer: Transformer {
    /// The options for writing files.
    public let options: PNGOptions
    /// The limits for reading a file.
    public let limits: ImageLimits
    /// Whether writing a file removes its metadata: location, time, device, thumbnail, and text.
    ///
    /// Colors, density, and orientation are kept.
    public let isStripping: Bool
    /// Whether a damaged file is decoded as far as possible and stored unchanged.
    public let isTolerant: Bool

    /// Creates a transformer.
    public init(
        options: PNGOptions = .standard,
        limits: ImageLimits = .standard,
        isStripping: Bool = false,
        isTolerant: Bool = false
    ) {
        self.options = options
        self.limits = limits
        self.isStripping = isStripping
        self.isTolerant = isTolerant
    }

    /// The traits of the transformer.
    ///
    /// It is not canonical, because equal images can come from different files.
    public var traits: TransformerTraits { isStripping ? [.deterministic, .lossy] : .deterministic }

    /// Returns the file of an image, which is the original file if possible.
    public func encode(_ image: RasterImage, in context: TransformContext) throws(TransformerError) -> Data {
        try reading.checkSize(of: image)
        return try reading.checked(file(of: image), of: image)
    }

    private func file(of image: RasterImage) throws(TransformerError) -> Data {
        let kept = try image.keptBytes(.png, isStandard: options == .standard, isTolerant: isTolerant)
        if let kept, !isStripping { return kept }
        if kept != nil, let file = image.encoded {
            return try file.replacing(with: image.metadata.stripped, isStripping: true)
        }
        var result = image
        if isStripping { result.metadata = image.metadata.stripped }
        return try PNGWriter(options: options).write(result)
    }

    /// Returns the image of a file.
    ///
    /// Only the header is read.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> RasterImage {
        let image = try RasterImage(encoded, as: .png, options: reading)
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

extension PNGTransformer: HumanFormProviding {
    /// The human-readable form, which reads image files with the transformer's limits and tolerance.
    public var humanForm: AnyHumanForm? { AnyHumanForm(.image(reading)) }
}

/// The options for writing a PNG file.
///
/// They do not affect the pixels.
public struct PNGOptions: Sendable, Hashable {
    /// The filter that prepares a row for compression (PNG, section 9).
    public enum Filter: String, CaseIterable, Sendable, ArgumentConvertible {
        /// The filters and the compression with the smallest result on a sample of the rows.
        ///
        /// Screenshots are best without a filter, drawings with a filter for each row, and photographs with another filter
        /// for each row or a compression that looks only for runs, which takes half of the time.
        case automatic = "auto"
        /// No filter.
        case none
        /// The difference from the pixel on the left.
        case sub
        /// The difference from the pixel above.
        case up
        /// The difference from the average of the pixels on the left and above.
        case average
        /// The difference from the left, upper, or upper-left pixel, whichever is nearest to the prediction.
        case paeth
    }

    /// Whether pixels are stored in a smaller type than that of the image.
    public enum Palette: String, CaseIterable, Sendable, ArgumentConvertible {
        /// The lossless type that makes the smallest file: with a palette, in gray, with fewer
        /// bits, without alpha, or the image's own.
        ///
        /// Whether a palette makes the file of a large picture smaller is estimated from a sample of the rows.
        case automatic = "auto"
        /// The type of the image.
        case never
    }

    /// The compression level: 0 for none, 1 for fastest, and 9 for smallest.
    public var compression: Int
    /// The filter.
    public var filter: Filter
    /// Whether rows are stored in seven passes, so that the image appears while it loads.
    public var isInterlaced: Bool
    /// Whether a smaller type is used if possible.
    public var palette: Palette

    /// The standard options: level 6, automatic filters, and the type that makes the smallest file.
    public static let standard = Self()

    /// Creates options.
    ///
    /// The default values are the standard ones.
    public init(
        compression: Int = 6,
        filter: Filter = .automatic,
        isInterlaced: Bool = false,
        palette: Palette = .automatic
    ) {
        self.compression = compression
        self.filter = filter
        self.isInterlaced = isInterlaced
        self.palette = palette
    }
}
