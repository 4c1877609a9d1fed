public import Transformable
public import TransformableImages

extension TypedExpression where Value == RasterImage {
    /// An image as a lossy WebP file.
    public static var webP: Self { Self("webp") }

    /// Returns an expression that stores an image as a WebP file.
    ///
    /// - Parameters:
    ///   - quality: The quality of a lossy file, from 0 (smallest) to 100 (best).
    ///   - lossless: Whether all pixels are kept exactly.
    ///   - unchanged: What to do with an unchanged WebP file.
    ///   - strip: Whether to remove location, time, device, and texts.
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
