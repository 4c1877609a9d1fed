internal import CWebPShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// The contents of a WebP file before its pixels.
struct WebPHeader: Sendable {
    /// The first frame of an animation, which can be smaller than its canvas.
    struct Frame: Sendable {
        let x: Int
        let y: Int
        let count: Int
    }

    let width: Int
    let height: Int
    /// The picture, or that of the first frame.
    let picture: WebPBitstream
    /// The first frame, if the file is an animation.
    private let frame: Frame?
    /// Whether the file has the chunk with flags that metadata require.
    private let isExtended: Bool
    /// The range of all chunks in the file.
    private let body: Range<Int>

    /// Whether pixels can be transparent, which they can also be next to a frame.
    var hasAlpha: Bool {
        picture.hasAlpha || frame != nil && (picture.width < width || picture.height < height)
    }

    var pixelFormat: PixelFormat { hasAlpha ? .rgba8 : .rgb8 }

    /// Reads a file up to its first picture.
    init(
        _ bytes: Data,
        limits: ImageLimits,
        animation: WebPAnimationReading
    ) throws(TransformerError) {
        let reader = ByteReader(bytes, isLittleEndian: true)
        body = try Self.body(of: reader)
        guard let first = WebPChunks(reader, in: body).first(where: { _ in true }) else {
            throw .truncated(.webp, offset: reader.count, "its first chunk is incomplete")
        }
        isExtended = first.type == .extended
        var canvas: (width: Int, height: Int)?
        var isAnimated = false
        if isExtended {
            guard first.length >= 10, let flags = reader.uint8(first.dataOffset),
                let width = reader.uint24(first.dataOffset + 4), let height = reader.uint24(first.dataOffset + 7)
            else { throw .damaged(.webp, "its header is too short", offset: first.offset) }
            canvas = (width + 1, height + 1)
            isAnimated = flags & WebPFlags.animation != 0
        }
        if isAnimated {
            (frame, picture) = try Self.firstFrame(reader, in: body, animation: animation)
        } else {
            frame = nil
            picture = try Self.picture(reader, in: body)
        }
        (width, height) = canvas ?? (picture.width, picture.height)
        try checkSize(limits: limits, offset: first.offset)
    }

    private static func body(of reader: ByteReader) throws(TransformerError) -> Range<Int> {
        guard let size = reader.uint32(4), reader.count >= 20 else {
            throw .truncated(.webp, offset: reader.count, "its header is incomplete")
        }
        guard size >= 12 else { throw .damaged(.webp, "its size is too small", offset: 4) }
        guard size <= reader.count - 8 else {
            throw .truncated(.webp, offset: reader.count, "it should have \(size + 8) bytes")
        }
        return 12..<size + 8
    }

    private static func picture(_ reader: ByteReader, in range: Range<Int>) throws(TransformerError) -> WebPBitstream {
        guard let picture = WebPBitstream(WebPChunks(reader, in: range), reader) else {
            throw .damaged(.webp, "it has no valid picture", offset: range.lowerBound)
        }
        return picture
    }

    private static func firstFrame(
        _ reader: ByteReader,
        in range: Range<Int>,
        animation: WebPAnimationReading
    ) throws(TransformerError) -> (Frame, WebPBitstream) {
        let frames = WebPChunks(reader, in: range).filter { $0.type == .frame }
        guard animation == .first else { throw .animated(frames.count) }
        guard let first = frames.first, first.length >= 16, let x = reader.uint24(first.dataOffset),
            let y = reader.uint24(first.dataOffset + 3), let width = reader.uint24(first.dataOffset + 6),
            let height = reader.uint24(first.dataOffset + 9)
        else { throw .damaged(.webp, "it has no complete frame", offset: range.lowerBound) }
        let content = first.dataOffset + 16..<first.dataOffset + first.length
        let picture = try picture(reader, in: content)
        guard picture.width == width + 1, picture.height == height + 1 else {
            throw .damaged(.webp, "its first frame has two different sizes", offset: first.offset)
        }
        return (Frame(x: x * 2, y: y * 2, count: frames.count), picture)
    }

    private func checkSize(limits: ImageLimits, offset: Int) throws(TransformerError) {
        guard width <= limits.maxPixels / height else {
            throw .tooManyPixels(width, height, limit: limits.maxPixels)
        }
        let fits =
            if let frame {
                frame.x <= width - picture.width && frame.y <= height - picture.height
            } else {
                picture.width == width && picture.height == height
            }
        guard fits else { throw .damaged(.webp, "its picture does not match its canvas", offset: offset) }
    }
}

/// The flags of an extended file (RFC 9649, section 2.7).
enum WebPFlags {
    static let animation = 0x02
    static let xmp = 0x04
    static let exif = 0x08
    static let alpha = 0x10
    static let profile = 0x20
}

extension ByteReader {
    /// Returns a number of three bytes, which must be in little-endian order.
    func uint24(_ offset: Int) -> Int? {
        guard let low = uint16(offset), let high = uint8(offset + 2) else { return nil }
        return high << 16 | low
    }
}

extension TransformerError {
    static func animated(_ count: Int) -> Self {
        Self(
            .unsupported,
            "the WebP file is an animation of \(count.counted("frame")); to read only the first one, use"
                + " “webp(animated: first)”"
        )
    }

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

extension WebPHeader: ImageFileHeader {
    var format: ImageFileFormat { .webp }

    var frameCount: Int { frame?.count ?? 1 }

    var facts: [Inspection.Fact] {
        var result = [Inspection.Fact("coding", picture.isLossless ? "lossless" : "lossy")]
        if picture.hasAlpha { result.append(Inspection.Fact("transparency", "yes")) }
        return result
    }

    func readMetadata(_ file: EncodedImage) -> ReadMetadata {
        var result = WebPMetadataReader(file, body: body).read()
        if let frame, frame.count > 1 {
            result.warnings.append(
                "the file is an animation of \(frame.count.counted("frame")); only the first is read"
            )
        }
        return result
    }

    func checkStructure(_ file: EncodedImage) throws(TransformerError) {
        var chunks = WebPChunks(ByteReader(file.bytes, isLittleEndian: true), in: body)
        while chunks.next() != nil {}
        guard chunks.offset == body.upperBound else {
            throw .damaged(.webp, "its chunks do not fill it", offset: chunks.offset)
        }
    }

    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data {
        try file.checkStructure()
        let reader = ByteReader(file.bytes, isLittleEndian: true)
        var picture = Data()
        for chunk in WebPChunks(reader, in: body) {
            switch chunk.type {
            case .extended, .profile, .exif, .xmp: continue
            case .alpha, .lossy, .lossless, .animation, .frame: break
            case nil where isStripping: continue
            case nil: break
            }
            picture += reader.slice(chunk.offset, min(chunk.end, body.upperBound) - chunk.offset) ?? Data()
            if picture.count % 2 == 1 { picture.append(0) }
        }
        let metadata = try WebPMetadataWriter(metadata)
        let result = metadata.file(picture, of: self, isAnimated: frame != nil)
        return isStripping ? result : result + file.bytes.dropFirst(body.upperBound)
    }
}

extension WebPHeader {
    /// Decodes the picture, or the first frame on a transparent canvas.
    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        guard let frame else {
            // libwebp would go on reading behind the chunk of a picture that ends too early.
            let bytes = file.bytes.prefix(picture.range.upperBound)
            return DecodedPixels(pixels: try decodePicture(bytes, file.options.limits))
        }
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
