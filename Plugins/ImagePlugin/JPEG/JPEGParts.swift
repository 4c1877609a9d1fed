internal import Foundation
internal import TransformableImages

/// The parts of a JPEG file in order: segments, and the compressed pixels between them.
struct JPEGParts {
    enum Part {
        /// A marker with its length and data.
        case segment(JPEGSegment)
        /// Compressed pixels, including restart markers.
        case scan(Range<Int>)
    }

    private(set) var parts: [Part] = []
    /// The offset of the end marker, or the end of the bytes.
    private(set) var end = 0

    /// Whether there is an end marker.
    private(set) var isWhole = false

    init(_ reader: ByteReader) {
        var segments = JPEGSegments(reader)
        while let segment = segments.next() {
            parts.append(.segment(segment))
            end = segment.end
            guard segment.marker == JPEGMarker.startOfScan else { continue }
            let scanEnd = Self.endOfScan(reader.bytes, from: segment.end)
            parts.append(.scan(segment.end..<scanEnd))
            end = scanEnd
            segments = JPEGSegments(reader, from: scanEnd)
        }
        isWhole = reader.uint16(end) == 0xFF00 | JPEGMarker.endOfImage
    }

    /// Returns the offset of the next marker that does not belong to compressed pixels.
    private static func endOfScan(_ bytes: Data, from start: Int) -> Int {
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = start
            while offset + 1 < bytes.count, let base = bytes.baseAddress {
                // The search stays within the bytes, because only the condition examines the last one.
                guard let found = unsafe memchr(base + offset, 0xFF, bytes.count - 1 - offset) else { break }
                offset = unsafe UnsafeRawPointer(found) - base
                switch unsafe bytes[offset + 1] {
                case 0x00, 0xD0...0xD7: offset += 2
                case 0xFF: offset += 1
                default: return offset
                }
            }
            return bytes.count
        }
    }
}
