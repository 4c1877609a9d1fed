internal import Foundation
internal import Transformable
internal import TransformableImages

/// Writes netpbm's binary formats: PAM, and PGM or PPM for images without alpha.
struct AnymapWriter {
    enum Kind {
        /// Any image. CMYK is written as RGB.
        case pam
        /// Gray or RGB, without alpha.
        case pnm
    }

    let kind: Kind

    func write(_ image: RasterImage) throws(TransformerError) -> Data {
        if kind == .pnm, image.format.hasAlpha {
            throw .alphaNotSupported(by: "PGM and PPM", wayOut: "write a PAM or PNG file")
        }
        // The formats have no orientation.
        let upright = try image.oriented()
        let image = upright.format == .cmyk8 ? try upright.converted(to: .rgb8) : upright
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
