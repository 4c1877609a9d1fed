internal import Foundation
internal import Transformable
internal import TransformableCoreData

/// A kind of file that is recognized by its first bytes, for files that no plugin recognizes.
struct FileKind: Sendable {
    let name: String

    /// Recognizes a kind of file.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file, or the beginning of it.
    ///   - isWhole: Whether the bytes are the whole file.
    init(sniffing bytes: Data, isWhole: Bool = true) {
        let bytes = isWhole ? bytes : bytes.withoutPartOfCharacter
        let known = Self.signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
        name = known?.name ?? Self.nameOfText(bytes) ?? (bytes.isEmpty ? "empty" : "binary data")
    }

    private static let signatures: [(name: String, offset: Int, bytes: [UInt8])] = [
        ("PNG image", 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ("JPEG image", 0, [0xFF, 0xD8, 0xFF]),
        ("GIF image", 0, Array("GIF8".utf8)),
        ("WebP image", 8, Array("WEBP".utf8)),
        ("TIFF image", 0, [0x49, 0x49, 0x2A, 0x00]),
        ("TIFF image", 0, [0x4D, 0x4D, 0x00, 0x2A]),
        ("PAM image", 0, Array("P7\n".utf8)),
        ("binary property list", 0, Array("bplist00".utf8)),
        ("SQLite database", 0, Array("SQLite format 3\0".utf8)),
        ("sealed value", 0, [0x8F, 0x54, 0x46, 0x53]),
        ("gzip data", 0, [0x1F, 0x8B]),
        ("ZIP archive", 0, [0x50, 0x4B, 0x03, 0x04]),
        ("PDF document", 0, Array("%PDF-".utf8)),
    ]

    private static func nameOfText(_ bytes: Data) -> String? {
        guard !bytes.isEmpty, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) {
        case "{", "[": return isJSON(bytes) ? "JSON text" : "UTF-8 text"
        case "<" where text.contains("<!DOCTYPE plist"): return "XML property list"
        case "<" where text.hasPrefix("<?xml"): return "XML text"
        default: return "UTF-8 text"
        }
    }

    private static func isJSON(_ bytes: Data) -> Bool {
        (try? JSONSerialization.jsonObject(with: bytes)) != nil
    }
}

extension Data {
    /// Returns the bytes without an incomplete UTF-8 character at their end.
    fileprivate var withoutPartOfCharacter: Data {
        for count in 1...3 {
            guard let byte = suffix(count).first else { break }
            if byte & 0xC0 == 0xC0 { return dropLast(count) }
            if byte & 0x80 == 0 { break }
        }
        return self
    }
}

extension Inspection {
    /// Creates a description of bytes if only their kind is known.
    init(of kind: FileKind, _ bytes: Data) {
        let start = bytes.prefix(16).map { HexadecimalText.text(of: [$0]) }.joined(separator: " ")
        let text = String(validating: bytes, as: UTF8.self)
        // The last line may or may not end in a line feed.
        let ends = bytes.count { $0 == UInt8(ascii: "\n") }
        let lines = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? ends : ends + 1
        self.init(kind.name, facts: [text == nil ? Fact("begins", start) : Fact("lines", "\(lines)")])
    }
}

/// Describes Core Data models: folders of versions, single versions, and compiled models.
enum CoreDataModelFile {
    private static let folders: Set = ["xcdatamodeld", "momd", "xcdatamodel"]

    /// Describes a file or folder.
    ///
    /// - Parameter path: The file or folder.
    /// - Returns: A description, or `nil` if its name is not that of a Core Data model.
    /// - Throws: `CoreDataError` if the model cannot be read.
    static func inspect(_ path: String) throws -> InspectionReport? {
        guard isModel(path) else { return nil }
        let url = URL(filePath: path)
        let kind = url.pathExtension.lowercased()
        let facts = try ["xcdatamodeld", "momd"].contains(kind) ? factsOfFolder(path) : facts(of: path)
        let name = ["mom", "momd"].contains(kind) ? "compiled Core Data model" : "Core Data model"
        return InspectionReport(Inspection(name, facts: facts), count: size(of: url, isFolder: isFolder(url)))
    }

    /// Returns whether the name of a file or folder that exists is that of a Core Data model.
    static func isModel(_ path: String) -> Bool {
        let url = URL(filePath: path)
        let kind = url.pathExtension.lowercased()
        return isFolder(url) ? folders.contains(kind) : access(path, F_OK) == 0 && kind == "mom" || isContents(url)
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }

    private static func isContents(_ url: URL) -> Bool {
        url.lastPathComponent == "contents" && url.deletingLastPathComponent().pathExtension == "xcdatamodel"
    }

    private static func factsOfFolder(_ path: String) throws -> [Inspection.Fact] {
        let (names, current) = try CoreDataModel.versions(at: path)
        let versions = Inspection.Fact("versions", names.joined(separator: ", "))
        guard let current else { return [versions, Inspection.Fact("current", "not stated")] }
        return try [versions, Inspection.Fact("current", current)] + facts(of: path)
    }

    private static func facts(of path: String) throws -> [Inspection.Fact] {
        let model = try CoreDataModel(contentsOf: path)
        let attributes = model.entities.reduce(0) { $0 + $1.attributes.count }
        let relationships = model.entities.reduce(0) { $0 + $1.relationships.count }
        return [
            Inspection.Fact("entities", "\(model.entities.count)"),
            Inspection.Fact("attributes", "\(attributes)"),
            Inspection.Fact("relationships", "\(relationships)"),
            Inspection.Fact("names", model.entities.map(\.name).joined(separator: ", ")),
        ] + (model.notes.isEmpty ? [] : [Inspection.Fact("notes", "\(model.notes.count)")])
    }

    private static func size(of url: URL, isFolder: Bool) -> Int {
        let files = isFolder ? (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? [] : [""]
        return files.reduce(0) { sum, file in
            let path = file.isEmpty ? url.path : "\(url.path)/\(file)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let isRegular = attributes?[.type] as? FileAttributeType == .typeRegular
            return sum + (isRegular ? attributes?[.size] as? Int ?? 0 : 0)
        }
    }
}
