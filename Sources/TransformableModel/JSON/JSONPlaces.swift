internal import Foundation

/// Finds the positions of the parts of a model in its JSON text, for messages.
///
/// The text must be well-formed JSON. If it is not, the search stops without an error.
struct JSONPlaces {
    private let bytes: [UInt8]
    private var position = 0
    /// The positions where the values of paths such as `model.entities[0].name` begin.
    private var offsets: [String: Int] = [:]
    /// The paths of entities (`Patient`) and of their members (`Patient.name`).
    private var paths: [String: String] = [:]
    /// The length in bytes from which a path is not kept, because each value within would repeat it.
    private static let longPath = 1024

    init(_ text: Data) {
        bytes = Array(text)
        readValue("model", owner: nil)
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
    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    /// Reads a value.
    ///
    /// The owner is the path of the entity that contains it.
    private mutating func readValue(_ path: String, owner: String?) {
        skipSpace()
        // The names of models are shorter than 128 bytes.
        let path = path.utf8.count < Self.longPath ? path : ""
        offsets[path] = position
        if take("{") {
            readMembers(of: path, owner: owner)
        } else if take("[") {
            var index = 0
            while position < bytes.count, !take("]") {
                readValue("\(path)[\(index)]", owner: owner)
                index += 1
                _ = take(",")
            }
        } else if byte == UInt8(ascii: "\"") {
            _ = string()
        } else {
            let start = position
            while let byte, !",]} \n\r\t".utf8.contains(byte) { position += 1 }
            // Always advance, whatever the character is.
            if position == start { position += 1 }
        }
    }

    private mutating func readMembers(of path: String, owner: String?) {
        let isEntity = path.hasPrefix("model.entities[") && path.hasSuffix("]") && owner == nil
        var inner = owner
        while position < bytes.count, !take("}") {
            skipSpace()
            let start = position
            let name = string()
            if position == start { position += 1 }
            _ = take(":")
            skipSpace()
            if name == "name", byte == UInt8(ascii: "\"") {
                let value = position
                let text = string()
                offsets["\(path).name"] = value
                if isEntity { inner = text }
                let key = isEntity ? text : owner.map { "\($0).\(text)" }
                if let key, paths[key] == nil { paths[key] = path }
            } else {
                readValue("\(path).\(name)", owner: inner)
            }
            _ = take(",")
        }
    }

    /// Reads a string without its quotation marks.
    ///
    /// Escapes stay as they are.
    private mutating func string() -> String {
        guard byte == UInt8(ascii: "\"") else { return "" }
        position += 1
        let start = position
        while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        let end = min(position, bytes.count)
        position = min(position + 1, bytes.count)
        return String(decoding: bytes[start..<end], as: UTF8.self)
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
