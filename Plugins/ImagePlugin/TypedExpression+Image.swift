public import Transformable

extension TypedExpression where Value == RasterImage {
    /// An image as a PNG file.
    public static var png: Self { Self("png") }

    /// An image as a JPEG file.
    public static var jpeg: Self { Self("jpeg") }

    /// An image as a JPEG file.
    ///
    /// - Parameter quality: From 1, small and coarse, to 100.
    /// - Returns: The expression.
    public static func jpeg(quality: Int) -> Self { Self("jpeg(quality: \(quality))") }
}
