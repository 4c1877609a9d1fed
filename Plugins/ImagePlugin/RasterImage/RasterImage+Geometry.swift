internal import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Returns the image as it is viewed, rotated and mirrored according to its orientation, which is then
    /// `ImageOrientation.up`.
    ///
    /// If width and height are exchanged, so are the horizontal and the vertical density.
    ///
    /// - Returns: The upright image, or the same image if it is already upright.
    /// - Throws: `TransformerError` with the code `unsupported` if the image is an animation and not upright, or if the
    ///   file cannot be decoded.
    public func oriented() throws(TransformerError) -> Self {
        let orientation = metadata.orientation
        guard orientation != .up else { return self }
        try checkIsStill()
        let (newWidth, newHeight) = orientation.swapsSides ? (height, width) : (width, height)
        let turned = try turned(by: orientation, width: newWidth, height: newHeight)
        return try Self(width: newWidth, height: newHeight, format: format, pixels: turned, metadata: metadata.upright)
    }

    private func turned(
        by orientation: ImageOrientation,
        width newWidth: Int,
        height newHeight: Int
    ) throws(TransformerError) -> Data {
        let size = format.bytesPerPixel
        let pixels = try pixels
        let source = pixels.span
        var result = Data(count: newWidth * newHeight * size)
        var target = result.mutableSpan
        func offset(_ x: Int, _ y: Int) -> Int {
            let (oldX, oldY) = orientation.origin(x, y, width: width, height: height)
            return oldY * rowStride + oldX * size
        }
        // Neighbors in a new row are equally far apart in the old image.
        let step = offset(1, 0) - offset(0, 0)
        var at = 0
        for y in 0..<newHeight {
            var from = offset(0, y)
            for _ in 0..<newWidth {
                for byte in 0..<size { target[at + byte] = source[from + byte] }
                at += size
                from += step
            }
        }
        return result
    }

    /// Returns the image in a different size, using a Lanczos filter.
    ///
    /// - Parameters:
    ///   - newWidth: The width in pixels, which is at least 1.
    ///   - newHeight: The height in pixels, which is at least 1.
    /// - Returns: The resized image with the same format and metadata, or the same image if it already has the size.
    /// - Throws: `TransformerError` with the code `invalid-value` if the size is invalid, with the code `unsupported` if
    ///   the image is an animation of another size, or if the file cannot be decoded.
    public func resized(width newWidth: Int, height newHeight: Int) throws(TransformerError) -> Self {
        guard newWidth != width || newHeight != height else { return self }
        guard newWidth > 0, newHeight > 0, newWidth <= ImageLimits.standard.maxPixels / newHeight else {
            throw .invalidValue("an image cannot be resized to \(newWidth) × \(newHeight) pixels")
        }
        try checkIsStill()
        return try resampled(width: newWidth, height: newHeight)
    }

    /// Returns a part of the image, from the upper left, in a different size.
    ///
    /// - Parameters:
    ///   - newWidth: The width in pixels, which is at least 1.
    ///   - newHeight: The height in pixels, which is at least 1.
    ///   - extent: The part to return. By default, it is the whole image.
    ///   - gap: How many times the new size the filter works on at least. Blocks of pixels are averaged first if that
    ///     much remains. By default, the filter works on the pixels themselves.
    /// - Returns: The part in its new size, with the same format and metadata.
    /// - Throws: `TransformerError` if the file cannot be decoded.
    private func resampled(
        width newWidth: Int,
        height newHeight: Int,
        extent: (width: Double, height: Double)? = nil,
        gap: Double = .infinity
    ) throws(TransformerError) -> Self {
        let extent = extent ?? (Double(width), Double(height))
        let ratios = (extent.width / Double(newWidth), extent.height / Double(newHeight))
        var resampler = Resampler(
            format,
            width: width,
            height: height,
            newWidth: newWidth,
            newHeight: newHeight,
            extent: extent,
            block: BlockSize(ratios: ratios, gap: gap)
        )
        try forEachRowOfBytes { resampler.append($0) }
        return try Self(
            width: newWidth,
            height: newHeight,
            format: format,
            pixels: resampler.pixels,
            metadata: metadata
        )
    }

    /// Calls `body` with the bytes of each row, from the top.
    ///
    /// A large PNG that is not in memory is decoded row by row, and stays out of memory.
    private func forEachRowOfBytes(_ body: (Span<UInt8>) -> Void) throws(TransformerError) {
        let rowSize = width * format.bytesPerPixel
        if !isDecoded, rowSize * height > Self.largestCopy, let file = encoded, !file.options.isTolerant,
            let header = file.header as? PNGHeader, !header.isInterlaced
        {
            return try header.decodeRows(file, body)
        }
        let pixels = try pixels
        for y in 0..<height {
            body(pixels.span.extracting(y * rowStride..<y * rowStride + rowSize))
        }
    }

    /// The number of bytes of a picture that is decoded as a whole, because it may be needed again.
    private static var largestCopy: Int { 16 << 20 }

    /// Returns a small version of the image for viewing: upright, no larger than a square, in sRGB, and without
    /// metadata.
    ///
    /// A JPEG is scaled while it is decoded, which takes a fraction of the time. An image that is already small enough
    /// is not enlarged. The thumbnail of an animation shows its first frame.
    ///
    /// - Parameter side: The maximum width and height in pixels, which is at least 1.
    /// - Returns: The small image in the same pixel format, or in RGB if the format is CMYK.
    /// - Throws: `TransformerError` with the code `invalid-value` if `side` is invalid, or if the file cannot be
    ///   decoded.
    public func thumbnail(fit side: Int) throws(TransformerError) -> Self {
        guard side > 0 else { throw .invalidValue("a thumbnail must have at least one pixel per side, not \(side)") }
        let factor = min(1, Double(side) / Double(max(width, height)))
        var small = try scaled(by: factor).firstFrame().convertedToSRGB().oriented()
        small.metadata = ImageMetadata()
        return small
    }

    /// Returns the image with its sides multiplied by a factor of at most 1, and rounded.
    ///
    /// A JPEG is scaled while it is decoded. Of other images, blocks of pixels are averaged if at least twice the new
    /// size remains for the filter, as Pillow's `thumbnail` does. Of an animation, only the first frame is left.
    func scaled(by factor: Double) throws(TransformerError) -> Self {
        let newWidth = max(1, Int((Double(width) * factor).rounded()))
        let newHeight = max(1, Int((Double(height) * factor).rounded()))
        guard newWidth != width || newHeight != height else { return self }
        guard let file = encoded, let header = file.header as? JPEGHeader,
            let eighths = header.scale(forAtLeast: newWidth * 2, newHeight * 2)
        else { return try resampled(width: newWidth, height: newHeight, gap: 2) }
        let size = header.scaledSize(eighths: eighths)
        let pixels = try header.decodePixels(file, eighths: eighths).pixels
        // libjpeg rounds the size up. What it adds on the right and below is not part of the image.
        let extent = (Double(width * eighths) / 8, Double(height * eighths) / 8)
        return try Self(width: size.width, height: size.height, format: format, pixels: pixels, metadata: metadata)
            .resampled(width: newWidth, height: newHeight, extent: extent, gap: 2)
    }
}

extension JPEGHeader {
    /// Returns the smallest scale (one, two, or four eighths) at which the image is decoded with at least a size, or nil
    /// if it is too small.
    ///
    /// Thumbnails require twice their size, because libjpeg's scaling is not as sharp as the filter that follows.
    fileprivate func scale(forAtLeast newWidth: Int, _ newHeight: Int) -> Int? {
        [1, 2, 4]
            .first { eighths in
                let size = scaledSize(eighths: eighths)
                return size.width >= newWidth && size.height >= newHeight
            }
    }
}

extension ImageOrientation {
    /// Returns the position of a pixel of the upright image in the stored image.
    ///
    /// - Parameters:
    ///   - x: The column in the upright image.
    ///   - y: The row in the upright image.
    ///   - width: The width of the stored image.
    ///   - height: The height of the stored image.
    /// - Returns: The column and the row in the stored image.
    fileprivate func origin(_ x: Int, _ y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .up: (x, y)
        case .upMirrored: (width - 1 - x, y)
        case .down: (width - 1 - x, height - 1 - y)
        case .downMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (y, height - 1 - x)
        case .rightMirrored: (width - 1 - y, height - 1 - x)
        case .left: (width - 1 - y, x)
        }
    }
}
