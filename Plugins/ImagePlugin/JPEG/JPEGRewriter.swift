internal import CJPEGShims
internal import Foundation
public import Transformable
internal import TransformableImages

/// Writes a JPEG file again without decoding its coefficients to pixels.
struct JPEGRewriter {
    let rewriting: JPEGRewriting
    let isProgressive: Bool
    let isStripping: Bool

    /// Returns a better file of an unchanged image, or nil if the original file should be kept.
    ///
    /// - Parameters:
    ///   - file: The original file.
    ///   - metadata: The metadata to write.
    ///   - size: The size of the file that would be kept.
    /// - Returns: The whole file.
    /// - Throws: `TransformerError` if a limit is exceeded, or the metadata do not fit in a JPEG.
    func rewritten(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        insteadOf size: Int
    ) throws(TransformerError) -> Data? {
        guard rewriting != .never, let header = file.header as? JPEGHeader, isStripping || !hasMore(file) else {
            return nil
        }
        let orientation = metadata.orientation
        if rewriting == .oriented, orientation != .up {
            var upright = metadata.upright
            // EXIF that contains only the orientation is no longer needed.
            if isStripping, metadata.exif == metadata.stripped.exif { upright.exif = upright.stripped.exif }
            if let turned = try write(file, header, upright, tfj_turn(orientation)) { return turned }
        }
        guard let optimized = try write(file, header, metadata, tfj_turn(.up)), optimized.count < size else {
            return nil
        }
        return optimized
    }

    private func write(
        _ file: EncodedImage,
        _ header: JPEGHeader,
        _ metadata: ImageMetadata,
        _ turn: tfj_turn
    ) throws(TransformerError) -> Data? {
        var turn = turn
        var limits = header.cost(file.options.limits)
        let newSegments = try JPEGMetadataWriter(metadata, hasJFIF: header.canHaveJFIF).segments
        let segments = newSegments + otherSegments(of: file)
        let segmentBytes = segments.reduce(into: Data()) { $0 += $1.data }
        var buffer = unsafe tfj_buffer()
        var report = tfj_report()
        let code = unsafe file.bytes.withUnsafeBytes { bytes in
            unsafe segmentBytes.withUnsafeBytes { data in
                let list = unsafe JPEGWriter.markerList(segments, in: data)
                return unsafe list.withUnsafeBufferPointer { list in
                    guard let start = bytes.baseAddress else { return TFJ_TRUNCATED }
                    var writing = unsafe tfj_writing(density: metadata.density)
                    unsafe writing.is_progressive = isProgressive ? 1 : 0
                    unsafe writing.markers = list.baseAddress
                    unsafe writing.marker_count = list.count
                    return unsafe tfj_rewrite(start, bytes.count, &limits, &turn, &writing, &buffer, &report)
                }
            }
        }
        switch code {
        case TFJ_OK: return unsafe Data(taking: &buffer)
        case TFJ_TOO_LARGE, TFJ_TOO_SLOW, TFJ_NO_MEMORY: throw .jpeg(code, report)
        default: return nil
        }
    }

    /// Returns whether bytes follow the image, such as a second image, whose position other segments may state.
    private func hasMore(_ file: EncodedImage) -> Bool {
        JPEGParts(ByteReader(file.bytes)).end + 2 < file.bytes.count
    }

    /// Returns the application segments that are not metadata, unless they are removed.
    private func otherSegments(of file: EncodedImage) -> [JPEGNewSegment] {
        guard !isStripping else { return [] }
        let reader = ByteReader(file.bytes)
        return JPEGSegments(reader)
            .compactMap { segment in
                guard (JPEGMarker.app0...0xEF).contains(segment.marker), segment.marker != JPEGMarker.app14,
                    let data = reader.slice(segment.dataOffset, segment.length),
                    !JPEGTag.ofMetadata.contains(where: { data.starts(with: $0) })
                else { return nil }
                return JPEGNewSegment(marker: segment.marker, data: data)
            }
    }
}

extension tfj_turn {
    /// Creates the turn that makes an image upright.
    fileprivate init(_ orientation: ImageOrientation) {
        self.init(
            transposes: orientation.swapsSides ? 1 : 0,
            mirrors_columns: [.upMirrored, .down, .right, .rightMirrored].contains(orientation) ? 1 : 0,
            mirrors_rows: [.down, .downMirrored, .rightMirrored, .left].contains(orientation) ? 1 : 0
        )
    }
}

/// What is improved in a JPEG file that is kept, without any loss of quality.
///
/// The coefficients of the image stay the same, as in the program jpegtran. A damaged file is kept unchanged. If extra
/// data, such as a second image, follows the image in a file, the file is kept unchanged unless you strip that data.
public enum JPEGRewriting: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Nothing: the file is kept byte for byte.
    case never
    /// The codes are optimized for the image, which makes most files smaller by a few percent.
    ///
    /// The file is kept if that does not make it smaller.
    case optimize
    /// The image is also rotated and mirrored according to its orientation.
    ///
    /// This is possible if no incomplete blocks would be at the left or the top, so the width and the
    /// height must usually be multiples of 16. The orientation of other images is kept in their metadata.
    case oriented
}
