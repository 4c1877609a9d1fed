internal import Foundation
public import Transformable
public import TransformableImages

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
                return try WebPTransformer(options: WebPOptions(isLossless: true)).encode(image, in: .none)
            },
            remarks: \.warnings
        )
    }
}
