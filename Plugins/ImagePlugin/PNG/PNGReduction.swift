internal import Foundation
internal import Transformable
internal import TransformableImages

/// Finds the PNG types with the fewest bits that represent an image without loss.
struct PNGReduction {
    private let image: RasterImage
    private var fitsEightBits = true
    private var isGray = true
    private var isOpaque = true
    /// Whether alpha is always either zero or full.
    private var isMasked = true
    /// The only color with zero alpha, if there is just one.
    private var transparent: WidePixel?
    private var hasTwoTransparentColors = false
    private var colors = PNGColorTable()
    private var hasFewColors = true
    private var grayDepth = 1

    init(_ image: RasterImage) throws(TransformerError) {
        self.image = image
        var last: UInt64?
        try image.forEachRow { (_, row) throws(TransformerError) in
            for pixel in row where pixel.bits != last {
                add(pixel)
                last = pixel.bits
            }
            return canBecomeSmaller
        }
    }

    /// Whether the pixels so far leave a type that is smaller than that of the image.
    private var canBecomeSmaller: Bool {
        let format = image.format
        if format == .gray8 { return grayDepth < 8 || colors.count <= 16 }
        return hasFewColors || isGray && format.hasColor || isOpaque && format.hasAlpha
            || fitsEightBits && format.bitsPerSample == 16
    }

    private mutating func add(_ pixel: WidePixel) {
        fitsEightBits = fitsEightBits && pixel.fitsEightBits
        isGray = isGray && pixel.isGray
        if !pixel.isOpaque { addTransparency(pixel) }
        if isGray, fitsEightBits { grayDepth = max(grayDepth, Self.depth(ofGray: pixel.red.toEightBits)) }
        if hasFewColors { hasFewColors = colors.insert(pixel) }
    }

    private mutating func addTransparency(_ pixel: WidePixel) {
        isOpaque = false
        isMasked = isMasked && pixel.alpha == 0
        if pixel.alpha == 0, let transparent, transparent != pixel { hasTwoTransparentColors = true }
        if pixel.alpha == 0 { transparent = pixel }
    }

    /// Returns the fewest bits that can represent an 8-bit gray value.
    private static func depth(ofGray gray: UInt8) -> Int {
        if gray % 255 == 0 { return 1 }
        if gray % 85 == 0 { return 2 }
        return gray % 17 == 0 ? 4 : 8
    }
}

extension PNGReduction {
    /// The layout with the fewest bits per sample, followed by one with a palette if that has fewer bits per pixel.
    var layouts: [PNGLayout] {
        get throws(TransformerError) {
            let metadata = image.metadata
            // An ICC profile is either for gray or for color, and a palette counts as color.
            let isBound = metadata.colorProfile.icc != nil
            let asGray = isGray && (!isBound || !image.format.hasColor)
            let asPalette = hasFewColors && fitsEightBits && (!isBound || image.format.hasColor)
            let direct = directType(asGray: asGray)
            let bits = direct.depth * direct.type.samples
            let isSmaller = bits < image.format.bytesPerPixel * 8
            let layout = try isSmaller ? directLayout(direct.type, depth: direct.depth) : PNGLayout(image)
            return asPalette && paletteDepth < bits ? [layout, try paletteLayout()] : [layout]
        }
    }

    private var paletteDepth: Int {
        switch colors.count {
        case ...2: 1
        case ...4: 2
        case ...16: 4
        default: 8
        }
    }

    /// Whether a color that no visible pixel has can represent transparency.
    private var hasKeyColor: Bool {
        guard let transparent, isMasked, !hasTwoTransparentColors, hasFewColors else { return false }
        return colors.index(of: WidePixel(bits: transparent.bits | 0xFFFF)) == nil
    }

    private func directType(asGray: Bool) -> (type: PNGHeader.ColorType, depth: Int) {
        let depth = fitsEightBits ? 8 : 16
        let hasAlpha = !isOpaque && !hasKeyColor
        guard asGray else { return (hasAlpha ? .rgba : .rgb, depth) }
        if hasAlpha { return (.grayAlpha, depth) }
        return (.gray, fitsEightBits ? grayDepth : 16)
    }

    private func directLayout(_ type: PNGHeader.ColorType, depth: Int) throws(TransformerError) -> PNGLayout {
        let format = PixelFormat(
            hasColor: type == .rgb || type == .rgba,
            hasAlpha: type == .grayAlpha || type == .rgba,
            bits: depth
        )
        let rowSize = image.width * format.bytesPerPixel
        var bytes = Data(count: rowSize * image.height)
        try image.forEachRow { (y, row) throws(TransformerError) in
            var span = bytes.mutableSpan
            format.write(row, to: &span, at: y * rowSize)
            if depth < 8 {
                for at in y * rowSize..<(y + 1) * rowSize { span[at] >>= UInt8(8 - depth) }
            }
            return true
        }
        var layout = PNGLayout(colorType: type, bitDepth: depth, pixels: bytes, rowStride: rowSize)
        if let transparent, type == .gray || type == .rgb {
            layout.transparentColor = Self.samples(of: transparent, type)
                .reduce(into: Data()) {
                    $0.appendBigEndian($1 >> (16 - UInt16(depth)))
                }
        }
        return layout
    }

