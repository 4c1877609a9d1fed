internal import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Returns the image as it is viewed, rotated and mirrored according to its orientation, which is then
    /// ``ImageOrientation/up``.
    ///
    /// - Returns: The upright image, or the same image if it is already upright.
    /// - Throws: `TransformerError` if the file cannot be decoded.
    public func oriented() throws(TransformerError) -> Self {
        let orientation = metadata.orientation
        guard orientation != .up else { return self }
        var result = metadata
        result.orientation = .up
        let (newWidth, newHeight) = orientation.swapsSides ? (height, width) : (width, height)
        let turned = try turned(by: orientation, width: newWidth, height: newHeight)
        return try Self(width: newWidth, height: newHeight, format: format, pixels: turned, metadata: result)
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
        var at = 0
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (oldX, oldY) = orientation.origin(x, y, width: width, height: height)
                let from = oldY * rowStride + oldX * size
                for byte in 0..<size { target[at + byte] = source[from + byte] }
                at += size
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
    /// - Throws: `TransformerError` with the code `invalid-value` if the size is invalid, or if the file cannot be
    ///   decoded.
    public func resized(width newWidth: Int, height newHeight: Int) throws(TransformerError) -> Self {
        guard newWidth != width || newHeight != height else { return self }
        guard newWidth > 0, newHeight > 0, newWidth <= ImageLimits.standard.maxPixels / newHeight else {
            throw .invalidValue("an image cannot be resized to \(newWidth) × \(newHeight) pixels")
        }
        let pixels = try Resampler(self, width: newWidth, height: newHeight).pixels()
        return try Self(width: newWidth, height: newHeight, format: format, pixels: pixels, metadata: metadata)
    }

    /// Returns a small version of the image for viewing: upright, no larger than a square, and without personal
    /// metadata.
    ///
    /// A JPEG is scaled while it is decoded, which takes a fraction of the time. An image that is already small enough
    /// is not enlarged.
    ///
    /// - Parameter side: The maximum width and height in pixels, which is at least 1.
    /// - Returns: The small image in the same pixel format. Its only metadata is the color profile.
    /// - Throws: `TransformerError` with the code `invalid-value` if `side` is invalid, or if the file cannot be
    ///   decoded.
    public func thumbnail(fit side: Int) throws(TransformerError) -> Self {
        guard side > 0 else { throw .invalidValue("a thumbnail must have at least one pixel per side, not \(side)") }
        let longest = max(width, height)
        let scale = min(1, Double(side) / Double(longest))
        let target = [width, height].map { max(1, Int((Double($0) * scale).rounded())) }
        var small = try scaledOnDecoding(atLeast: target).resized(width: target[0], height: target[1])
        small.metadata = ImageMetadata(colorProfile: metadata.colorProfile)
        small.metadata.orientation = metadata.orientation
        small = try small.oriented()
        small.metadata.exif = nil
        return small
    }

    /// Returns the image decoded at the smallest scale (a half, a quarter, or an eighth) that still has to be reduced.
    private func scaledOnDecoding(atLeast target: [Int]) throws(TransformerError) -> Self {
        guard let file = encoded, let header = file.header as? JPEGHeader else { return self }
        let fitting = [1, 2, 4]
            .first { eighths in
                let size = header.scaledSize(eighths: eighths)
                return size.width * 2 >= target[0] * 3 && size.height * 2 >= target[1] * 3
            }
        guard let eighths = fitting else { return self }
        let (width, height) = header.scaledSize(eighths: eighths)
        let decoded = try header.decodePixels(file, eighths: eighths)
        return try Self(width: width, height: height, format: format, pixels: decoded.pixels)
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
