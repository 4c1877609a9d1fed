internal import Foundation
public import Transformable
internal import TransformableImages

/// A plugin for images in PNG and JPEG files, based on libpng and libjpeg-turbo.
public struct ImagePlugin: TransformerPlugin {
    /// The plugin's name, “image”.
    public let name = "image"

    /// Creates the plugin.
    public init() {}

    /// The transformers `png`, `jpeg`, and `image`, the stages before them, and the projections of images.
    public var registrations: [Registration] {
        png
        jpeg
        image
        stages
        projections
    }

    /// The inspectors of PNG and JPEG files, and of formats that can only be recognized.
    public var inspectors: [Inspector] {
        [.png, .jpeg] + Inspector.unreadable
    }

    private var png: Registration {
        .family(
            "png",
            default: RasterImage.self,
            summary: "an image as a PNG file, without loss",
            form: .image,
            .writing("compression", "the level, from 0 (none) to 9 (smallest)", default: 6, in: 0...9),
            .writing(
                "filter",
                "the filter of rows; auto tries several on a sample",
                default: PNGOptions.Filter.automatic
            ),
            .writing("interlaced", "whether rows are stored in seven passes", default: false),
            .writing("palette", "auto uses the type with the smallest file", default: PNGOptions.Palette.automatic),
            Self.strip,
            Self.tolerant,
            Self.maxPixels,
            Self.maxMetadata,
            Self.maxSeconds
        ) { request, compression, filter, interlaced, palette, strip, tolerant, maxPixels, maxMetadata, maxSeconds in
            let png = PNGTransformer(
                options: PNGOptions(
                    compression: compression,
                    filter: filter,
                    isInterlaced: interlaced,
                    palette: palette
                ),
                limits: ImageLimits(maxPixels: maxPixels, maxMetadataBytes: maxMetadata, maxSeconds: maxSeconds),
                isStripping: strip,
                isTolerant: tolerant
            )
            return Self.converting(png, limits: png.limits, isTolerant: tolerant, in: request)
        }
    }

    private var jpeg: Registration {
        .family(
            "jpeg",
            default: RasterImage.self,
            summary: "an image as a JPEG file, with loss",
            form: .image,
            .writing("quality", "from 0 (smallest) to 100 (best)", default: 85, in: 0...100),
            .writing(
                "subsampling",
                "how much the color resolution is reduced",
                default: JPEGOptions.Subsampling.quarter
            ),
            .writing("progressive", "whether detail increases from scan to scan", default: false),
            .writing("optimized", "whether codes are optimized for the image", default: true),
            Self.background,
            .writing("unchanged", "what to do with an unchanged JPEG file", default: UnchangedFile.keep),
            .writing("lossless", "what to improve in a file that is kept", default: JPEGRewriting.never),
            Self.strip,
            Self.tolerant,
            Self.maxPixels,
            Self.maxMetadata,
            .writing(
                "maxScans",
                "the maximum number of scans of a progressive file",
                default: ImageLimits.standard.maxScans,
                in: 1...100_000
            ),
            Self.maxSeconds
        ) {
            request,
            quality,
            subsampling,
            progressive,
            optimized,
            background,
            unchanged,
            lossless,
            strip,
            tolerant,
            maxPixels,
            maxMetadata,
            maxScans,
            seconds in
            let jpeg = JPEGTransformer(
                options: JPEGOptions(
                    quality: quality,
                    subsampling: subsampling,
                    isProgressive: progressive,
                    isOptimized: optimized,
                    background: background
                ),
                unchanged: unchanged,
                rewriting: lossless,
                isStripping: strip,
                limits: ImageLimits(
                    maxPixels: maxPixels,
                    maxMetadataBytes: maxMetadata,
                    maxScans: maxScans,
                    maxSeconds: seconds
                ),
                isTolerant: tolerant
            )
            return Self.converting(jpeg, limits: jpeg.limits, isTolerant: tolerant, in: request)
        }
    }

