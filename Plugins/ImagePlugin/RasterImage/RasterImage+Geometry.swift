internal import Foundation
public import Transformable

extension RasterImage {
    /// The picture as it is to be viewed: turned and mirrored as its orientation says, which then is
    /// ``ImageOrientation/up``.
    ///
    /// - Returns: The turned image; itself if it lies right already.
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

    /// The picture in another size, by Lanczos's filter.
    ///
    /// - Parameters:
    ///   - newWidth: Pixels of a row, at least 1.
    ///   - newHeight: Rows, at least 1.
    /// - Returns: The image in the same format, with the same metadata; itself if it has the size already.
    /// - Throws: `TransformerError` with `invalid-value` for an impossible size, or if the file cannot be
    ///   decoded.
    public func resized(width newWidth: Int, height newHeight: Int) throws(TransformerError) -> Self {
        guard newWidth != width || newHeight != height else { return self }
        guard newWidth > 0, newHeight > 0, newWidth <= ImageLimits.standard.maxPixels / newHeight else {
            throw .invalidValue("an image is not resized to \(newWidth) × \(newHeight) pixels")
        }
        let pixels = try Resampler(self, width: newWidth, height: newHeight).pixels()
        return try Self(width: newWidth, height: newHeight, format: format, pixels: pixels, metadata: metadata)
    }

    /// A small picture for viewing: turned upright, no larger than a square, without personal metadata.
    ///
    /// A JPEG is scaled while it is decoded, which takes a fraction of the time. A picture that fits already
    /// is not enlarged.
    ///
    /// - Parameter side: The longest side in pixels, at least 1.
    /// - Returns: The small image in the same pixel format, with no metadata but its colour profile.
    /// - Throws: `TransformerError` with `invalid-value` for an impossible side, or if the file cannot be
    ///   decoded.
    public func thumbnail(fit side: Int) throws(TransformerError) -> Self {
        guard side > 0 else { throw .invalidValue("a thumbnail has at least one pixel a side, and not \(side)") }
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

    /// The image decoded at the smallest half, quarter or eighth that leaves the filter something to do.
    private func scaledOnDecoding(atLeast target: [Int]) throws(TransformerError) -> Self {
        guard let file = encoded, case .jpeg(let header) = file.header.details else { return self }
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
    /// Where a pixel of the upright picture lies in the stored one.
    ///
    /// - Parameters:
    ///   - x: The column in the upright picture.
    ///   - y: The row in the upright picture.
    ///   - width: Of the stored picture.
    ///   - height: Of the stored picture.
    /// - Returns: Column and row in the stored picture.
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
