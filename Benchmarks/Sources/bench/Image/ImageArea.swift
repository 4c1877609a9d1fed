import Foundation
import ImagePlugin
import Transformable
import WebPPlugin

extension Area {
    /// PNG, JPEG, and WebP compared with plain C on the same libraries, and with Pillow.
    static var image: Area {
        Area(
            name: "image",
            scenarios: [
                Scenario("write a PNG of 3 megapixels", maximumRounds: 5) { try pngWriters() },
                Scenario("write a PNG of a screenshot of 3 megapixels", maximumRounds: 5) { try pngWriters(.screen) },
                Scenario("read a PNG of 3 megapixels") { try pngReaders() },
                Scenario("write a JPEG of 3 megapixels") { try jpegWriters() },
                Scenario("read a JPEG of 3 megapixels") { try jpegReaders() },
                Scenario("read the width of a JPEG of 3 megapixels") { try sizeReaders() },
                Scenario("write a WebP of 3 megapixels", maximumRounds: 5) { try webPWriters() },
                Scenario("read a WebP of 3 megapixels") { try webPReaders() },
                Scenario("resize 3 megapixels to 500 × 375") { try resizers() },
                Scenario("a thumbnail of a JPEG of 12 megapixels", maximumRounds: 5) { try thumbnails() },
                Scenario("a thumbnail of a PNG of 3 megapixels", maximumRounds: 5) { try pngThumbnails() },
                Scenario("a JPEG of 1,024 pixels from one of 3 megapixels", maximumRounds: 5) { try fitters() },
                Scenario("write 16 JPEGs of 3 megapixels on all cores", maximumRounds: 5) { try bulkWriters() },
            ]
        )
    }

    private static func pngWriters(_ picture: Picture = Picture()) throws -> [Contender] {
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
        ] + pillow(Picture(), "thumbnail large")
    }

    private static func pngThumbnails() throws -> [Contender] {
        let file = try PNGTransformer().encode(Picture().image())
        return try [
            Contender("thumbnail") { consume(try RasterImage(encoded: file).thumbnail(fit: 256)) }
        ] + pillow(Picture(), "thumbnail png")
    }

    private static func fitters() throws -> [Contender] {
        let file = try JPEGTransformer().encode(Picture().image())
        return try [
            Contender("fit | jpeg") {
                let small = try RasterImage(encoded: file).fitted(width: 1024, height: 1024)
                consume(try JPEGTransformer().encode(small))
            }
        ] + pillow(Picture(), "fit jpeg")
    }

    private static func webPWriters() throws -> [Contender] {
        let picture = Picture()
        let image = try picture.image()
        let transformer = WebPTransformer()
        let quality = transformer.options.quality
        let ours = try transformer.encode(image)
        try Disagreement.unless(WebPPeer.write(picture, quality: quality).data == ours, "WebP files")
        return [
            Contender("webp") { consume(try transformer.encode(image)) },
            Contender("C on libwebp") { consume(WebPPeer.write(picture, quality: quality).isThere) },
        ]
    }

    private static func webPReaders() throws -> [Contender] {
        let transformer = WebPTransformer()
        let file = try transformer.encode(Picture().image())
        try Disagreement.unless(try transformer.decode(file).pixels == WebPPeer.read(file).data, "WebP pixels")
        return [
            Contender("webp") { consume(try transformer.decode(file).pixels) },
            Contender("C on libwebp") { consume(WebPPeer.read(file).isThere) },
        ]
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
