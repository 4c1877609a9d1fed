internal import Foundation
public import Transformable
public import TransformableImages

/// A plugin for images in WebP files, based on libwebp.
public struct WebPPlugin: TransformerPlugin {
    /// The plugin's name, “webp”.
    public let name = "webp"

    private let otherFiles: HumanForm<RasterImage>?

    /// Creates the plugin.
    ///
    /// - Parameter otherFiles: The human-readable form of files in other formats, such as `.image` of ImagePlugin, so
    ///   that the transformer also converts those on the command line.
    public init(otherFiles: HumanForm<RasterImage>? = nil) {
        self.otherFiles = otherFiles
    }

    /// The transformer `webp`.
    public var registrations: [Registration] {
        let limits = ImageLimits.standard
        return [
            Registration(
                "webp",
                summary: "an image as a WebP file, with or without loss",
                form: .webP,
                .writing("quality", "of a lossy file, from 0 (smallest) to 100 (best)", default: 80, in: 0...100),
                .writing("lossless", "whether all pixels are kept exactly", default: false),
                .writing("effort", "from 0 (fastest) to 6 (smallest)", default: 4, in: 0...6),
                .writing("unchanged", "what to do with an unchanged WebP file", default: UnchangedFile.keep),
                .writing("strip", "whether to remove location, time, device, and text", default: false),
                .writing("animated", "what to do with an animation", default: WebPAnimationReading.refuse),
                .writing("maxPixels", "the maximum number of pixels", default: limits.maxPixels, in: 1...1 << 40),
                .writing(
                    "maxMetadata",
                    "the maximum size of the profile, XMP, and EXIF in bytes",
                    default: limits.maxMetadataBytes,
                    in: 0...1 << 30
                ),
                .writing(
                    "maxSeconds",
                    "the maximum time for decoding in seconds",
                    default: limits.maxSeconds,
                    in: 1...86_400
                )
            ) { quality, lossless, effort, unchanged, strip, animated, maxPixels, maxMetadata, maxSeconds in
                WebPTransformer(
                    options: WebPOptions(quality: quality, isLossless: lossless, effort: effort),
                    unchanged: unchanged,
                    isStripping: strip,
                    animation: animated,
                    limits: ImageLimits(maxPixels: maxPixels, maxMetadataBytes: maxMetadata, maxSeconds: maxSeconds),
                    otherFiles: otherFiles
                )
            }
        ]
    }

    /// The inspector of WebP files.
    public var inspectors: [Inspector] {
        [
            Inspector("WebP image") { bytes in
                guard ImageFileFormat(detecting: bytes) == .webp else { return nil }
                let image = try RasterImage(webP: bytes, animation: .first)
                return Inspection("WebP image", facts: ImageFacts(image).all)
            }
        ]
    }
}

extension HumanForm where Value == RasterImage {
    /// The human-readable form of an image: a WebP file.
    public static var webP: Self { webP(ImageReadingOptions(), animation: .refuse, otherFiles: nil) }

    /// Returns the form with a transformer's limits.
    ///
    /// - Parameters:
    ///   - options: The limits.
    ///   - animation: What to do with an animation.
    ///   - otherFiles: The form of files in other formats. Without it, images are printed as lossless WebP files.
    /// - Returns: The form.
    static func webP(
        _ options: ImageReadingOptions,
        animation: WebPAnimationReading,
        otherFiles: Self?
    ) -> Self {
        Self(
            isText: false,
            parse: { bytes in
                guard let otherFiles, ImageFileFormat(detecting: bytes) != .webp else {
                    return try RasterImage(webP: bytes, options: options, animation: animation)
                }
                return try otherFiles.parse(bytes)
            },
            print: { image, format in
                if let otherFiles, format != "webp" { return try otherFiles.print(image, format) }
                guard format == "webp" || format == nil else {
                    throw TransformerError(.unsupported, "an image cannot be written as “\(format ?? "")”; use webp")
                }
                // A damaged file is detected before it is passed on.
                _ = try image.pixels
                let writer = WebPTransformer(
                    options: WebPOptions(isLossless: true),
                    animation: animation,
                    limits: options.limits.forPrinting
                )
                return try writer.encode(image, in: .none)
            },
            remarks: \.warnings
        )
    }
}

extension TypedExpression where Value == RasterImage {
    /// An image as a lossy WebP file.
    public static var webP: Self { Self("webp") }

    /// Returns an expression that stores an image as a WebP file.
    ///
    /// - Parameters:
    ///   - quality: The quality of a lossy file, from 0 (smallest) to 100 (best).
    ///   - lossless: Whether all pixels are kept exactly.
    ///   - unchanged: What to do with an unchanged WebP file.
    ///   - strip: Whether to remove location, time, device, and text.
    /// - Returns: The expression.
    public static func webP(
        quality: Int = 80,
        lossless: Bool = false,
        unchanged: UnchangedFile = .keep,
        strip: Bool = false
    ) -> Self {
        Self("webp(quality: \(quality), lossless: \(lossless), unchanged: \(unchanged.rawValue), strip: \(strip))")
    }
}
