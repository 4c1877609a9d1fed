internal import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Returns the image reduced until it is no larger than a box, with the same shape.
    ///
    /// The box refers to the image as it is viewed. A JPEG is scaled while it is decoded, which takes a fraction of the
    /// time.
    ///
    /// - Parameters:
    ///   - newWidth: The maximum width in pixels, at least 1, or nil for any width.
    ///   - newHeight: The maximum height in pixels, at least 1, or nil for any height.
    /// - Returns: The reduced and upright image, or the same image if it already fits.
    /// - Throws: `TransformerError` with the code `invalid-value` if the box is empty, with the code `unsupported` if the
    ///   image is an animation that does not fit, or if the file cannot be decoded.
    public func fitted(width newWidth: Int?, height newHeight: Int?) throws(TransformerError) -> Self {
        let viewed = viewedSize
        let (boxWidth, boxHeight) = (newWidth ?? viewed.width, newHeight ?? viewed.height)
        guard boxWidth > 0, boxHeight > 0 else {
            throw .invalidValue("an image cannot fit in \(boxWidth) × \(boxHeight) pixels")
        }
        guard viewed.width > boxWidth || viewed.height > boxHeight else { return self }
        try checkIsStill()
        let factor = min(Double(boxWidth) / Double(viewed.width), Double(boxHeight) / Double(viewed.height))
        return try scaled(by: factor).oriented().withoutThumbnail()
    }

    /// Returns the image scaled until it covers a box, without what is outside.
    ///
    /// The box refers to the image as it is viewed. The middle of the image is kept. An image that is smaller than the
    /// box is enlarged.
    ///
    /// - Parameters:
    ///   - newWidth: The width in pixels, at least 1.
    ///   - newHeight: The height in pixels, at least 1.
    /// - Returns: The upright image with the size of the box, or the same image if it already has this size.
    /// - Throws: `TransformerError` with the code `invalid-value` if the box is empty or too large, with the code
    ///   `unsupported` if the image is an animation of another size, or if the file cannot be decoded.
    public func covering(width newWidth: Int, height newHeight: Int) throws(TransformerError) -> Self {
        let viewed = viewedSize
        guard newWidth > 0, newHeight > 0, newWidth <= ImageLimits.standard.maxPixels / newHeight else {
            throw .invalidValue("an image cannot cover \(newWidth) × \(newHeight) pixels")
        }
        guard viewed != (newWidth, newHeight) else { return self }
        try checkIsStill()
        let factor = max(Double(newWidth) / Double(viewed.width), Double(newHeight) / Double(viewed.height))
        guard factor > 1 else {
            return try scaled(by: factor).oriented().cropped(width: newWidth, height: newHeight).withoutThumbnail()
        }
        // What is outside is removed first, because a narrow image would become very long.
        let kept = [newWidth, newHeight].map { Int((Double($0) / factor).rounded(.up)) }
        let part = try oriented().cropped(width: kept[0], height: kept[1])
        return try part.resized(width: newWidth, height: newHeight).withoutThumbnail()
    }

    /// Returns a part of the image that is no larger than a box.
    ///
    /// The box refers to the image as it is viewed. A side that is already smaller than the box is not changed.
    ///
    /// - Parameters:
    ///   - newWidth: The maximum width in pixels, at least 1.
    ///   - newHeight: The maximum height in pixels, at least 1.
    ///   - anchor: The part that is kept.
    /// - Returns: The upright part of the image, or the same image if it already fits.
    /// - Throws: `TransformerError` with the code `invalid-value` if the box is empty, with the code `unsupported` if the
    ///   image is an animation that does not fit, or if the file cannot be decoded.
    public func cropped(
        width newWidth: Int,
        height newHeight: Int,
        at anchor: ImageAnchor = .center
    ) throws(TransformerError) -> Self {
        guard newWidth > 0, newHeight > 0 else {
            throw .invalidValue("an image cannot be cropped to \(newWidth) × \(newHeight) pixels")
        }
        let viewed = viewedSize
        guard viewed.width > newWidth || viewed.height > newHeight else { return self }
        try checkIsStill()
        let (keptWidth, keptHeight) = (min(viewed.width, newWidth), min(viewed.height, newHeight))
        return try oriented()
            .part(
                x: (viewed.width - keptWidth) * anchor.horizontal / 2,
                y: (viewed.height - keptHeight) * anchor.vertical / 2,
                width: keptWidth,
                height: keptHeight
            )
            .withoutThumbnail()
    }

    /// Returns the image in front of an opaque color, so that it has no alpha.
    ///
    /// A color other than black or white is one of sRGB, so that the image is converted to sRGB first.
    ///
    /// - Parameter background: The color behind transparent pixels.
    /// - Returns: The image without alpha, or the same image if it has none. Gray on a color becomes RGB.
    /// - Throws: `TransformerError` with the code `unsupported` if the image is an animation with alpha, or if the file
    ///   cannot be decoded.
    public func flattened(background: JPEGOptions.Background) throws(TransformerError) -> Self {
        guard format.hasAlpha else { return self }
        let needsColor = format.hasColor || !WidePixel(background).isGray
        let target = PixelFormat(hasColor: needsColor, hasAlpha: false, bits: format.bitsPerSample)
        let image = [.black, .white].contains(background) ? self : try convertedToSRGB()
        return try image.converted(to: target, background: background)
    }
}

extension RasterImage {
    /// The width and the height of the image as it is viewed.
    var viewedSize: (width: Int, height: Int) {
        metadata.orientation.swapsSides ? (height, width) : (width, height)
    }

    /// Returns the pixels of a rectangle inside the image.
    private func part(x: Int, y: Int, width newWidth: Int, height newHeight: Int) throws(TransformerError) -> Self {
        let size = format.bytesPerPixel
        let pixels = try pixels
        var result = Data(capacity: newWidth * newHeight * size)
        for row in y..<y + newHeight {
            let start = pixels.startIndex + row * rowStride + x * size
            result.append(pixels[start..<start + newWidth * size])
        }
        return try Self(width: newWidth, height: newHeight, format: format, pixels: result, metadata: metadata)
    }

    /// Returns the image without the thumbnail and the previews in EXIF, which show what the image no longer contains.
    private func withoutThumbnail() -> Self {
        guard let exif = metadata.exif else { return self }
        var result = self
        result.metadata.exif = ExifStructure.removingThumbnail(from: exif)
        return result
    }
}

extension JPEGOptions.Background {
    /// Black.
    public static let black = Self(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = Self(red: 255, green: 255, blue: 255)
}
