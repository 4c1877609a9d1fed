internal import Foundation
internal import Transformable
internal import TransformableImages

/// Reads netpbm's binary formats: PGM (P5), PPM (P6), and PAM (P7).
struct AnymapReader {
    private let bytes: Data
    private var offset = 2
    private let limits: ImageLimits

    /// Returns whether bytes begin like one of the formats.
    static func recognizes(_ bytes: Data) -> Bool {
        [[0x50, 0x35], [0x50, 0x36], [0x50, 0x37]].contains(Array(bytes.prefix(2)))
    }

    init(_ bytes: Data, limits: ImageLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func read() throws(TransformerError) -> RasterImage {
        let header = ByteReader(bytes).uint8(1) == 0x37 ? try readPAMHeader() : try readPNMHeader()
        guard header.width > 0, header.height > 0, (1...65_535).contains(header.largest) else {
            throw .invalidData(
                "the width, the height, and the largest sample of the image must be at least 1",
                offset: offset
            )
        }
        guard header.width <= limits.maxPixels / header.height else {
            throw .tooManyPixels(header.width, header.height, limit: limits.maxPixels)
        }
        let bytesPerSample = header.largest > 255 ? 2 : 1
        let size = header.width * header.height * header.format.channelCount * bytesPerSample
        guard let samples = ByteReader(bytes).slice(offset, size) else {
            throw TransformerError(
                .truncatedData,
                "the pixels of the image must have \(size.counted("byte"))",
                offset: bytes.count
            )
        }
        let pixels = try Self.scaled(samples, largest: header.largest, offset: offset)
        return try RasterImage(width: header.width, height: header.height, format: header.format, pixels: pixels)
    }

    private struct Header {
        var width = 0
        var height = 0
        var largest = 0
        var depth = 0
        var tupleType = ""

        var format: PixelFormat = .gray8
    }

    private mutating func readPNMHeader() throws(TransformerError) -> Header {
        let hasColor = ByteReader(bytes).uint8(1) == 0x36
        var header = Header()
        header.width = try readNumber()
        header.height = try readNumber()
        header.largest = try readNumber()
        // A single whitespace character ends the header.
        offset += 1
        header.format = PixelFormat(hasColor: hasColor, hasAlpha: false, bits: header.largest > 255 ? 16 : 8)
        return header
    }

    private mutating func readNumber() throws(TransformerError) -> Int {
        skipSpace()
        var number = 0
        let start = offset
        while let byte = byte(at: offset), (0x30...0x39).contains(byte) {
            number = number * 10 + Int(byte - 0x30)
            offset += 1
            guard number < 1 << 31 else { throw .invalidData("a number in the header is too large", offset: start) }
        }
        guard offset > start else { throw .invalidData("expected a number in the header of the image", offset: start) }
        return number
    }

    private mutating func skipSpace() {
        while let byte = byte(at: offset) {
            if byte == 0x23 {
                while let byte = self.byte(at: offset), byte != 0x0A { offset += 1 }
            } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
                offset += 1
            } else {
                return
            }
        }
    }

    private func byte(at offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
    }
}

extension AnymapReader {
    private mutating func readPAMHeader() throws(TransformerError) -> Header {
        var header = Header()
        for _ in 0..<64 {
            let words = try readLine().split(separator: " ", maxSplits: 1).map(String.init)
            guard let word = words.first, !word.hasPrefix("#") else { continue }
            if word == "ENDHDR" { return try finished(header) }
            let value = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
            switch word {
            case "WIDTH": header.width = try number(value)
            case "HEIGHT": header.height = try number(value)
            case "DEPTH": header.depth = try number(value)
            case "MAXVAL": header.largest = try number(value)
            case "TUPLTYPE": header.tupleType = value
            default: throw .invalidData("“\(word)” is not valid in a PAM header", offset: offset)
            }
        }
        throw .invalidData("the PAM header is never closed", offset: offset)
    }

    private func finished(_ header: Header) throws(TransformerError) -> Header {
        var header = header
        let isWide = header.largest > 255
        switch (header.depth, header.tupleType) {
        case (4, "CMYK"):
            guard !isWide else {
                throw TransformerError(
                    .unsupported,
                    "a PAM image in CMYK with more than 8 bits per sample is not supported; reduce it to 8 bits",
                    offset: offset
                )
            }
            header.format = .cmyk8
        case (1...4, _):
            header.format = PixelFormat(
                hasColor: header.depth >= 3,
                hasAlpha: header.depth % 2 == 0,
                bits: isWide ? 16 : 8
            )
        default:
            throw .invalidData("a PAM image must have 1 to 4 samples per pixel, not \(header.depth)", offset: offset)
        }
        return header
    }

