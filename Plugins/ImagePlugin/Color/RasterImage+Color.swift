internal import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Returns the image in sRGB, without a color profile.
    ///
    /// The first usable definition of the image's colors applies: code points, an ICC profile, sRGB, or gamma and
    /// chromaticities. If there is none, EXIF may say that the colors are in Adobe RGB. An image without any of
    /// them is already in sRGB.
    ///
    /// Gray stays gray, and CMYK becomes RGB. CMYK without a usable profile is treated as ideal inks. Light that
    /// is brighter than white, which code points can define, is compressed, so that highlights keep their detail.
    ///
    /// - Returns: The converted image with the same number of bits per sample, and with the same alpha.
    /// - Throws: `TransformerError` with the code `unsupported` if the image is an animation in other colors, or if the
    ///   file cannot be decoded.
    public func convertedToSRGB() throws(TransformerError) -> Self {
        var result = metadata
        result.colorProfile = ColorProfile()
        if let pixels = try pixelsInSRGB() {
            try checkIsStill()
            result.exif = ExifStructure.settingSRGB(in: result.exif)
            return try Self(width: width, height: height, format: format.inSRGB, pixels: pixels, metadata: result)
        }
        // What EXIF says did not apply to the image, but would apply to the result.
        if result.isAdobeRGB { result.exif = ExifStructure.settingSRGB(in: result.exif) }
        var copy = self
        if copy.metadata != result { copy.metadata = result }
        return format == .cmyk8 ? try copy.convertedSamples(to: .rgb8, background: nil) : copy
    }

    /// Returns the pixels of the image in sRGB, or nil if its samples are already in sRGB.
    private func pixelsInSRGB() throws(TransformerError) -> Data? {
        let profile = metadata.colorProfile
        if format != .cmyk8, let numbers = profile.codePoints.flatMap({ ColorNumbers($0) }) {
            if profile.codePoints?.isSRGB == true { return nil }
            if let transform = ColorTransform(numbers, for: format) { return try transform.converted(self) }
        }
        if let icc = profile.icc, let transform = ColorTransform(icc, for: format) {
            return try transform.converted(self)
        }
        guard format != .cmyk8, profile.renderingIntent == nil, let numbers = otherNumbers(profile),
            let transform = ColorTransform(numbers, for: format)
        else { return nil }
        return try transform.converted(self)
    }

    private func otherNumbers(_ profile: ColorProfile) -> ColorNumbers? {
        if let numbers = ColorNumbers(gamma: profile.gamma, chromaticities: profile.chromaticities) { return numbers }
        return metadata.isAdobeRGB && format.hasColor ? .adobeRGB : nil
    }
}

extension RasterImage {
    /// Returns the image with colors that a JPEG can define, which are those of an ICC profile or of sRGB.
    ///
    /// - Returns: The image in sRGB if its colors are defined by code points, or by gamma and chromaticities.
    /// - Throws: `TransformerError` with the code `unsupported` if the colors cannot be converted, or if the file cannot
    ///   be decoded.
    func withColorsOfJPEG() throws(TransformerError) -> Self {
        let profile = metadata.colorProfile
        if let points = profile.codePoints, profile.definesColorsByCodePoints(format) {
            guard ColorNumbers(points) != nil else { throw .unsupportedColors(points, in: "a JPEG") }
            return try convertedToSRGB()
        }
        guard profile.icc == nil, format != .cmyk8 || profile.renderingIntent == nil, profile != ColorProfile()
        else { return self }
        return try convertedToSRGB()
    }

    /// Returns the image in sRGB, for a format that cannot define colors.
    ///
    /// - Parameter format: What cannot define colors, such as “a PAM file”.
    /// - Returns: The image in sRGB, in RGB if its format was CMYK.
    /// - Throws: `TransformerError` with the code `unsupported` if the colors cannot be converted, or if the file cannot
    ///   be decoded.
    func withoutColorProfile(for format: String) throws(TransformerError) -> Self {
        let profile = metadata.colorProfile
        if let points = profile.codePoints, profile.definesColorsByCodePoints(self.format) {
            guard ColorNumbers(points) != nil else { throw .unsupportedColors(points, in: format) }
        }
        return try convertedToSRGB()
    }
}

extension ColorProfile {
    /// Whether a JPEG file that is kept would show other colors, because it has no place for what defines them.
    func isLostInJPEG(_ format: PixelFormat) -> Bool {
        if definesColorsByCodePoints(format) { return icc != nil || codePoints?.isSRGB == false }
        return icc == nil && format != .cmyk8 && !isStandard
    }

    /// Whether there are code points that take precedence over a profile, which those of inks do not.
    fileprivate func definesColorsByCodePoints(_ format: PixelFormat) -> Bool {
        codePoints != nil && (format != .cmyk8 || icc == nil)
    }
}

extension TransformerError {
    fileprivate static func unsupportedColors(_ points: ColorCodePoints, in format: String) -> Self {
        Self(
            .unsupported,
            "the code points \(points.primaries)/\(points.transfer)/\(points.matrix) of the image's colors are not supported, "
                + "and \(format) cannot contain them; store the image as png, or set another color profile"
        )
    }
}
