internal import Foundation
internal import TransformableImages

/// A marker segment in a JPEG file.
struct JPEGSegment: Sendable {
    /// The byte after 0xFF.
    let marker: Int
    /// The offset of the 0xFF that precedes the marker.
    let offset: Int
    /// The number of data bytes after the length field.
    let length: Int

    var dataOffset: Int { offset + 4 }
    var end: Int { dataOffset + length }
}

/// The marker segments of a JPEG file, from the start up to and including the first SOS.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let reader: ByteReader
    private var offset: Int
    private var isAtEnd = false
    /// Whether the bytes ended before a complete segment.
    private(set) var isTruncated = false

    /// Starts after the start marker, or at the end of a scan.
    init(_ reader: ByteReader, from offset: Int = 2) {
        self.reader = reader
        self.offset = offset
    }

    /// Returns the next complete segment, or nil after SOS or at the end.
    mutating func next() -> JPEGSegment? {
        guard !isAtEnd, let start = skipToMarker(), let marker = reader.uint8(start + 1) else { return nil }
        let length = reader.uint16(start + 2)
        let segment = JPEGSegment(marker: marker, offset: start, length: (length ?? 2) - 2)
        isTruncated = length == nil || segment.end > reader.count
        guard segment.length >= 0, !isTruncated else { return nil }
        isAtEnd = marker == JPEGMarker.startOfScan
        offset = segment.end
        return segment
    }

    /// Skips fill bytes, markers without a segment, and unexpected bytes, like libjpeg.
    private mutating func skipToMarker() -> Int? {
        while let byte = reader.uint8(offset) {
            guard byte == 0xFF, let marker = reader.uint8(offset + 1) else {
                offset += 1
                continue
            }
            switch marker {
            case 0xFF, 0x00: offset += 1
            case 0x01, 0xD0...0xD8: offset += 2
            case JPEGMarker.endOfImage: return nil
            default: return offset
            }
        }
        isTruncated = true
        return nil
    }
}

/// The markers that the plugin recognizes (ITU-T T.81, table B.1).
enum JPEGMarker {
    static let startOfScan = 0xDA
    static let endOfImage = 0xD9
    static let comment = 0xFE
    static let app0 = 0xE0
    static let app1 = 0xE1
    static let app2 = 0xE2
    static let app14 = 0xEE

    /// The markers that decoding requires: frames, tables, the restart interval, and scans.
    static let ofPicture = Set(0xC0...0xCF).subtracting([0xC8]).union([startOfScan, 0xDB, 0xDC, 0xDD])
}

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
