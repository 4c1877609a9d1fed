internal import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Returns the image in a different pixel format.
    ///
    /// Conversions to larger formats are exact: no alpha to opaque alpha, and 8 to 16 bits. Conversions to smaller
    /// formats round samples. A conversion between gray, RGB, and CMYK first converts the image to sRGB, as
    /// ``convertedToSRGB()`` does. It weights colors according to ITU-R BT.601.
    ///
    /// - Parameters:
    ///   - target: The pixel format to convert to.
    ///   - background: The color behind transparent pixels if alpha is removed.
    /// - Returns: The converted image, or the same image if it already has the format.
    /// - Throws: `TransformerError` if the file cannot be decoded, with the code `alpha-not-supported` if alpha would
    ///   be lost, or with the code `unsupported` for an animation in another format, or for a conversion to CMYK, which
    ///   requires a profile.
    public func converted(
        to target: PixelFormat,
        background: JPEGOptions.Background? = nil
    ) throws(TransformerError) -> Self {
        guard target != format else { return self }
        guard target != .cmyk8 else {
            throw TransformerError(.unsupported, "conversion to CMYK is not supported, because it depends on the inks")
        }
        guard !format.hasAlpha || target.hasAlpha || background != nil else {
            throw .alphaNotSupported(
                by: "the pixel format \(target.rawValue)",
                remedy: "flatten it first, with flatten(background: \"#ffffff\")"
            )
        }
        try checkIsStill()
        let isSameFamily = target.hasColor == format.hasColor && format != .cmyk8
        let image = isSameFamily ? self : try convertedToSRGB()
        return target == image.format ? image : try image.convertedSamples(to: target, background: background)
    }

    /// Returns the image in a different pixel format, which is not CMYK, with the same colors.
    func convertedSamples(
        to target: PixelFormat,
        background: JPEGOptions.Background?
    ) throws(TransformerError) -> Self {
        let back = WidePixel(background ?? JPEGOptions.Background(red: 0, green: 0, blue: 0))
        let rowSize = width * target.bytesPerPixel
        var bytes = Data(count: rowSize * height)
        try forEachRow { (y, row) throws(TransformerError) in
            var span = bytes.mutableSpan
            if format.hasAlpha, !target.hasAlpha {
                target.write(row.map { $0.flattened(on: back) }, to: &span, at: y * rowSize)
            } else {
                target.write(row, to: &span, at: y * rowSize)
            }
            return true
        }
        return try Self(width: width, height: height, format: target, pixels: bytes, metadata: metadata)
    }
}

extension WidePixel {
    init(_ color: JPEGOptions.Background) {
        self.init(
            red: color.red.toSixteenBits,
            green: color.green.toSixteenBits,
            blue: color.blue.toSixteenBits
        )
    }
}
