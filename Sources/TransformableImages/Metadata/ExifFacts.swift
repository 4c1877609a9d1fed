internal import Foundation
package import Transformable

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
