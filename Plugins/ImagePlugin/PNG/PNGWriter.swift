internal import CPNGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// Writes an image as a PNG file.
struct PNGWriter {
    let options: PNGOptions

    func write(_ image: RasterImage) throws(TransformerError) -> Data {
        try image.checkIsStill(for: "a new PNG file")
        let chunks = try PNGMetadataWriter(image.metadata).chunks
        let direct = try PNGLayout(image)
        let layouts = options.palette == .automatic ? try PNGReduction(image).layouts : [direct]
        var picture = tfp_picture()
        picture.width = UInt32(clamping: image.width)
        picture.height = UInt32(clamping: image.height)
        var buffer = unsafe tfp_buffer()
        var report = tfp_report()
        let blocks = layouts.map { PNGWritingBlock($0, chunks) }
        let code = unsafe encode(Array(zip(layouts, blocks))[...], [], picture, &buffer, &report)
        guard code == TFP_OK else { throw .pngWriting(code, report) }
        return unsafe Data(taking: &buffer)
    }

    /// Adds the first layout to those that are ready, whose pointers are valid during the call, and encodes the smallest
    /// when all are.
    @unsafe private func encode(
        _ layouts: ArraySlice<(PNGLayout, PNGWritingBlock)>,
        _ ready: [tfp_layout],
        _ picture: tfp_picture,
        _ buffer: inout tfp_buffer,
        _ report: inout tfp_report
    ) -> tfp_code {
        guard let (layout, block) = layouts.first else {
            return unsafe ready.withUnsafeBufferPointer { ready in
                guard let start = ready.baseAddress else { return TFP_MISUSE }
                return unsafe tfp_encode(start, ready.count, &buffer, &report)
            }
        }
        return unsafe layout.pixels.withUnsafeBytes { pixels in
            unsafe block.bytes.withUnsafeBytes { bytes in
                unsafe block.chunkList(in: bytes)
                    .withUnsafeBufferPointer { chunks in
                        guard let start = pixels.baseAddress else { return TFP_MISUSE }
                        var writing = unsafe writing(layout, block, bytes)
                        unsafe writing.chunks = chunks.baseAddress
                        unsafe writing.chunk_count = chunks.count
                        let next = unsafe tfp_layout(
                            pixels: start,
                            picture: layout.picture(like: picture),
                            writing: writing
                        )
                        return unsafe encode(layouts.dropFirst(), ready + [next], picture, &buffer, &report)
                    }
            }
        }
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

    init(_ layout: PNGLayout, _ metadata: [PNGNewChunk]) {
        let chunks = metadata + (layout.transparentColor.map { [PNGNewChunk(type: "tRNS", data: $0)] } ?? [])
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

extension PNGLayout {
    /// The description of the pixels of a picture with the given size.
    fileprivate func picture(like picture: tfp_picture) -> tfp_picture {
        var result = picture
        result.channels = UInt32(colorType.samples)
        result.bits = bitDepth == 16 ? 16 : 8
        result.row_stride = rowStride
        return result
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
