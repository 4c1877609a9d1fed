internal import CPNGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

extension PNGHeader {
    /// Decodes all pixels, in rows without gaps.
    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        let memory = try PixelMemory(rowSize * height)
        var picture = picture
        var limits = limits(for: file)
        let bytes = file.options.isTolerant ? PNGChunks.completed(file.bytes) : file.bytes
        let isTolerant: Int32 = file.options.isTolerant ? 1 : 0
        var report = tfp_report()
        var rows = 0
        let code = unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TFP_TRUNCATED }
            return unsafe tfp_decode(start, bytes.count, &picture, &limits, isTolerant, memory.start, &rows, &report)
        }
        guard code == TFP_OK else { throw .png(code, report) }
        var warnings = report.warningTexts
        if rows < height { warnings.append("the image is intact up to row \(rows) of \(height)") }
        return DecodedPixels(pixels: memory.take(), warnings: warnings, intactRows: rows)
    }

    /// Decodes pixels row by row, so that only one row is in memory.
    ///
    /// - Parameters:
    ///   - file: The file, which must not be interlaced.
    ///   - body: A closure that receives each row, from the top.
    /// - Throws: `TransformerError` if the file is damaged, as ``decodePixels(_:)`` does. Some rows may have been read.
    func decodeRows(_ file: EncodedImage, _ body: (Span<UInt8>) -> Void) throws(TransformerError) {
        var picture = picture
        var limits = limits(for: file)
        var report = tfp_report()
        var row = [UInt8](repeating: 0, count: rowSize)
        let code = unsafe file.bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TFP_TRUNCATED }
            var reader: OpaquePointer?
            var code = unsafe tfp_open(start, bytes.count, &picture, &limits, &reader, &report)
            defer { unsafe tfp_close(reader) }
            for _ in 0..<height {
                guard code == TFP_OK, let reader = unsafe reader else { break }
                code = unsafe row.withUnsafeMutableBytes { row in
                    guard let start = row.baseAddress else { return TFP_MISUSE }
                    return unsafe tfp_read_row(reader, start, &report)
                }
                if code == TFP_OK { body(row.span) }
            }
            return code
        }
        guard code == TFP_OK else { throw .png(code, report) }
    }

    private var rowSize: Int { width * pixelFormat.bytesPerPixel }

    private var picture: tfp_picture {
        tfp_picture(
            width: UInt32(width),
            height: UInt32(height),
            channels: UInt32(pixelFormat.channelCount),
            bits: UInt32(pixelFormat.bitsPerSample),
            row_stride: rowSize
        )
    }

    private func limits(for file: EncodedImage) -> tfp_limits {
        tfp_limits(
            max_width: UInt32(width),
            max_height: UInt32(height),
            max_memory: file.options.limits.maxMetadataBytes + 64 * rowSize + (1 << 20),
            max_milliseconds: UInt64(max(1, file.options.limits.maxSeconds)) * 1000
        )
    }
}

extension tfp_report {
    /// The text of the warnings, as far as they were recorded.
    var warningTexts: [String] {
        var copy = self
        return (0..<min(warning_count, TFP_WARNING_LIMIT))
            .map { index in
                unsafe String(cString: tfp_warning(&copy, index))
            }
    }

    var messageText: String {
        var copy = self
        return unsafe String(cString: tfp_message(&copy))
    }
}

extension TransformerError {
    /// Returns the error for a failure of the PNG shim.
    static func png(_ code: tfp_code, _ report: tfp_report) -> Self {
        let message = report.messageText
        let isRecoverable = report.is_recoverable != 0
        switch code {
        case TFP_TRUNCATED: return .truncated(.png, offset: report.offset, isRecoverable: isRecoverable)
        case TFP_TOO_LARGE:
            return .limitExceeded("the PNG file requires more memory than its size justifies", offset: report.offset)
        case TFP_NO_MEMORY: return .outOfMemory
        case TFP_TOO_SLOW:
            return .limitExceeded(
                "decoding the PNG file took too long; raise the limit with “maxSeconds”",
                offset: report.offset
            )
        default: return .damaged(.png, message, offset: report.offset, isRecoverable: isRecoverable)
        }
    }
}
