internal import Foundation
internal import Transformable
internal import TransformableImages

/// The header of a file whose pixels and metadata the plugin cannot read.
struct UnreadableFileHeader: ImageFileHeader {
    let format: ImageFileFormat
    let width: Int
    let height: Int

    /// The format is unknown, but an image must have one.
    var pixelFormat: PixelFormat { .rgba8 }
    var facts: [Inspection.Fact] { [] }

    init(_ bytes: Data, format: ImageFileFormat, limits: ImageLimits) throws(TransformerError) {
        guard let (width, height) = ImageFileSize.read(bytes, format: format), width > 0, height > 0 else {
            throw .damaged(format, "its width and height cannot be found")
        }
        guard width <= limits.maxPixels / height else {
            throw .tooManyPixels(width, height, limit: limits.maxPixels)
        }
        self.format = format
        self.width = width
        self.height = height
    }

    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        throw .unreadable(format)
    }

    func readMetadata(_ file: EncodedImage) -> ReadMetadata {
        ReadMetadata(warnings: ["the pixels and metadata of \(format.title) files cannot be read"])
    }

    func checkStructure(_ file: EncodedImage) {}

    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data {
        throw TransformerError(
            .unsupported,
            "the metadata of \(format.title) files cannot be changed or removed; convert the image to PNG or JPEG"
        )
    }
}

extension TransformerError {
    /// Returns the error for a file of a format that the plugin recognizes but does not read.
    static func unreadable(_ format: ImageFileFormat) -> Self {
        let plugin = format == .webp ? " use the transformer webp of WebPPlugin," : ""
        return Self(
            .unsupported,
            "the pixels of \(format.title) files cannot be read;\(plugin) convert the image to PNG or JPEG, or keep the"
                + " file as it is with “image(unknown: keep)”"
        )
    }
}
