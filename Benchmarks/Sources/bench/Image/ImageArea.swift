import Foundation
import ImagePlugin
import Transformable
import _HostileInputs

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
                Scenario("resize 3 megapixels to 500 × 375") { try resizers() },
                Scenario("a thumbnail of a JPEG of 12 megapixels", maximumRounds: 5) { try thumbnails() },
                Scenario("write 16 JPEGs of 3 megapixels on all cores", maximumRounds: 5) { try bulkWriters() },
            ]
        )
    }

    private static func pngWriters() throws -> [Contender] {
        let picture = Picture()
        let image = try picture.image()
        let ours = try PNGTransformer().encode(image)
        try Disagreement.unless(PNGPeer.read(ours).data == picture.pixels, "PNG pixels")
        return try [
            Contender("png") { consume(try PNGTransformer().encode(image)) },
            Contender("C on libpng") { consume(PNGPeer.write(picture).isThere) },
        ] + pillow(picture, "write png")
    }

    private static func pngReaders() throws -> [Contender] {
        let picture = Picture()
        let file = try PNGTransformer().encode(picture.image())
        try Disagreement.unless(try PNGTransformer().decode(file).pixels == picture.pixels, "PNG pixels")
        return try [
            Contender("png") { consume(try PNGTransformer().decode(file).pixels) },
            Contender("C on libpng") { consume(PNGPeer.read(file).isThere) },
        ] + pillow(Picture(), "read png")
    }

    private static func jpegWriters() throws -> [Contender] {
        let picture = Picture()
        let image = try picture.image()
        let transformer = JPEGTransformer()
        let quality = transformer.options.quality
        let theirs = JPEGPeer.write(picture, quality: quality).data ?? Data()
        let pixels = try transformer.decode(transformer.encode(image)).pixels
        try Disagreement.unless(try transformer.decode(theirs).pixels == pixels, "JPEG pixels")
        return try [
            Contender("jpeg") { consume(try transformer.encode(image)) },
            Contender("C on libjpeg") { consume(JPEGPeer.write(picture, quality: quality).isThere) },
        ] + pillow(picture, "write jpeg")
    }

    private static func jpegReaders() throws -> [Contender] {
        let transformer = JPEGTransformer()
        let file = try transformer.encode(Picture().image())
        try Disagreement.unless(try transformer.decode(file).pixels == JPEGPeer.read(file).data, "JPEG pixels")
        return try [
            Contender("jpeg") { consume(try transformer.decode(file).pixels) },
            Contender("C on libjpeg") { consume(JPEGPeer.read(file).isThere) },
        ] + pillow(Picture(), "read jpeg")
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

    private static func resizers() throws -> [Contender] {
        let image = try Picture().image()
        return try [
            Contender("resized") { consume(try image.resized(width: 500, height: 375)) }
        ] + pillow(Picture(), "resize")
    }

    private static func thumbnails() throws -> [Contender] {
        let file = try JPEGTransformer().encode(Picture.large.image())
        return try [
            Contender("thumbnail") { consume(try RasterImage(encoded: file).thumbnail(fit: 256)) },
            Contender("decoding all and scaling") {
                consume(try RasterImage(encoded: file).detached().resized(width: 256, height: 192))
            },
        ] + pillow(Picture(), "thumbnail")
    }

    private static func bulkWriters() throws -> [Contender] {
        let images = Array(repeating: try Picture().image(), count: 16)
        return [
            Contender("encodeAll") { consume(try JPEGTransformer().encodeAll(images)) },
            Contender("one after the other") { consume(try images.map { try JPEGTransformer().encode($0) }) },
        ]
    }

    private static func pillow(_ picture: Picture, _ work: String) throws -> [Contender] {
        try PillowPeer(picture).map { [$0.contender(work)] } ?? []
    }
}

/// A picture of 8-bit red, green and blue, the same in each run: slopes with noise, as a photograph has.
struct Picture {
    let width: Int
    let height: Int
    let pixels: Data

    /// One of 12 megapixels.
    static let large = Picture(width: 4_000, height: 3_000)

    init(width: Int = 2_000, height: Int = 1_500) {
        self.width = width
        self.height = height
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
