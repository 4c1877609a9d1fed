internal import CPNGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// Writes an image as a PNG file.
struct PNGWriter {
    let options: PNGOptions

    func write(_ image: RasterImage) throws(TransformerError) -> Data {
        try image.checkIsStill(for: "a new PNG file")
        let direct = try PNGLayout(image)
        let chunks = try PNGMetadataWriter(image.metadata).chunks
        guard options.palette == .automatic else { return try write(direct, of: image, chunks) }
        let layouts = try PNGReduction(image).layouts
        var smallest = try write(layouts.first ?? direct, of: image, chunks)
        for layout in layouts.dropFirst() {
            // A palette makes the file of a small picture larger.
            let file = try write(layout, of: image, chunks)
            if file.count < smallest.count { smallest = file }
        }
        return smallest
    }

    private func write(
        _ layout: PNGLayout,
        of image: RasterImage,
        _ chunks: [PNGNewChunk]
    ) throws(TransformerError) -> Data {
        let transparent = layout.transparentColor.map { [PNGNewChunk(type: "tRNS", data: $0)] } ?? []
        return try write(layout, width: image.width, height: image.height, chunks: chunks + transparent)
    }

    private func write(
        _ layout: PNGLayout,
        width: Int,
        height: Int,
        chunks: [PNGNewChunk]
    ) throws(TransformerError) -> Data {
        var picture = tfp_picture(
            width: UInt32(clamping: width),
            height: UInt32(clamping: height),
            channels: UInt32(layout.colorType.samples),
            bits: layout.bitDepth == 16 ? 16 : 8,
            row_stride: layout.rowStride
        )
        // A single block of bytes for everything, so that all pointers into it are valid for the whole call.
        let block = PNGWritingBlock(layout, chunks)
        var buffer = unsafe tfp_buffer()
        var report = tfp_report()
        let code = unsafe layout.pixels.withUnsafeBytes { pixels in
            unsafe block.bytes.withUnsafeBytes { bytes in
                unsafe block.chunkList(in: bytes)
                    .withUnsafeBufferPointer { list in
                        guard let start = pixels.baseAddress else { return TFP_MISUSE }
                        var writing = unsafe self.writing(layout, block, bytes)
                        unsafe writing.chunks = list.baseAddress
                        unsafe writing.chunk_count = list.count
                        return unsafe tfp_encode(start, &picture, &writing, &buffer, &report)
                    }
            }
        }
        guard code == TFP_OK else { throw .pngWriting(code, report) }
        return unsafe Data(taking: &buffer)
    }

    @unsafe private func writing(
        _ layout: PNGLayout,
        _ block: PNGWritingBlock,
        _ bytes: UnsafeRawBufferPointer
    ) -> tfp_writing {
        var writing = unsafe tfp_writing()
        unsafe writing.color_type = UInt32(layout.colorType.rawValue)
        unsafe writing.bit_depth = UInt32(layout.bitDepth)
        unsafe writing.compression = Int32(clamping: options.compression)
        unsafe writing.filter = options.filter.number
        unsafe writing.is_interlaced = options.isInterlaced ? 1 : 0
        if let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            unsafe writing.palette = UnsafePointer(base + block.palette.lowerBound)
            unsafe writing.palette_count = block.palette.count / 3
            unsafe writing.palette_alpha = UnsafePointer(base + block.paletteAlpha.lowerBound)
            unsafe writing.palette_alpha_count = block.paletteAlpha.count
        }
        return unsafe writing
    }
}

/// The palette and the chunks of a file to write, in a single block.
private struct PNGWritingBlock {
    private(set) var bytes = Data()
    let palette: Range<Int>
    let paletteAlpha: Range<Int>
    private let chunks: [(type: PNGChunkType, range: Range<Int>)]

    init(_ layout: PNGLayout, _ chunks: [PNGNewChunk]) {
        var bytes = Data()
        func append(_ part: some Sequence<UInt8>) -> Range<Int> {
            let start = bytes.count
            bytes.append(contentsOf: part)
            return start..<bytes.count
        }
        palette = append(layout.palette)
        paletteAlpha = append(layout.paletteAlpha)
        self.chunks = chunks.map { ($0.type, append($0.data)) }
        self.bytes = bytes
    }

    /// The chunks as the shim requires them, with pointers to ``bytes``, which are at `block`.
    @unsafe func chunkList(in block: UnsafeRawBufferPointer) -> [tfp_chunk] {
        unsafe chunks.map { chunk in
            let letters = chunk.type.letters.map { CChar(bitPattern: $0) }
            return unsafe tfp_chunk(
                type: (letters[0], letters[1], letters[2], letters[3]),
                bytes: block.baseAddress.map { unsafe $0 + chunk.range.lowerBound },
                count: chunk.range.count
            )
        }
    }
}

extension PNGOptions.Filter {
    /// The number of the filter in the shim.
    fileprivate var number: UInt32 {
        switch self {
        case .none: 0
        case .sub: 1
        case .up: 2
        case .average: 3
        case .paeth: 4
        case .automatic: UInt32(TFP_FILTER_AUTOMATIC)
        }
    }
}

extension TransformerError {
    fileprivate static func pngWriting(_ code: tfp_code, _ report: tfp_report) -> Self {
        code == TFP_NO_MEMORY ? .outOfMemory : .invalidValue("the PNG file cannot be written: \(report.messageText)")
    }
}
