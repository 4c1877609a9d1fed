internal import CWebPShims
internal import Foundation
internal import Transformable
internal import TransformableImages

extension WebPHeader {
    /// Decodes the picture, or the first frame on a transparent canvas.
    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        guard let frame else { return DecodedPixels(pixels: try decodePicture(file.bytes, file.options.limits)) }
        // The decoder takes files with a single picture. One with separate alpha must be extended.
        var chunks = picture.chunks(in: ByteReader(file.bytes))
        if picture.hasAlpha, !picture.isLossless {
            chunks = WebPMetadataWriter.extendedHeader(flags: WebPFlags.alpha, picture.width, picture.height) + chunks
        }
        let pixels = try decodePicture(.webP(chunks: chunks), file.options.limits)
        guard picture.width < width || picture.height < height else { return DecodedPixels(pixels: pixels) }
        return DecodedPixels(pixels: placed(pixels, x: frame.x, y: frame.y))
    }

    private func decodePicture(_ bytes: Data, _ limits: ImageLimits) throws(TransformerError) -> Data {
        let rowStride = picture.width * pixelFormat.bytesPerPixel
        let memory = try PixelMemory(rowStride * picture.height)
        var layout = tfw_picture(
            width: UInt32(picture.width),
            height: UInt32(picture.height),
            channels: UInt32(pixelFormat.channelCount),
            row_stride: rowStride
        )
        let milliseconds = UInt64(max(1, limits.maxSeconds)) * 1000
        let code = unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TFW_TRUNCATED }
            return unsafe tfw_decode(start, bytes.count, &layout, milliseconds, memory.start)
        }
        guard code == TFW_OK else { throw .webP(code) }
        return memory.take()
    }

    /// Returns the canvas with the pixels of a frame at a position.
    private func placed(_ pixels: Data, x: Int, y: Int) -> Data {
        let size = pixelFormat.bytesPerPixel
        var canvas = Data(count: width * height * size)
        let rowSize = picture.width * size
        for row in 0..<picture.height {
            let start = ((y + row) * width + x) * size
            canvas.replaceSubrange(start..<start + rowSize, with: pixels.dropFirst(row * rowSize).prefix(rowSize))
        }
        return canvas
    }
}

extension TransformerError {
    /// Returns the error for a failure of the WebP shim to decode.
    fileprivate static func webP(_ code: tfw_code) -> Self {
        switch code {
        case TFW_TRUNCATED: .truncated(.webp, offset: 0, "its picture is incomplete")
        case TFW_NO_MEMORY: .outOfMemory
        case TFW_TOO_SLOW:
            .limitExceeded("decoding the WebP file took too long; raise the limit with “maxSeconds”")
        default: .damaged(.webp, "its picture is invalid")
        }
    }
}
