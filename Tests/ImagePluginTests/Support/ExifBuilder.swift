import Foundation

/// Assembles EXIF by hand (TIFF 6.0, section 2): a main directory, and the directories that it points to.
struct ExifBuilder {
    enum Entry {
        case short(UInt16, UInt16)
        case long(UInt16, UInt32)
        case text(UInt16, String)
        case bytes(UInt16, Data)

        var tag: UInt16 {
            switch self {
            case .short(let tag, _), .long(let tag, _), .text(let tag, _), .bytes(let tag, _): tag
            }
        }
    }

    var isLittleEndian = true
    var main: [Entry] = []
    var photo: [Entry] = []
    var place: [Entry] = []
    var interoperability: [Entry] = []
    /// The bytes of a thumbnail.
    var thumbnail: Data?

    init(isLittleEndian: Bool = true) {
        self.isLittleEndian = isLittleEndian
    }

    var bytes: Data {
        var result = Data((isLittleEndian ? "II" : "MM").utf8) + number(UInt16(42)) + number(UInt32(8))
        var main = main
        // Directories follow the main one, whose size is known.
        let hasPhoto = !photo.isEmpty || !interoperability.isEmpty
        let count = main.count + (hasPhoto ? 1 : 0) + (place.isEmpty ? 0 : 1)
        var rest = Data()
        let start = 8 + 2 + 12 * count + 4
        let extra = size(ofTexts: main)
        func appended(_ entries: [Entry]) -> UInt32 {
            let offset = start + extra + rest.count
            rest += directory(entries, at: offset, next: 0)
            return UInt32(offset)
        }
        if hasPhoto {
            var photo = photo
            if !interoperability.isEmpty { photo.append(.long(0xA005, appended(interoperability))) }
            main.append(.long(0x8769, appended(photo)))
        }
        if !place.isEmpty { main.append(.long(0x8825, appended(place))) }
        var next: UInt32 = 0
        if let thumbnail {
            let offset = UInt32(start + extra + rest.count)
            rest += thumbnail
            next = appended([.long(0x0201, offset), .long(0x0202, UInt32(thumbnail.count))])
        }
        result += directory(main, at: 8, next: next)
        return result + rest
    }

    /// A directory, followed by the texts that do not fit in its entries.
    private func directory(_ entries: [Entry], at offset: Int, next: UInt32) -> Data {
        var result = number(UInt16(entries.count))
        var texts = Data()
        let end = offset + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            result += number(entry.tag)
            switch entry {
            case .short(_, let value): result += number(UInt16(3)) + number(UInt32(1)) + number(value) + [0, 0]
            case .long(_, let value): result += number(UInt16(4)) + number(UInt32(1)) + number(value)
            case .text(_, let text): append(Data(text.utf8) + [0], type: 2, to: &result, &texts, end)
            case .bytes(_, let bytes): append(bytes, type: 7, to: &result, &texts, end)
            }
        }
        return result + number(next) + texts
    }

    private func append(_ value: Data, type: UInt16, to result: inout Data, _ texts: inout Data, _ end: Int) {
        result += number(type) + number(UInt32(value.count))
        if value.count <= 4 {
            result += value + Data(count: 4 - value.count)
        } else {
            result += number(UInt32(end + texts.count))
            texts += value
        }
    }

    private func size(ofTexts entries: [Entry]) -> Int {
        entries.reduce(0) { sum, entry in
            switch entry {
            case .text(_, let text) where text.utf8.count >= 4: sum + text.utf8.count + 1
            case .bytes(_, let bytes) where bytes.count > 4: sum + bytes.count
            default: sum
            }
        }
    }

    private func number<Number: FixedWidthInteger>(_ number: Number) -> Data {
        withUnsafeBytes(of: isLittleEndian ? number.littleEndian : number.bigEndian) { Data($0) }
    }
}
