internal import CPNGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

extension PNGHeader {
    /// Decodes all pixels, in rows without gaps.
    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        let rowStride = width * pixelFormat.bytesPerPixel
        let memory = try PixelMemory(rowStride * height)
        var picture = tfp_picture(
            width: UInt32(width),
            height: UInt32(height),
            channels: UInt32(pixelFormat.channelCount),
            bits: UInt32(pixelFormat.bitsPerSample),
            row_stride: rowStride
        )
        var limits = tfp_limits(
            max_width: UInt32(width),
            max_height: UInt32(height),
            max_memory: file.options.limits.maxMetadataBytes + 64 * rowStride + (1 << 20),
            max_milliseconds: UInt64(max(1, file.options.limits.maxSeconds)) * 1000
        )
        var report = tfp_report()
        var rows = 0
        let code = unsafe file.bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TFP_TRUNCATED }
            return unsafe tfp_decode(start, bytes.count, &picture, &limits, memory.start, &rows, &report)
        }
        guard code == TFP_OK else { throw .png(code, report) }
        return DecodedPixels(pixels: memory.take(), warnings: report.warningTexts)
    }
}

extension tfp_report {
    /// The texts of the warnings, as far as they were recorded.
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
        switch code {
        case TFP_TRUNCATED: return .truncated(.png, offset: report.offset)
        case TFP_TOO_LARGE:
            return .limitExceeded("the PNG file requires more memory than its size justifies", offset: report.offset)
        case TFP_NO_MEMORY: return .outOfMemory
        case TFP_TOO_SLOW:
            return .limitExceeded(
                "decoding the PNG file took too long; raise the limit with “maxSeconds”",
                offset: report.offset
            )
        default: return .damaged(.png, message, offset: report.offset)
        }
    }
}
