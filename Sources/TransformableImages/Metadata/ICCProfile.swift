internal import Foundation

/// An ICC profile as its header and its tags (ICC.1:2022, section 7).
struct ICCProfile {
    private static let headerSize = 128
    private static let entrySize = 12

    private let bytes: Data
    private let tags: [(signature: String, data: Range<Int>)]

    /// Reads the table of tags, or returns nil if it is malformed.
    init?(_ bytes: Data) {
        let reader = ByteReader(bytes)
        let start = Self.headerSize + 4
        guard reader.slice(36, 4) == Data("acsp".utf8), let count = reader.uint32(Self.headerSize),
            count <= (bytes.count - start) / Self.entrySize
        else { return nil }
        var tags: [(String, Range<Int>)] = []
        for place in stride(from: start, to: start + count * Self.entrySize, by: Self.entrySize) {
            guard let signature = reader.slice(place, 4), let offset = reader.uint32(place + 4),
                let size = reader.uint32(place + 8), reader.slice(offset, size) != nil
            else { return nil }
            tags.append((String(latin1: signature), offset..<offset + size))
        }
        self.bytes = bytes
        self.tags = tags
    }

    /// Whether the profile says which display it was measured on.
    ///
    /// Such profiles come with screenshots. They contain the serial number of the display, or how it was calibrated.
    var identifiesDevice: Bool {
        let telling: Set = ["mmod", "ndin", "vcgt", "vcgp", "calt", "targ", "devs"]
        return tags.contains { telling.contains($0.signature) }
    }

    /// Returns a profile for the same colors, which has only the tags that define them and a neutral description.
    ///
    /// - Returns: The profile, or nil if its tags overlap so that it would be larger.
    func withoutDevice() -> Data? {
        var kept = tags.filter { Self.colorTags.contains($0.signature) }
        let description = Data(describing: "Color profile", isVersion4: ByteReader(bytes).uint8(8) ?? 0 >= 4)
        let tableSize = 4 + (kept.count + 1) * Self.entrySize
        var table = Data()
        table.appendBigEndian(UInt32(kept.count + 1))
        var body = Data()
        // Tags can share their data, as the curves of red, green, and blue usually do.
        var places: [Range<Int>: Int] = [:]
        func append(_ signature: String, _ place: Int, _ size: Int) {
            table.append(contentsOf: signature.utf8)
            table.appendBigEndian(UInt32(clamping: Self.headerSize + tableSize + place))
            table.appendBigEndian(UInt32(clamping: size))
        }
        append("desc", 0, description.count)
        body.appendPadded(description)
        kept.sort { $0.data.lowerBound < $1.data.lowerBound }
        for tag in kept {
            let place = places[tag.data] ?? body.count
            append(tag.signature, place, tag.data.count)
            guard places.updateValue(place, forKey: tag.data) == nil else { continue }
            guard body.count + tag.data.count <= bytes.count + description.count else { return nil }
            body.appendPadded(bytes[bytes.startIndex + tag.data.lowerBound..<bytes.startIndex + tag.data.upperBound])
        }
        return header(size: Self.headerSize + table.count + body.count) + table + body
    }

    /// The tags that define colors (section 9.2), and the copyright, which every profile must have.
    private static let colorTags: Set = [
        "A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2", "B2D3",
        "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "bkpt", "lumi", "chad", "chrm", "cicp", "gamt",
        "pre0", "pre1", "pre2", "rig0", "view", "meas", "tech", "cprt",
    ]

    /// Returns the header with a new size, without the device, its programs, the date, and the checksum.
    private func header(size: Int) -> Data {
        var result = Data()
        result.appendBigEndian(UInt32(clamping: size))
        result += bytes.dropFirst(4).prefix(Self.headerSize - 4)
        for field in [4..<8, 40..<44, 48..<64, 80..<100] { result.resetBytes(in: field) }
        // A date is required: the first day of 2000.
        result.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return result
    }
}

extension ColorProfile {
    /// The same colors, without the display that they were measured on.
    var stripped: Self {
        guard let icc, let profile = ICCProfile(icc), profile.identifiesDevice, let kept = profile.withoutDevice()
        else { return self }
        var result = self
        result.icc = kept
        result.iccName = nil
        return result
    }
}

extension Data {
    /// Creates the data of a description: the type `mluc` (ICC.1:2022, section 10.15), or `desc` in profiles before
    /// version 4 (ICC.1:2001, section 6.5.17).
    fileprivate init(describing text: String, isVersion4: Bool) {
        self.init((isVersion4 ? "mluc" : "desc").utf8)
        append(Data(count: 4))
        if isVersion4 {
            appendBigEndian(UInt32(1))
            appendBigEndian(UInt32(12))
            append(contentsOf: "enUS".utf8)
            appendBigEndian(UInt32(clamping: text.utf16.count * 2))
            appendBigEndian(UInt32(28))
            for unit in text.utf16 { appendBigEndian(unit) }
        } else {
            appendBigEndian(UInt32(clamping: text.utf8.count + 1))
            append(contentsOf: text.utf8)
            // The end of the text, and no text in Unicode or in a script of the Macintosh.
            append(Data(count: 1 + 4 + 4 + 2 + 1 + 67))
        }
    }

    /// Appends data that ends at a multiple of four bytes.
    fileprivate mutating func appendPadded(_ data: Data) {
        append(data)
        append(Data(count: -data.count & 3))
    }
}
