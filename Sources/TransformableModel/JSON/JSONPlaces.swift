internal import Foundation
internal import Transformable

/// Finds the positions of the parts of a model in its JSON text, for messages.
///
/// The text must be well-formed JSON. If it is not, the search stops without an error.
struct JSONPlaces {
    private let bytes: [UInt8]
    private var scanner: JSONScanner
    /// The positions where the values of paths such as `model.entities[0].name` begin.
    private var offsets: [String: Int] = [:]
    /// The paths of entities (`Patient`) and of their members (`Patient.name`).
    private var paths: [String: String] = [:]
    /// The length in bytes from which a path is not kept, because each value within would repeat it.
    private static let longPath = 1024

    init(_ text: Data) {
        bytes = Array(text)
        scanner = JSONScanner(bytes[...])
        try? readValue("model", owner: nil)
    }

    /// Adds the position to each fault that begins with a path, or with the name of an entity or of one of its members.
    func located(_ faults: some Sequence<String>) -> [String] {
        let located = faults.map { (fault: $0, offset: offset(of: $0)) }
        let places = TextPlace.places(of: Set(located.compactMap(\.offset)), in: bytes)
        return located.map { fault, offset in
            offset.flatMap { places[$0] }.map { "\($0): \(fault)" } ?? fault
        }
    }

    private func offset(of fault: String) -> Int? {
        let subject = String(fault.prefix { $0 != " " && $0 != ":" })
        guard let path = offsets[subject] == nil ? paths[subject] : subject else { return nil }
        // The member that the fault quotes first, if the object has it.
        let quoted = fault.split(separator: "“", maxSplits: 1).dropFirst().first?.prefix { $0 != "”" }
        return quoted.flatMap { offsets["\(path).\($0)"] } ?? offsets[path]
    }
}

// MARK: - Reading

extension JSONPlaces {
    /// Reads a value.
    ///
    /// The owner is the path of the entity that contains it.
    private mutating func readValue(_ path: String, owner: String?) throws(TransformerError) {
        scanner.skipSpace()
        // The names of models are shorter than 128 bytes.
        let path = path.utf8.count < Self.longPath ? path : ""
        offsets[path] = scanner.position
        if scanner.take("{") {
            try readMembers(of: path, owner: owner)
        } else if scanner.take("[") {
            try readElements(of: path, owner: owner)
        } else if scanner.next == UInt8(ascii: "\"") {
            _ = try scanner.string()
        } else {
            while let byte = scanner.next, !",]} \n\r\t".utf8.contains(byte) { scanner.skipByte() }
        }
    }

    private mutating func readElements(of path: String, owner: String?) throws(TransformerError) {
        guard !scanner.take("]") else { return }
        var index = 0
        repeat {
            try readValue("\(path)[\(index)]", owner: owner)
            index += 1
        } while scanner.take(",")
        _ = scanner.take("]")
    }

    private mutating func readMembers(of path: String, owner: String?) throws(TransformerError) {
        guard !scanner.take("}") else { return }
        let isEntity = path.hasPrefix("model.entities[") && path.hasSuffix("]") && owner == nil
        var inner = owner
        repeat {
            scanner.skipSpace()
            let name = try scanner.string()
            _ = scanner.take(":")
            scanner.skipSpace()
            if name == "name", scanner.next == UInt8(ascii: "\"") {
                offsets["\(path).name"] = scanner.position
                let text = try scanner.string()
                if isEntity { inner = text }
                let key = isEntity ? text : owner.map { "\($0).\(text)" }
                if let key, paths[key] == nil { paths[key] = path }
            } else {
                try readValue("\(path).\(name)", owner: inner)
            }
        } while scanner.take(",")
        _ = scanner.take("}")
    }
}

/// A position in text, as editors show it.
struct TextPlace: CustomStringConvertible {
    let description: String

    init(_ offset: Int, in bytes: [UInt8]) {
        self = Self.places(of: [offset], in: bytes)[offset] ?? Self(line: 1, column: 1)
    }

    private init(line: Int, column: Int) {
        description = "line \(line), column \(column)"
    }

    /// Returns the positions of offsets, in a single pass over the text.
    static func places(of offsets: Set<Int>, in bytes: [UInt8]) -> [Int: Self] {
        var places: [Int: Self] = [:]
        var (line, column, position) = (1, 1, 0)
        for offset in offsets.sorted() {
            for byte in bytes[position..<offset] {
                // The other bytes of a character continue it.
                column = byte == UInt8(ascii: "\n") ? 1 : column + (byte & 0xC0 == 0x80 ? 0 : 1)
                line += byte == UInt8(ascii: "\n") ? 1 : 0
            }
            position = offset
            places[offset] = Self(line: line, column: column)
        }
        return places
    }
}
