internal import Foundation
internal import TransformableStore

/// Looks for damage in the write-ahead log of another program's database.
///
/// SQLite reads a log up to the first frame whose checksum is wrong, and silently ignores the rest. Rows that only
/// the rest contains would then be missing without a word. The format is that of sqlite.org/fileformat2.html, section 4.
struct ForeignLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let salts: Data
    private let pageSize: Int
    private var checksum: LogChecksum

    /// Returns what is wrong with the log of a database.
    ///
    /// - Parameter path: The database.
    /// - Returns: The damage, or `nil` if there is no log, if it is empty, or if it is sound. The traces of a change that
    ///   was rolled back or not completed are no damage.
    /// - Throws: `StoreError` if the log cannot be read.
    static func damage(of path: String) throws(StoreError) -> String? {
        let log = "\(path)-wal"
        guard let descriptor = try FileSystem.openToRead(log) else { return nil }
        var reader = FileReader(descriptor, path: log)
        let header = try reader.read(upTo: headerSize)
        // SQLite takes a shorter log for an empty one, and so does ``StoreFile``, with a single byte.
        guard header.count > 1 else { return nil }
        guard let log = Self(header: header) else { return "its header is invalid, so none of its changes were read" }
        return try log.firstFault(&reader)
    }

    private init?(header: Data) {
        guard header.count == Self.headerSize else { return nil }
        let magic = Self.number(header, 0)
        guard magic | 1 == 0x377F_0683 else { return nil }
        var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
        checksum.add(header[0..<24])
        guard checksum.matches(header[24..<32]) else { return nil }
        let pageSize = Int(Self.number(header, 8))
        guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
        (self.salts, self.pageSize, self.checksum) = (Data(header[16..<24]), pageSize, checksum)
    }

    /// Returns where the log breaks off although a later change was complete.
    private func firstFault(_ reader: inout FileReader) throws(StoreError) -> String? {
        let size = Self.frameHeaderSize + pageSize
        var (checksum, number, broken) = (checksum, 0, Int?.none)
        while case let frame = try reader.read(upTo: size), !frame.isEmpty {
            number += 1
            // Frames of an earlier run through the log have other salts.
            let isCurrent = frame.count >= 16 && frame[8..<16] == salts
            guard frame.count == size else { return isCurrent ? "it ends in the middle of frame \(number)" : nil }
            guard isCurrent else {
                broken = broken ?? number
                continue
            }
            checksum.add(frame[0..<8])
            checksum.add(frame[24...])
            if broken == nil, checksum.matches(frame[16..<24]) { continue }
            broken = broken ?? number
            let isEndOfChange = Self.number(frame, 4) != 0
            if isEndOfChange, let broken { return "frame \(broken) is invalid, so later changes were not read" }
        }
        return nil
    }

    /// Returns a big-endian number.
    private static func number(_ bytes: Data, _ offset: Int) -> UInt32 {
        bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The running checksum of a log, over pairs of 32-bit words.
private struct LogChecksum {
    let isBigEndian: Bool
    private var sums: (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// Adds bytes, whose number is a multiple of 8.
    mutating func add(_ bytes: Data) {
        var (first, second) = sums
        unsafe bytes.withUnsafeBytes { buffer in
            for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
                let words = unsafe (
                    buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                    buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                )
                first &+= (isBigEndian ? words.0.bigEndian : words.0.littleEndian) &+ second
                second &+= (isBigEndian ? words.1.bigEndian : words.1.littleEndian) &+ first
            }
        }
        sums = (first, second)
    }

    /// Returns a Boolean value that indicates whether 8 bytes of a log are the checksum.
    func matches(_ stored: Data) -> Bool {
        stored.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == UInt64(sums.0) << 32 | UInt64(sums.1)
    }
}
