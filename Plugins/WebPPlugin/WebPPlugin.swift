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
                .writing("strip", "whether to remove location, time, device, and texts", default: false),
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
