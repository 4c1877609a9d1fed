public import Transformable
public import TransformableImages

extension TypedExpression where Value == RasterImage {
    /// An image as a PNG file.
    public static var png: Self { Self("png") }

    /// An image as a JPEG file.
    public static var jpeg: Self { Self("jpeg") }

    /// Returns an expression that stores an image as a JPEG file.
    ///
    /// - Parameters:
    ///   - quality: The quality, from 0 (smallest) to 100 (best).
    ///   - tolerant: Whether to accept the readable part of a damaged file.
    /// - Returns: The expression.
    public static func jpeg(quality: Int = 85, tolerant: Bool = false) -> Self {
        Self("jpeg(quality: \(quality), tolerant: \(tolerant))")
    }

    /// An image as its original file, PNG or JPEG.
    public static var image: Self { Self("image") }

    /// Returns an expression that stores an image as its original file, PNG or JPEG.
    ///
    /// - Parameters:
    ///   - strip: Whether to remove location, time, device, thumbnail, and texts.
    ///   - tolerant: Whether to accept the readable part of a damaged JPEG.
    /// - Returns: The expression.
    public static func image(strip: Bool = false, tolerant: Bool = false) -> Self {
        Self("image(strip: \(strip), tolerant: \(tolerant))")
    }
}
