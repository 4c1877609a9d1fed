internal import Foundation
package import Transformable

/// Facts about an image file, in order.
package struct ImageFacts {
    package private(set) var all: [Inspection.Fact] = []

    package init(_ image: RasterImage) {
        let metadata = image.metadata
        add("width", "\(image.width)")
        add("height", "\(image.height)")
        if let header = image.encoded?.header {
            all += header.facts
            if header.frameCount > 1 { add("frames", "\(header.frameCount)") }
            add("pixel format", header.pixelFormat.rawValue)
        }
        add(metadata.colorProfile)
        if let exif = metadata.exif {
            add("orientation", "\(metadata.orientation.rawValue) (\(metadata.orientation))")
            add("EXIF", exif.count.counted("byte"))
        }
        if let density = metadata.density { add(density) }
        metadata.exif.flatMap(ExifStructure.init).map { all += ExifFacts($0).all }
        for text in metadata.texts {
            add(text.keyword, Self.shortened(text.text))
        }
        for warning in image.warnings { add("warning", warning) }
    }

    private mutating func add(_ label: String, _ value: String) {
        all.append(Inspection.Fact(label, value))
    }

    private mutating func add(_ profile: ColorProfile) {
        if let points = profile.codePoints {
            add("code points", "\(points.primaries)/\(points.transfer)/\(points.matrix)")
        }
        if let icc = profile.icc {
            let name = profile.iccName.map { "“\($0)”, " } ?? ""
            add("ICC profile", "\(name)\(icc.count.counted("byte"))")
        }
        if let intent = profile.renderingIntent { add("colors", "sRGB, \(intent)") }
        if let gamma = profile.gamma { add("gamma", "\(Double(gamma) / 100_000)") }
        if profile.chromaticities != nil { add("chromaticities", "stated") }
    }

    private mutating func add(_ density: PixelDensity) {
        guard let perInch = density.perInch else {
            add("pixel shape", "\(density.horizontal) to \(density.vertical)")
            return
        }
        let numbers = [perInch.horizontal, perInch.vertical].map { String(format: "%.4g", $0) }
        add("resolution", "\(numbers[0]) × \(numbers[1]) pixels per inch")
    }

    private static func shortened(_ text: String) -> String {
        let line = text.prefix(200).map { $0.isNewline ? " " : String($0) }.joined()
        return line.utf8.count < text.utf8.count ? "\(line)… (\(text.utf8.count) bytes)" : line
    }
}
