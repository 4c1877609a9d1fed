public import Transformable
public import TransformableImages

extension TypedExpression where Value == RasterImage {
    /// An image as a PNG file.
    public static var png: Self { Self("png") }

    /// Returns an expression that stores an image as a PNG file.
    ///
    /// - Parameters:
    ///   - strip: Whether to remove location, time, device, thumbnail, and text.
    ///   - tolerant: Whether to accept the readable part of a damaged file.
    /// - Returns: The expression.
    public static func png(strip: Bool = false, tolerant: Bool = false) -> Self {
        Self("png(strip: \(strip), tolerant: \(tolerant))")
    }

    /// An image as a JPEG file.
    public static var jpeg: Self { Self("jpeg") }

    /// Returns an expression that stores an image as a JPEG file.
    ///
    /// - Parameters:
    ///   - quality: The quality, from 0 (smallest) to 100 (best).
    ///   - unchanged: What to do with an unchanged JPEG file.
    ///   - lossless: What to improve in a file that is kept.
    ///   - strip: Whether to remove location, time, device, thumbnail, and text.
    ///   - tolerant: Whether to accept the readable part of a damaged file.
    /// - Returns: The expression.
    public static func jpeg(
        quality: Int = 85,
        unchanged: UnchangedFile = .keep,
        lossless: JPEGRewriting = .never,
        strip: Bool = false,
        tolerant: Bool = false
    ) -> Self {
        let kept = "unchanged: \(unchanged.rawValue), lossless: \(lossless.rawValue)"
        return Self("jpeg(quality: \(quality), \(kept), strip: \(strip), tolerant: \(tolerant))")
    }

    /// An image as its original file, PNG or JPEG.
    public static var image: Self { Self("image") }

    /// Returns an expression that stores an image as its original file, PNG or JPEG.
    ///
    /// - Parameters:
    ///   - strip: Whether to remove location, time, device, thumbnail, and text.
    ///   - tolerant: Whether to accept the readable part of a damaged file.
    ///   - unknown: What to do with a file of a format that cannot be read.
    /// - Returns: The expression.
    public static func image(
        strip: Bool = false,
        tolerant: Bool = false,
        unknown: UnknownFormat = .refuse
    ) -> Self {
        Self("image(strip: \(strip), tolerant: \(tolerant), unknown: \(unknown.rawValue))")
    }

    /// Returns an expression that changes an image before it is stored.
    ///
    /// ```swift
    /// .stages(.fit(width: 1024, height: 1024), .strip, then: .jpeg(quality: 80))
    /// ```
    ///
    /// - Parameters:
    ///   - stages: The changes, in order.
    ///   - ending: The expression that stores the changed image.
    /// - Returns: The expression.
    public static func stages(_ stages: ImageStage.Operation..., then ending: Self) -> Self {
        Self((stages.map(\.expression) + [ending.text]).joined(separator: " | "))
    }
}
