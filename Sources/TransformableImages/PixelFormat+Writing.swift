extension PixelFormat {
    /// Writes pixels in this format, which must not be CMYK.
    ///
    /// - Parameters:
    ///   - row: The pixels of a row.
    ///   - target: The buffer, which must have enough space.
    ///   - start: The offset of the first byte.
    package func write(_ row: [WidePixel], to target: inout MutableSpan<UInt8>, at start: Int) {
        var at = start
        func put(_ sample: UInt16) {
            if bitsPerSample == 8 {
                target[at] = sample.toEightBits
                at += 1
            } else {
                target[at] = UInt8(truncatingIfNeeded: sample)
                target[at + 1] = UInt8(truncatingIfNeeded: sample >> 8)
                at += 2
            }
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
