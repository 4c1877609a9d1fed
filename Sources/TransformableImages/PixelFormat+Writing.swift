extension PixelFormat {
    /// Writes pixels in this format, which must not be CMYK.
    ///
    /// - Parameters:
    ///   - row: The pixels of a row.
    ///   - target: The buffer, which must have enough space.
    ///   - start: The offset of the first byte.
    package func write(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        // One loop for each layout, because this runs for every pixel.
        if bitsPerSample == 8 {
            writeEightBits(row, to: &target, at: start)
        } else {
            writeSixteenBits(row, to: &target, at: start)
        }
    }

    private func writeEightBits(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        let (hasColor, hasAlpha) = (hasColor, hasAlpha)
        var at = start
        for pixel in row {
            if hasColor {
                target[at] = pixel.red.toEightBits
                target[at + 1] = pixel.green.toEightBits
                target[at + 2] = pixel.blue.toEightBits
                at += 3
            } else {
                target[at] = pixel.luma.toEightBits
                at += 1
            }
            if hasAlpha {
                target[at] = pixel.alpha.toEightBits
                at += 1
            }
        }
    }

    private func writeSixteenBits(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        let (hasColor, hasAlpha) = (hasColor, hasAlpha)
        var at = start
        func put(_ sample: UInt16) {
            target[at] = UInt8(truncatingIfNeeded: sample)
            target[at + 1] = UInt8(truncatingIfNeeded: sample >> 8)
            at += 2
        }
        for pixel in row {
            if hasColor {
                put(pixel.red)
                put(pixel.green)
                put(pixel.blue)
            } else {
                put(pixel.luma)
            }
            if hasAlpha { put(pixel.alpha) }
        }
    }
}
