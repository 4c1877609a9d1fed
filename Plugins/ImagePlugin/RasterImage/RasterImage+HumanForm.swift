internal import Foundation
public import Transformable
public import TransformableImages

extension HumanForm where Value == RasterImage {
    /// The human-readable form of an image: a PNG, JPEG, PGM, PPM, or PAM file.
    ///
    /// A file that is given is encoded again if the arguments of an encoder require it. An image is printed in the
    /// requested format, which is `png`, `jpg`, `jpeg`, `pam`, `pgm`, `ppm`, or `pnm`. The default is PAM.
    public static var image: Self { image(ImageReadingOptions()) }

    /// Returns the form with a transformer's limits and tolerance.
    ///
    /// - Parameters:
    ///   - options: The limits and the tolerance.
    ///   - remarks: A closure that returns further remarks about an image.
    /// - Returns: The form.
    static func image(
        _ options: ImageReadingOptions,
        remarks: @escaping @Sendable (RasterImage) -> [String] = { _ in [] }
    ) -> Self {
        Self(
            isText: false,
            parse: { try ImageForm.parse($0, options: options) },
            print: { try ImageForm.print($0, format: $1, limits: options.limits) },
            remarks: { $0.warnings + remarks($0) }
        )
    }
}

private enum ImageForm {
    static func parse(_ bytes: Data, options: ImageReadingOptions) throws(TransformerError) -> RasterImage {
        var options = options
        options.yieldsToArguments = true
        if AnymapReader.recognizes(bytes) {
            var reader = AnymapReader(bytes, limits: options.limits)
            return try reader.read()
        }
        guard ImageFileFormat(detecting: bytes) != nil else {
            throw .invalidData(
                "the input is not a PNG, JPEG, PGM, PPM, or PAM file",
                offset: 0
            )
        }
        return try RasterImage(encoded: bytes, options: options)
    }

    static func print(
        _ image: RasterImage,
        format: String?,
        limits: ImageLimits
    ) throws(TransformerError) -> Data {
        if let file = image.encoded, file.header is UnreadableFileHeader, format.map(file.format.hasExtension) ?? true {
            return file.bytes
        }
        // The file may have been read by another transformer, whose limits were raised.
        let limits = (image.encoded?.options.limits ?? limits).forPrinting
        // A caller that asked for the first frame of an animation in another format knows that the others are left out.
        let image = image.encoded?.options.takesFirstFrame == true ? try image.firstFrame() : image
        switch format {
        case "pam", nil: return try AnymapWriter(kind: .pam).write(image)
        case "pgm", "ppm", "pnm": return try AnymapWriter(kind: .pnm).write(image)
        case "png":
            let image = image.format == .cmyk8 ? try image.converted(to: .rgb8) : image
            // A damaged file is detected before it is passed on.
            _ = try image.pixels
            return try PNGTransformer(limits: limits, isTolerant: true).encode(image, in: .none)
        case "jpg", "jpeg":
            _ = try image.pixels
            return try JPEGTransformer(limits: limits, isTolerant: true).encode(image, in: .none)
        case .some(let format):
            throw TransformerError(.unsupported, "an image cannot be written as “\(format)”; use png, jpg, or pam")
        }
    }
}

extension ImageFileFormat {
    /// Returns whether files of the format have an extension, which is in lowercase.
    fileprivate func hasExtension(_ text: String) -> Bool {
        text == rawValue || self == .tiff && text == "tif" || self == .heic && text == "heif"
    }
}
