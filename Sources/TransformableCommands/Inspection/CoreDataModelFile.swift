internal import Foundation
internal import Transformable
internal import TransformableCoreData

/// Describes Core Data models: folders of versions, single versions, and compiled models.
enum CoreDataModelFile {
    private static let folders: Set = ["xcdatamodeld", "momd", "xcdatamodel"]

    /// Describes a file or folder.
    ///
    /// - Parameter path: The file or folder.
    /// - Returns: A description, or `nil` if its name is not that of a Core Data model.
    /// - Throws: `CoreDataError` if the model cannot be read.
    static func inspect(_ path: String) throws -> InspectionReport? {
        let url = URL(filePath: path)
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
        let kind = url.pathExtension.lowercased()
        guard isFolder ? folders.contains(kind) : kind == "mom" || isContents(url) else { return nil }
        let facts = try ["xcdatamodeld", "momd"].contains(kind) ? factsOfFolder(path) : facts(of: path)
        let name = ["mom", "momd"].contains(kind) ? "compiled Core Data model" : "Core Data model"
        return InspectionReport(Inspection(name, facts: facts), count: size(of: url, isFolder: isFolder))
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