    private static func samples(of pixel: WidePixel, _ type: PNGHeader.ColorType) -> [UInt16] {
        type == .gray ? [pixel.red] : [pixel.red, pixel.green, pixel.blue]
    }

    /// Returns a layout in which transparent entries come first, so that the list of alpha values is short.
    private func paletteLayout() throws(TransformerError) -> PNGLayout {
        let entries = colors.all.filter { !$0.isOpaque } + colors.all.filter(\.isOpaque)
        var places = [UInt8](repeating: 0, count: entries.count)
        for (place, entry) in entries.enumerated() {
            if let index = colors.index(of: entry) { places[index] = UInt8(clamping: place) }
        }
        var bytes = Data(count: image.width * image.height)
        try image.forEachRow { (y, row) throws(TransformerError) in
            var span = bytes.mutableSpan
            var last: UInt64?
            var place: UInt8 = 0
            for x in row.indices {
                if row[x].bits != last {
                    last = row[x].bits
                    place = colors.index(of: row[x]).map { places[$0] } ?? 0
                }
                span[y * row.count + x] = place
            }
            return true
        }
        var layout = PNGLayout(colorType: .palette, bitDepth: paletteDepth, pixels: bytes, rowStride: image.width)
        layout.palette = entries.flatMap { [$0.red, $0.green, $0.blue].map(\.toEightBits) }
        layout.paletteAlpha = entries.filter { !$0.isOpaque }.map(\.alpha.toEightBits)
        return layout
    }
}

/// The colors of a palette in order of appearance: a hash table of fixed size, because every pixel is looked up.
private struct PNGColorTable {
    /// The colors in the order in which they were inserted.
    private(set) var all: [WidePixel] = []
    /// For each slot, the index of a color plus 1, or 0.
    private var slots = [UInt16](repeating: 0, count: Self.slotCount)
    /// An odd random number, so that nobody can choose colors whose slots are all the same (multiply-shift hashing).
    private let multiplier = UInt64.random(in: 0...UInt64.max) | 1

    private static let slotBits = 10
    private static let slotCount = 1 << slotBits
    /// The most entries that a palette can have (PNG, section 11.2.2).
    private static let capacity = 256

    /// The number of colors.
    var count: Int { all.count }

    /// Adds a color unless it is in the table, and returns whether there was room for it.
    mutating func insert(_ color: WidePixel) -> Bool {
        let slot = slot(of: color)
        if slots[slot] != 0 { return true }
        guard all.count < Self.capacity else { return false }
        all.append(color)
        slots[slot] = UInt16(all.count)
        return true
    }

    /// Returns the index of a color in ``all``.
    func index(of color: WidePixel) -> Int? {
        let number = slots[slot(of: color)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Returns the slot of a color, or the free one for it.
    ///
    /// Most slots are free, so the search ends.
    private func slot(of color: WidePixel) -> Int {
        var slot = Int((color.bits &* multiplier) >> UInt64(64 - Self.slotBits))
        while slots[slot] != 0, all[Int(slots[slot]) - 1].bits != color.bits {
            slot = (slot + 1) % Self.slotCount
        }
        return slot
    }
}

/// Pixels in the layout of PNG rows: samples of up to 8 bits take one byte, and 16-bit samples take two.
struct PNGLayout {
    var colorType: PNGHeader.ColorType
    var bitDepth: Int
    var pixels: Data
    var rowStride: Int
    /// The palette entries as red, green, and blue.
    var palette: [UInt8] = []
    /// The alpha values of the first palette entries.
    ///
    /// All others are opaque.
    var paletteAlpha: [UInt8] = []
    /// The color that is transparent, in the form of a tRNS chunk.
    var transparentColor: Data?

    /// Creates the layout for the image's own format.
    init(_ image: RasterImage) throws(TransformerError) {
        switch image.format {
        case .gray8, .gray16: colorType = .gray
        case .grayAlpha8, .grayAlpha16: colorType = .grayAlpha
        case .rgb8, .rgb16: colorType = .rgb
        case .rgba8, .rgba16: colorType = .rgba
        case .cmyk8:
            throw
                .invalidValue(
                    "a PNG cannot hold CMYK; convert the image first, with convert(to: rgb8), or write a JPEG"
                )
                .safeToShow()
        }
        bitDepth = image.format.bitsPerSample
        pixels = try image.pixels
        rowStride = image.rowStride
    }

    init(colorType: PNGHeader.ColorType, bitDepth: Int, pixels: Data, rowStride: Int) {
        self.colorType = colorType
        self.bitDepth = bitDepth
        self.pixels = pixels
        self.rowStride = rowStride
    }
}