    private var image: Registration {
        Registration(
            "image",
            summary: "an image as its original file, PNG or JPEG",
            form: .image,
            Self.strip,
            Self.tolerant,
            .writing("unknown", "what to do with other formats, such as GIF", default: UnknownFormat.refuse),
            Self.maxPixels,
            Self.maxMetadata,
            Self.maxSeconds
        ) { strip, tolerant, unknown, maxPixels, maxMetadata, maxSeconds in
            ImageTransformer(
                isStripping: strip,
                limits: ImageLimits(maxPixels: maxPixels, maxMetadataBytes: maxMetadata, maxSeconds: maxSeconds),
                isTolerant: tolerant,
                unknown: unknown
            )
        }
    }
}

extension ImagePlugin {
    /// Returns the transformer for images, or one that converts files if it follows a stage that gives files, such as
    /// `image(strip: true)`.
    private static func converting(
        _ transformer: some Transformer<RasterImage, Data>,
        limits: ImageLimits,
        isTolerant: Bool,
        in request: FamilyRequest
    ) -> any OneWayTransformer {
        guard request.valueType == Data.self else { return transformer }
        return ImageFileConverter(transformer, limits: limits, isTolerant: isTolerant)
    }

    private static var strip: Parameter<Bool> {
        .writing("strip", "whether to remove location, time, device, thumbnail, and text", default: false)
    }

    private static var background: Parameter<JPEGOptions.Background?> {
        .writing("background", "the color behind transparent pixels", default: JPEGOptions.Background?.none)
    }

    private static var tolerant: Parameter<Bool> {
        .writing("tolerant", "whether to accept the readable part of a damaged file", default: false)
    }

    private static var maxPixels: Parameter<Int> {
        .writing("maxPixels", "the maximum number of pixels", default: ImageLimits.standard.maxPixels, in: 1...1 << 40)
    }

    private static var maxMetadata: Parameter<Int> {
        .writing(
            "maxMetadata",
            "the maximum size of the profile, text, and EXIF in bytes",
            default: ImageLimits.standard.maxMetadataBytes,
            in: 0...1 << 30
        )
    }

    private static var maxSeconds: Parameter<Int> {
        .writing(
            "maxSeconds",
            "the maximum time for decoding in seconds",
            default: ImageLimits.standard.maxSeconds,
            in: 1...86_400
        )
    }
}

extension Inspector {
    /// An inspector of PNG files.
    static let png = image(.png)

    /// An inspector of JPEG files.
    static let jpeg = image(.jpeg)

    /// Inspectors of formats that can be recognized, but not read.
    static let unreadable = ImageFileFormat.allCases.filter { $0 != .png && $0 != .jpeg }
        .map { format in
            Inspector("\(format.title) image") { bytes in
                guard ImageFileFormat(detecting: bytes) == format else { return nil }
                let size = ImageFileSize.read(bytes, format: format)
                let facts = [
                    size.map { Inspection.Fact("width", "\($0.width)") },
                    size.map { Inspection.Fact("height", "\($0.height)") },
                    Inspection.Fact("warning", TransformerError.unreadable(format).message),
                ]
                return Inspection("\(format.title) image", facts: facts.compactMap { $0 })
            }
        }

    private static func image(_ format: ImageFileFormat) -> Inspector {
        let kind = "\(format.title) image"
        return Inspector(kind) { bytes in
            guard ImageFileFormat(detecting: bytes) == format else { return nil }
            return Inspection(kind, facts: try facts(of: bytes))
        }
    }

    /// Returns facts about a file, even if it is damaged, as far as it can be read.
    private static func facts(of bytes: Data) throws(TransformerError) -> [Inspection.Fact] {
        do throws(TransformerError) {
            return ImageFacts(try RasterImage(encoded: bytes)).all
        } catch {
            guard let image = try? RasterImage(encoded: bytes, options: ImageReadingOptions(isTolerant: true)) else {
                throw error
            }
            return ImageFacts(image).all + [Inspection.Fact("warning", error.message)]
        }
    }
}
