internal import Foundation
internal import Transformable
internal import TransformableImages

extension RasterImage {
    /// Returns the image with colors that a JPEG can define, which are those of an ICC profile or of sRGB.
    ///
    /// - Returns: The image in sRGB if its colors are defined by code points, or by gamma and chromaticities.
    /// - Throws: `TransformerError` with the code `unsupported` if the colors cannot be converted, or if the file cannot
    ///   be decoded.
    func withColorsOfJPEG() throws(TransformerError) -> Self {
        let profile = metadata.colorProfile
        guard profile.icc == nil, profile.codePoints != nil || profile.renderingIntent == nil else { return self }
        guard profile.codePoints != nil || profile.gamma != nil || profile.chromaticities != nil else { return self }
        if let points = profile.codePoints, ColorNumbers(points) == nil {
            throw TransformerError(
                .unsupported,
                "the code points \(points.primaries)/\(points.transfer)/\(points.matrix) of the image's colors are not supported, "
                    + "and a JPEG cannot contain them; store the image as png, or set another color profile"
            )
        }
        return try convertedToSRGB()
    }
}
