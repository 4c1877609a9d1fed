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
    let frame: Frame?
    /// Whether the file has the chunk with flags that metadata require.
    let isExtended: Bool
    /// The range of all chunks in the file.
    let body: Range<Int>

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
}