    private mutating func readLine() throws(TransformerError) -> String {
        let rest = bytes.dropFirst(offset).prefix(1024)
        guard let end = rest.firstIndex(of: 0x0A) else {
            throw .invalidData("a line of the PAM header is never closed", offset: offset)
        }
        offset += end - rest.startIndex + 1
        return String(latin1: rest[..<end])
    }

    private func number(_ text: String) throws(TransformerError) -> Int {
        // Numbers read from text may have a sign, which the format does not allow.
        guard text.first != "+", let number = Int(text), (1..<1 << 31).contains(number) else {
            throw .invalidData("“\(text)” is not a number in a PAM header", offset: offset)
        }
        return number
    }

    /// Converts big-endian samples of up to `largest` to 8-bit samples, or to little-endian 16-bit samples.
    private static func scaled(_ samples: Data, largest: Int, offset: Int) throws(TransformerError) -> Data {
        if largest == 255 { return Data(samples) }
        var result = Data(capacity: samples.count)
        let span = samples.span
        let step = largest > 255 ? 2 : 1
        for at in stride(from: 0, to: samples.count, by: step) {
            let sample = step == 1 ? Int(span[at]) : Int(span[at]) << 8 | Int(span[at + 1])
            guard sample <= largest else {
                throw .invalidData("a sample exceeds the maximum of \(largest) in the header", offset: offset + at)
            }
            let full = step == 1 ? 255 : 65_535
            let scaled = largest == full ? sample : (sample * full + largest / 2) / largest
            result.append(UInt8(truncatingIfNeeded: scaled))
            if step == 2 { result.append(UInt8(truncatingIfNeeded: scaled >> 8)) }
        }
        return result
    }
}

/// Writes netpbm's binary formats: PAM, and PGM or PPM for images without alpha.
struct AnymapWriter {
    enum Kind: String {
        /// Any image. Colors are in sRGB, and CMYK is written as RGB.
        case pam = "PAM"
        /// Gray or RGB in the colors of sRGB, without alpha.
        case pnm = "PGM or PPM"
    }

    let kind: Kind

    func write(_ image: RasterImage) throws(TransformerError) -> Data {
        if kind == .pnm, image.format.hasAlpha {
            throw .alphaNotSupported(by: "PGM and PPM", remedy: "write a PAM or PNG file")
        }
        // The formats have no frames, no orientation, and no color profile.
        let image = try image.firstFrame().oriented().withoutColorProfile(for: "a \(kind.rawValue) file")
        var result = Data(header(image).utf8)
        let pixels = try image.pixels
        let rowSize = image.width * image.format.bytesPerPixel
        result.reserveCapacity(result.count + rowSize * image.height)
        for y in 0..<image.height {
            let row = pixels.dropFirst(y * image.rowStride).prefix(rowSize)
            if image.format.bitsPerSample == 8 {
                result.append(row)
            } else {
                appendSwapped(row, to: &result)
            }
        }
        return result
    }

    private func header(_ image: RasterImage) -> String {
        let largest = image.format.bitsPerSample == 8 ? 255 : 65_535
        if kind == .pnm {
            return "\(image.format.hasColor ? "P6" : "P5")\n\(image.width) \(image.height)\n\(largest)\n"
        }
        let type = (image.format.hasColor ? "RGB" : "GRAYSCALE") + (image.format.hasAlpha ? "_ALPHA" : "")
        return """
            P7
            WIDTH \(image.width)
            HEIGHT \(image.height)
            DEPTH \(image.format.channelCount)
            MAXVAL \(largest)
            TUPLTYPE \(type)
            ENDHDR

            """
    }

    /// Appends samples in netpbm's byte order, with the most significant byte first.
    private func appendSwapped(_ row: Data, to result: inout Data) {
        let span = row.span
        for at in stride(from: 0, to: row.count, by: 2) {
            result.append(span[at + 1])
            result.append(span[at])
        }
    }
}
