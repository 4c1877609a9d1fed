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
            // The file chooses the keyword, which could otherwise pass for another fact, such as the width.
            add("text “\(text.keyword)”", Self.shortened(text.text))
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

/// Readable facts from EXIF about the device, the time, and the location (CIPA DC-008, section 4.6).
package struct ExifFacts {
    private let exif: ExifStructure
    package private(set) var all: [Inspection.Fact] = []

    package init(_ exif: ExifStructure) {
        self.exif = exif
        let main = exif.mainEntries
        let photo = exif.entries(under: 0x8769)
        let place = exif.entries(under: 0x8825)
        addText("make", 0x010F, main)
        addText("model", 0x0110, main)
        addText("software", 0x0131, main)
        addText("artist", 0x013B, main)
        addText("copyright", 0x8298, main)
        addText("changed", 0x0132, main)
        addText("taken", 0x9003, photo)
        addText("lens", 0xA434, photo)
        addExposure(photo)
        addPlace(place)
    }

    private mutating func add(_ label: String, _ value: String) {
        all.append(Inspection.Fact(label, value))
    }

    private mutating func addText(_ label: String, _ tag: Int, _ entries: [ExifStructure.Entry]) {
        guard let entry = entries.first(where: { $0.tag == tag }), let text = exif.text(entry), !text.isEmpty else {
            return
        }
        add(label, String(text.prefix(200)))
    }

    private func fractions(_ tag: Int, _ entries: [ExifStructure.Entry]) -> [Double] {
        entries.first { $0.tag == tag }.map { exif.fractions($0) } ?? []
    }

    private mutating func addExposure(_ photo: [ExifStructure.Entry]) {
        if let time = fractions(0x829A, photo).first, time > 0, time.isFinite {
            add("exposure", time < 0.3 ? String(format: "1/%.0f s", 1 / time) : String(format: "%.4g s", time))
        }
        if let aperture = fractions(0x829D, photo).first, aperture.isFinite {
            add("aperture", String(format: "f/%.3g", aperture))
        }
        if let speed = photo.first(where: { $0.tag == 0x8827 }).flatMap({ exif.unsigned($0) }) {
            add("ISO", "\(speed)")
        }
        if let length = fractions(0x920A, photo).first, length.isFinite {
            add("focal length", String(format: "%.4g mm", length))
        }
    }

    private mutating func addPlace(_ place: [ExifStructure.Entry]) {
        if let latitude = degrees(2, reference: 1, negative: "S", place) {
            add("latitude", String(format: "%.6f", latitude))
        }
        if let longitude = degrees(4, reference: 3, negative: "W", place) {
            add("longitude", String(format: "%.6f", longitude))
        }
        if let altitude = fractions(6, place).first, altitude.isFinite {
            let isBelow = place.first { $0.tag == 5 }.flatMap { exif.unsigned($0) } == 1
            add("altitude", String(format: "%.1f m", isBelow ? -altitude : altitude))
        }
    }

    /// Converts degrees, minutes, and seconds to degrees, with the sign of the hemisphere.
    private func degrees(
        _ tag: Int,
        reference: Int,
        negative: String,
        _ place: [ExifStructure.Entry]
    ) -> Double? {
        let parts = fractions(tag, place)
        guard parts.count == 3 else { return nil }
        let value = parts[0] + parts[1] / 60 + parts[2] / 3600
        guard value.isFinite else { return nil }
        let hemisphere = place.first { $0.tag == reference }.flatMap { exif.text($0) }
        return hemisphere == negative ? -value : value
    }
}
