public import Foundation
public import Transformable
public import TransformableImages

/// A transformer that stores images as JPEG files, with a loss of quality.
///
/// Decoding reads the header. Pixels are decoded on first use. If an image came from a JPEG file and has not changed,
/// encoding returns the bytes of that file, so that nothing is lost, unless ``unchanged`` says otherwise.
///
/// Baseline, progressive, and arithmetic coding can be read, in gray, YCbCr, RGB, CMYK, and YCCK. 16-bit samples are
/// rounded to 8 bits when they are written. JPEG does not support alpha: an image with alpha is an error, unless a
/// ``JPEGOptions/background`` is set.
public struct JPEGTransformer: Transformer {
    /// The options for writing files.
    public let options: JPEGOptions
    /// What to do with an unchanged JPEG file.
    public let unchanged: UnchangedFile
    /// What is improved in an unchanged JPEG file that is kept.
    public let rewriting: JPEGRewriting
    /// Whether metadata is removed when a file is written: location, time, device, thumbnail, and text.
    ///
    /// Colors, density, and orientation are kept.
    public let isStripping: Bool
    /// The limits for reading a file.
    public let limits: ImageLimits
    /// Whether a damaged file is decoded as far as possible and stored unchanged.
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
        // Colors that a JPEG cannot define are converted, which requires new pixels.
        let isLost = !image.hasMetadataOfFile && image.metadata.colorProfile.isLostInJPEG(image.format)
        return try image.file(
            .jpeg,
            unchanged: isLost ? .never : unchanged,
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
    /// A remark says that a file that was given on the command line is not encoded again, regardless of the options.
    public var humanForm: AnyHumanForm? {
        var ignored = options
        if rewriting != .never { ignored.isProgressive = JPEGOptions.standard.isProgressive }
        let isIgnoring = unchanged == .keep && ignored != .standard
        return AnyHumanForm(
            .image(reading) { image in
                guard isIgnoring, let file = image.encoded, file.format == .jpeg, file.options.yieldsToArguments else {
                    return []
                }
                let remedy = "to encode it again, use “unchanged: smaller” or “unchanged: never”"
                return ["the JPEG file is not encoded again, and keeps its quality; \(remedy)"]
            }
        )
    }
}

/// The options for writing a JPEG file.
public struct JPEGOptions: Sendable, Hashable {
    /// The reduction of the color resolution compared to the brightness.
    public enum Subsampling: String, CaseIterable, Sendable, ArgumentConvertible {
        /// No reduction.
        case none = "4:4:4"
        /// Half of the horizontal resolution.
        case halfAcross = "4:2:2"
        /// Half of the horizontal and of the vertical resolution.
        case quarter = "4:2:0"
        /// Half of the vertical resolution.
        case halfDown = "4:4:0"
        /// A quarter of the horizontal resolution.
        case quarterAcross = "4:1:1"

        /// The number of brightness samples per color sample, horizontally and vertically.
        var factors: (horizontal: Int, vertical: Int) {
            switch self {
            case .none: (1, 1)
            case .halfAcross: (2, 1)
            case .quarter: (2, 2)
            case .halfDown: (1, 2)
            case .quarterAcross: (4, 1)
            }
        }
    }

    /// An opaque color with 8 bits per sample.
    public struct Background: Sendable, Hashable {
        /// The red component, from 0 to 255.
        public var red: UInt8
        /// The green component, from 0 to 255.
        public var green: UInt8
        /// The blue component, from 0 to 255.
        public var blue: UInt8

        /// Creates a color.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// The quality on libjpeg's scale, from 0 (smallest) to 100 (best).
    public var quality: Int
    /// The reduction of the color resolution.
    public var subsampling: Subsampling
    /// Whether the image is stored in scans of increasing detail, which usually also makes the file smaller.
    public var isProgressive: Bool
    /// Whether Huffman codes are optimized for the image, which makes the file smaller and takes a little longer.
    ///
    /// The codes of a progressive file are always optimized.
    public var isOptimized: Bool
    /// The color behind transparent pixels, as in `RasterImage.flattened(background:)`.
    ///
    /// If it is nil, an image with alpha is an error.
    public var background: Background?

    /// The standard options: quality 85, a quarter of the color samples, a single scan, and optimized codes.
    public static let standard = Self()

    /// Creates options.
    ///
    /// The default values are the standard ones.
    public init(
        quality: Int = 85,
        subsampling: Subsampling = .quarter,
        isProgressive: Bool = false,
        isOptimized: Bool = true,
        background: Background? = nil
    ) {
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.isOptimized = isOptimized
        self.background = background
    }
}

extension JPEGOptions.Background: ArgumentConvertible {
    /// A description of the argument's type.
    public static var argumentType: String { "a color as \"#rrggbb\"" }

    /// Creates a color from a quoted argument.
    public init?(argument: ArgumentValue) {
        guard case .string(let text) = argument else { return nil }
        self.init(text)
    }

    /// Parses a color in the form `#rrggbb`, with hexadecimal digits of either case.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        red = UInt8(truncatingIfNeeded: number >> 16)
        green = UInt8(truncatingIfNeeded: number >> 8)
        blue = UInt8(truncatingIfNeeded: number)
    }

    /// The quoted argument.
    public var argument: ArgumentValue? { .string(description) }
}

extension JPEGOptions.Background: CustomStringConvertible {
    /// The color in the form `#rrggbb`.
    public var description: String {
        "#" + [red, green, blue].map { String(format: "%02x", $0) }.joined()
    }
}
