internal import Foundation
internal import Transformable

extension RasterImage: Equatable {
    /// Returns whether two images have the same size, pixels, and metadata.
    ///
    /// The formats can differ if the pixels are the same: gray in gray and in RGB, opaque with and without alpha, or 8
    /// bits and their equivalent in 16 bits. Images of the same file are equal without being decoded. An image whose
    /// file cannot be decoded is equal only to images of the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.width == right.width, left.height == right.height else { return false }
        guard (left.format == .cmyk8) == (right.format == .cmyk8), left.metadata == right.metadata else { return false }
        if let leftFile = left.encoded, let rightFile = right.encoded, leftFile.bytes == rightFile.bytes,
            leftFile.options.isTolerant == rightFile.options.isTolerant
        {
            return true
        }
        guard let leftPixels = try? left.pixels, let rightPixels = try? right.pixels else { return false }
        if left.format == right.format {
            return left.hasSameBytes(leftPixels, as: rightPixels, stride: right.rowStride)
        }
        return left.showsTheSame(leftPixels, as: right, rightPixels)
    }

    private func hasSameBytes(_ pixels: Data, as others: Data, stride: Int) -> Bool {
        let rowSize = width * format.bytesPerPixel
        if rowStride == rowSize, stride == rowSize {
            return pixels.prefix(rowSize * height) == others.prefix(rowSize * height)
        }
        return (0..<height)
            .allSatisfy { row in
                pixels.dropFirst(row * rowStride).prefix(rowSize) == others.dropFirst(row * stride).prefix(rowSize)
            }
    }

    private func showsTheSame(_ pixels: Data, as other: Self, _ others: Data) -> Bool {
        var left = [WidePixel](repeating: WidePixel(bits: 0), count: width)
        var right = left
        return (0..<height)
            .allSatisfy { row in
                readRow(row, of: pixels, into: &left)
                other.readRow(row, of: others, into: &right)
                return left == right
            }
    }
}
