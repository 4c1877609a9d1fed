public import Foundation

/// The colors that the samples of an image represent.
///
/// A file can define them in several ways at once. A reader uses the first of these: code points, an ICC profile, sRGB,
/// or gamma and chromaticities (PNG, third edition, section 4.3). An image without any of them is usually treated as
/// sRGB.
public struct ColorProfile: Sendable, Hashable {
    /// The video code points (cICP in PNG).
    public var codePoints: ColorCodePoints?
    /// An ICC profile, as defined by ICC.1.
    public var icc: Data?
    /// The name of the ICC profile, if the file contains one: 1 to 79 Latin-1 characters.
    public var iccName: String?
    /// The rendering intent, which also indicates that samples are sRGB.
    public var renderingIntent: RenderingIntent?
    /// The exponent for converting light to samples, multiplied by 100,000: 45,455 for 1/2.2.
    public var gamma: Int?
    /// The white point and the primaries.
    public var chromaticities: Chromaticities?

    /// Creates a color profile.
    public init(
        codePoints: ColorCodePoints? = nil,
        icc: Data? = nil,
        iccName: String? = nil,
        renderingIntent: RenderingIntent? = nil,
        gamma: Int? = nil,
        chromaticities: Chromaticities? = nil
    ) {
        self.codePoints = codePoints
        self.icc = icc
        self.iccName = iccName
        self.renderingIntent = renderingIntent
        self.gamma = gamma
        self.chromaticities = chromaticities
    }

    /// The profile of sRGB samples.
    public static let sRGB = Self(renderingIntent: .perceptual)

    /// Whether the profile contains no information.
    public var isEmpty: Bool { self == Self() }

    /// The rendering intent for colors out of gamut, with the numbers of ICC.
    public enum RenderingIntent: Int, Sendable {
        /// For photographs.
        case perceptual = 0
        /// For logos: colors in gamut stay exact, relative to white.
        case relativeColorimetric = 1
        /// For charts: colors are as vivid as possible.
        case saturation = 2
        /// For proofs: colors in gamut stay exact.
        case absoluteColorimetric = 3
    }

    /// A point of the CIE 1931 diagram, with coordinates multiplied by 100,000.
    public struct Chromaticity: Sendable, Hashable {
        /// The first coordinate.
        public var x: Int
        /// The second coordinate.
        public var y: Int

        /// Creates a point.
        public init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// The white point and the primaries.
    public struct Chromaticities: Sendable, Hashable {
        /// The white point.
        public var white: Chromaticity
        /// The red primary.
        public var red: Chromaticity
        /// The green primary.
        public var green: Chromaticity
        /// The blue primary.
        public var blue: Chromaticity

        /// Creates chromaticities.
        public init(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
            self.white = white
            self.red = red
            self.green = green
            self.blue = blue
        }
    }
}

/// Code points of ITU-T H.273, as in the cICP chunk of PNG.
public struct ColorCodePoints: Sendable, Hashable {
    /// The number of the primaries: 1 for BT.709 and sRGB, 9 for BT.2020, 12 for Display P3.
    public var primaries: UInt8
    /// The number of the transfer function: 13 for sRGB, 16 for PQ, 18 for HLG.
    public var transfer: UInt8
    /// The number of the matrix, which is 0 (RGB) in PNG.
    public var matrix: UInt8
    /// Whether samples use their full range.
    public var isFullRange: Bool

    /// Creates code points.
    public init(primaries: UInt8, transfer: UInt8, matrix: UInt8 = 0, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Whether samples are in sRGB: primaries of BT.709, its own transfer function, and the full range of RGB.
    package var isSRGB: Bool { primaries == 1 && transfer == 13 && matrix == 0 && isFullRange }
}

extension ColorProfile {
    /// Whether colors are in sRGB, or indistinguishable from them.
    package var isStandard: Bool {
        if let codePoints { return codePoints.isSRGB }
        if renderingIntent != nil { return true }
        // PNG states the gamma 0.45455 and these chromaticities for sRGB (section 11.3.2.5).
        let points = chromaticities.map { [$0.white, $0.red, $0.green, $0.blue] } ?? Self.standardPoints
        let areNear = zip(points, Self.standardPoints).allSatisfy { abs($0.x - $1.x) < 100 && abs($0.y - $1.y) < 100 }
        return areNear && abs((gamma ?? 45_455) - 45_455) < 500
    }

    private static let standardPoints = [
        Chromaticity(x: 31_270, y: 32_900), Chromaticity(x: 64_000, y: 33_000), Chromaticity(x: 30_000, y: 60_000),
        Chromaticity(x: 15_000, y: 6_000),
    ]
}

/// An ICC profile as its header and its tags (ICC.1:2022, section 7).
private struct ICCProfile {
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
        // The descriptions of a device, `dmnd` and `dmdd`, do not count, because common profiles of sRGB have them.
        let telling: Set = ["meta", "mmod", "ndin", "vcgt", "vcgp", "calt", "targ", "devs"]
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
