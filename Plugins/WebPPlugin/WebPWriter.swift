internal import CWebPShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// Writes an image as a WebP file.
struct WebPWriter {
    /// The maximum width and height (RFC 9649, section 2.5).
    private static let longestSide = 16_383

    let options: WebPOptions

    func write(_ image: RasterImage) throws(TransformerError) -> Data {
        guard image.width <= Self.longestSide, image.height <= Self.longestSide else {
            throw .invalidValue(
                "a WebP file can have at most \(Self.longestSide) pixels per side, not \(image.width) × \(image.height)"
            )
        }
        // The color space of a profile is at byte 16 (ICC.1:2022, section 7.2.6).
        let colorSpace = image.metadata.colorProfile.icc?.dropFirst(16).prefix(4)
        guard image.format.hasColor || colorSpace != Data("GRAY".utf8) else {
            throw .invalidValue(
                "a WebP file contains RGB, which the gray ICC profile of the image does not describe;"
                    + " store it as png, or convert its colors to sRGB"
            )
        }
        let metadata = try WebPMetadataWriter(image.metadata)
        let file = try compressed(image)
        let header = try WebPHeader(file, limits: ImageLimits(maxPixels: .max), animation: .refuse)
        return metadata.file(header.picture.chunks(in: ByteReader(file)), of: header)
    }

    /// Returns a file without metadata.
    private func compressed(_ image: RasterImage) throws(TransformerError) -> Data {
        let (pixels, format, rowStride) = try layout(of: image)
        var picture = tfw_picture(
            width: UInt32(image.width),
            height: UInt32(image.height),
            channels: UInt32(format.channelCount),
            row_stride: rowStride
        )
        var writing = tfw_writing(
            quality: Int32(clamping: options.quality),
            effort: Int32(clamping: options.effort),
            is_lossless: options.isLossless ? 1 : 0
        )
        var buffer = unsafe tfw_buffer()
        let code = unsafe pixels.withUnsafeBytes { pixels in
            guard let start = pixels.baseAddress else { return TFW_MISUSE }
            return unsafe tfw_encode(start, &picture, &writing, &buffer)
        }
        guard code == TFW_OK, let bytes = unsafe buffer.bytes else { throw .webPWriting(code) }
        return unsafe Data(bytesNoCopy: bytes, count: buffer.count, deallocator: .free)
    }

    /// Returns the pixels in one of the two formats that WebP supports.
    private func layout(of image: RasterImage) throws(TransformerError) -> (Data, PixelFormat, rowStride: Int) {
        switch image.format {
        case .rgb8, .rgba8: return (try image.pixels, image.format, image.rowStride)
        case .cmyk8:
            throw TransformerError(
                .unsupported,
                "a WebP file cannot contain CMYK; convert the image to rgb8, or store it as jpeg"
            )
        default: break
        }
        let format: PixelFormat = image.format.hasAlpha ? .rgba8 : .rgb8
        let rowStride = image.width * format.bytesPerPixel
        var bytes = Data(count: rowStride * image.height)
        try image.forEachRow { (y, row) throws(TransformerError) in
            guard !options.isLossless || row.allSatisfy(\.fitsEightBits) else {
                throw .invalidValue(
                    "a lossless WebP file has 8 bits per sample, but the image needs 16; convert it, or store it as png"
                )
            }
            var span = bytes.mutableSpan
            format.write(row, to: &span, at: y * rowStride)
            return true
        }
        return (bytes, format, rowStride)
    }
}

extension TransformerError {
    fileprivate static func webPWriting(_ code: tfw_code) -> Self {
        switch code {
        case TFW_NO_MEMORY: .outOfMemory
        case TFW_UNSUPPORTED: .invalidValue("the WebP file would be too large; reduce the quality")
        default: .invalidValue("the image cannot be written as a WebP file")
        }
    }
}
