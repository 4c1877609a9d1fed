public import Transformable

/// Images as PNG and JPEG files, by libpng and libjpeg-turbo.
public struct ImagePlugin: TransformerPlugin {
    /// Its name in listings.
    public let name = "image"

    /// Makes the plugin.
    public init() {}

    /// The transformers `png` and `jpeg`, and what a column of images can be searched by.
    public var registrations: [Registration] {
        png
        jpeg
        image
        projections
    }

    /// Descriptions of PNG and JPEG files.
    public var inspectors: [Inspector] {
        [.png, .jpeg]
    }

    private var png: Registration {
        Registration(
            "png",
            summary: "an image as a PNG file, bit for bit",
            form: .image,
            .writing("compression", "zlib's level: 0 none, 9 smallest", default: 6, in: 0...9),
            .writing("filter", "what prepares rows for compression", default: PNGOptions.Filter.automatic),
            .writing("interlaced", "whether rows come in seven passes", default: false),
            .writing("palette", "auto looks for the smallest exact type", default: PNGOptions.Palette.never),
            Self.maxPixels,
            Self.maxMetadata,
            Self.maxSeconds
        ) { compression, filter, interlaced, palette, maxPixels, maxMetadata, maxSeconds in
            PNGTransformer(
                options: PNGOptions(
                    compression: compression,
                    filter: filter,
                    isInterlaced: interlaced,
                    palette: palette
                ),
                limits: ImageLimits(maxPixels: maxPixels, maxMetadataBytes: maxMetadata, maxSeconds: maxSeconds)
            )
        }
    }

    private var jpeg: Registration {
        Registration(
            "jpeg",
            summary: "an image as a JPEG file, small and not exact",
            form: .image,
            .writing("quality", "0, smallest, to 100, best", default: 85, in: 0...100),
            .writing("subsampling", "how much less colour is stored", default: JPEGOptions.Subsampling.quarter),
            .writing("progressive", "whether detail grows scan by scan", default: false),
            .writing("optimized", "whether codes are made for the picture", default: false),
            .writing("background", "what shows through transparent pixels", default: JPEGOptions.Background?.none),
            Self.tolerant,
            Self.maxPixels,
            Self.maxMetadata,
            .writing(
                "maxScans",
                "scans of a progressive file",
                default: ImageLimits.standard.maxScans,
                in: 1...100_000
            ),
            Self.maxSeconds
        ) {
            quality,
            subsampling,
            progressive,
            optimized,
            background,
            tolerant,
            maxPixels,
            maxMetadata,
            maxScans,
            seconds in
            JPEGTransformer(
                options: JPEGOptions(
                    quality: quality,
                    subsampling: subsampling,
                    isProgressive: progressive,
                    isOptimized: optimized,
                    background: background
                ),
                limits: ImageLimits(
                    maxPixels: maxPixels,
                    maxMetadataBytes: maxMetadata,
                    maxScans: maxScans,
                    maxSeconds: seconds
                ),
                isTolerant: tolerant
            )
        }
    }

    private var image: Registration {
        Registration(
            "image",
            summary: "an image as the file it came from, PNG or JPEG",
            form: .image,
            .writing("strip", "whether place, time, device, thumbnail and texts are dropped", default: false),
            Self.tolerant,
            Self.maxPixels,
            Self.maxMetadata,
            Self.maxSeconds
        ) { strip, tolerant, maxPixels, maxMetadata, maxSeconds in
            ImageTransformer(
                isStripping: strip,
                limits: ImageLimits(maxPixels: maxPixels, maxMetadataBytes: maxMetadata, maxSeconds: maxSeconds),
                isTolerant: tolerant
            )
        }
    }

    @RegistrationBuilder private var projections: [Registration] {
        Registration("image-width", summary: "an image's width in pixels", form: .image, ImageWidthTransformer())
        Registration("image-height", summary: "an image's height in pixels", form: .image, ImageHeightTransformer())
        Registration("image-format", summary: "png, jpeg or none", form: .image, ImageFormatTransformer())
        Registration(
            "image-orientation",
            summary: "an image's orientation as EXIF numbers it, 1 to 8",
            form: .image,
            ImageOrientationTransformer()
        )
        Registration(
            "image-hash",
            summary: "a hash of 64 bits that is alike for pictures that look alike",
            form: .image,
            ImageHashTransformer()
        )
        Registration(
            "thumbnail",
            summary: "a small upright picture, for another stage to encode",
            form: .image,
            .writing("fit", "the longest side in pixels", default: 256, in: 1...65_500)
        ) { fit in
            ThumbnailTransformer(fit: fit)
        }
    }
}

extension ImagePlugin {
    private static var tolerant: Parameter<Bool> {
        .writing("tolerant", "whether a damaged JPEG is accepted for what can be read of it", default: false)
    }

    private static var maxPixels: Parameter<Int> {
        .writing("maxPixels", "pixels of a file that is read", default: ImageLimits.standard.maxPixels, in: 1...1 << 40)
    }

    private static var maxMetadata: Parameter<Int> {
        .writing(
            "maxMetadata",
            "bytes of a file's profile, texts and EXIF",
            default: ImageLimits.standard.maxMetadataBytes,
            in: 0...1 << 30
        )
    }

    private static var maxSeconds: Parameter<Int> {
        .writing(
            "maxSeconds",
            "seconds that decoding may take",
            default: ImageLimits.standard.maxSeconds,
            in: 1...86_400
        )
    }
}
