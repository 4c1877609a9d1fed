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

    init(_ text: Data) {
        bytes = Array(text)
        readValue("model", owner: nil)
    }

    /// Adds the position to a fault that begins with a path, or with the name of an entity or of one of its members.
    func located(_ fault: String) -> String {
        guard let offset = offset(of: fault) else { return fault }
        return "\(TextPlace(offset, in: bytes)): \(fault)"
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
        let before = bytes[..<offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        description = "line \(line), column \(column)"
    }
}
