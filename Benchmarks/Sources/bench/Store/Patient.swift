import Foundation
import Transformable
import TransformableStore

/// What the rows hold.
enum Patient {
    static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"),
                    .transformed("bed", "rect", as: CGRect.self),
                    .transformed("ssn", "sealed", as: String.self),
                ]
            )
        ])
    }

    /// Sets the values of a new row.
    @Sendable static func fill(_ patient: ManagedObject, _ number: Int64) throws {
        try patient.setValue(name(number), for: "name")
        try patient.setValue(bed(number), for: "bed")
        try patient.setValue(ssn(number), for: "ssn")
    }

    /// What a row of a store adds to the sum.
    static func sum(of patient: ManagedObject) throws -> Double {
        sum(
            try patient.value("name", as: String.self),
            try patient.value("bed", as: CGRect.self),
            ssn: try patient.value("ssn", as: String.self).utf8.count
        )
    }

    static func name(_ number: Int64) -> String { "Patient \(number)" }

    static func bed(_ number: Int64) -> CGRect {
        let number = Double(number)
        return CGRect(x: number, y: number / 2, width: number / 3, height: 4.25)
    }

    static func ssn(_ number: Int64) -> String { "123-45-\(number)" }

    /// What each row adds to the sum that shows everything was read.
    static func sum(_ name: String, _ bed: CGRect, ssn: Int) -> Double {
        let origin = bed.origin.x + bed.origin.y
        return origin + bed.size.width + bed.size.height + Double(ssn) + Double(name.utf8.count)
    }
}

/// A folder that is removed with the value.
final class TemporaryFolder {
    private let url = URL.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Lends a new file, and removes it along with the files next to it.
    func withFile(_ body: (URL) throws -> Void) throws {
        let name = UUID().uuidString
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(at: file(name + suffix))
            }
        }
        try body(file(name))
    }
}
