internal import CJPEGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

extension JPEGHeader {
    /// Decodes all pixels, in rows without gaps, at a scale of 1 to 8 eighths.
    ///
    /// The width and the height are rounded up.
    func decodePixels(_ file: EncodedImage, eighths: Int) throws(TransformerError) -> DecodedPixels {
        let (width, height) = scaledSize(eighths: eighths)
        let rowStride = width * pixelFormat.bytesPerPixel
        let memory = try PixelMemory(rowStride * height)
        var picture = tfj_picture(
            width: UInt32(width),
            height: UInt32(height),
            channels: UInt32(pixelFormat.channelCount),
            row_stride: rowStride
        )
        var cost = cost(file.options.limits)
        var reading = tfj_reading(eighths: UInt32(eighths), is_tolerant: file.options.isTolerant ? 1 : 0)
        var report = tfj_report()
        var rows = 0
        let code = unsafe file.bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TFJ_TRUNCATED }
            return unsafe tfj_decode(start, bytes.count, &picture, &cost, &reading, memory.start, &rows, &report)
        }
        guard code == TFJ_OK else { throw .jpeg(code, report) }
        var warnings = report.warningTexts
        if rows < height { warnings.append("the image is intact up to row \(rows) of \(height)") }
        return DecodedPixels(pixels: memory.take(), warnings: warnings, intactRows: rows)
    }

    /// Returns the limits for reading the coefficients.
    func cost(_ limits: ImageLimits) -> tfj_limits {
        tfj_limits(
            max_scans: UInt32(clamping: limits.maxScans),
            // Coefficients have 16 bits, and blocks at the edges are not truncated.
            max_memory: (width + 64) * (height + 64) * components.count * 2 + (4 << 20),
            max_milliseconds: UInt64(max(1, limits.maxSeconds)) * 1000
        )
    }

    /// Returns the size at which libjpeg decodes.
    func scaledSize(eighths: Int) -> (width: Int, height: Int) {
        ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
    }
}

extension tfj_report {
    /// The text of the warnings, as far as they were recorded.
    var warningTexts: [String] {
        var copy = self
        return (0..<min(warning_count, TFJ_WARNING_LIMIT))
            .map { index in
                unsafe String(cString: tfj_warning(&copy, index))
            }
    }

    var messageText: String {
        var copy = self
        return unsafe String(cString: tfj_message(&copy))
    }
}

extension TransformerError {
    /// Returns the error for a failure of the JPEG shim.
    static func jpeg(_ code: tfj_code, _ report: tfj_report) -> Self {
        let message = report.messageText
        let isRecoverable = report.is_recoverable != 0
        switch code {
        case TFJ_TRUNCATED: return .truncated(.jpeg, offset: report.offset, isRecoverable: isRecoverable)
        case TFJ_TOO_LARGE:
            return .limitExceeded("the JPEG file is too large: \(message)", offset: report.offset)
        case TFJ_NO_MEMORY: return .outOfMemory
        case TFJ_TOO_SLOW:
            return .limitExceeded(
                "decoding the JPEG file took too long; raise the limit with “maxSeconds”",
                offset: report.offset
            )
        case TFJ_UNSUPPORTED:
            return Self(.unsupported, "this kind of JPEG is not supported: \(message)", offset: report.offset)
        default: return .damaged(.jpeg, message, offset: report.offset, isRecoverable: isRecoverable)
        }
    }
}
