import Foundation
import ImagePlugin
import Transformable

extension Area {
    /// PNG and JPEG beside plain C on the same libraries.
    static var image: Area {
        Area(
            name: "image",
            scenarios: [
                Scenario("write a PNG of 3 megapixels", maximumRounds: 5) { try pngWriters() },
                Scenario("read a PNG of 3 megapixels") { try pngReaders() },
                Scenario("write a JPEG of 3 megapixels") { try jpegWriters() },
                Scenario("read a JPEG of 3 megapixels") { try jpegReaders() },
                Scenario("read the width of a JPEG of 3 megapixels") { try sizeReaders() },
            ]
        )
    }

    private static func pngWriters() throws -> [Contender] {
        let picture = Picture()
        let image = try picture.image()
        let ours = try PNGTransformer().encode(image)
        try Disagreement.unless(PNGPeer.read(ours).data == picture.pixels, "PNG pixels")
        return [
            Contender("png") { consume(try PNGTransformer().encode(image)) },
            Contender("C on libpng") { consume(PNGPeer.write(picture).isThere) },
        ]
    }

    private static func pngReaders() throws -> [Contender] {
        let picture = Picture()
        let file = try PNGTransformer().encode(picture.image())
        try Disagreement.unless(try PNGTransformer().decode(file).pixels == picture.pixels, "PNG pixels")
        return [
            Contender("png") { consume(try PNGTransformer().decode(file).pixels) },
            Contender("C on libpng") { consume(PNGPeer.read(file).isThere) },
        ]
    }

    private static func jpegWriters() throws -> [Contender] {
        let picture = Picture()
        let image = try picture.image()
        let transformer = JPEGTransformer()
        let quality = transformer.options.quality
        let theirs = JPEGPeer.write(picture, quality: quality).data ?? Data()
        let pixels = try transformer.decode(transformer.encode(image)).pixels
        try Disagreement.unless(try transformer.decode(theirs).pixels == pixels, "JPEG pixels")
        return [
            Contender("jpeg") { consume(try transformer.encode(image)) },
            Contender("C on libjpeg") { consume(JPEGPeer.write(picture, quality: quality).isThere) },
        ]
    }

    private static func jpegReaders() throws -> [Contender] {
        let transformer = JPEGTransformer()
        let file = try transformer.encode(Picture().image())
        try Disagreement.unless(try transformer.decode(file).pixels == JPEGPeer.read(file).data, "JPEG pixels")
        return [
            Contender("jpeg") { consume(try transformer.decode(file).pixels) },
            Contender("C on libjpeg") { consume(JPEGPeer.read(file).isThere) },
        ]
    }

    private static func sizeReaders() throws -> [Contender] {
        let transformer = JPEGTransformer()
        let file = try transformer.encode(Picture().image())
        try Disagreement.unless(try transformer.decode(file).width == JPEGPeer.width(file), "the width")
        return [
            Contender("jpeg") { consume(try transformer.decode(file).width) },
            Contender("C on libjpeg") { consume(JPEGPeer.width(file)) },
        ]
    }
}

/// A picture of 8-bit red, green and blue, the same in each run: slopes with noise, as a photograph has.
struct Picture {
    let width = 2_000
    let height = 1_500
    let pixels: Data

    init() {
        var generator = SeededGenerator(seed: 3)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let noise = generator.next()
                pixels.append(UInt8(truncatingIfNeeded: column / 8 + Int(noise & 3)))
                pixels.append(UInt8(truncatingIfNeeded: row / 6 + Int(noise >> 2 & 3)))
                pixels.append(UInt8(truncatingIfNeeded: (row + column) / 16 + Int(noise >> 4 & 3)))
            }
        }
        self.pixels = Data(pixels)
    }

    /// The picture without a file that it came from.
    func image() throws -> RasterImage {
        try RasterImage(width: width, height: height, format: .rgb8, pixels: pixels)
    }
}
