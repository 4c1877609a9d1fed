internal import Foundation
package import TransformableModel

/// A model in any of the forms that can be read: of Core Data, or of this library, as JSON or in a store.
package enum ModelSource: Sendable {
    case coreData(CoreDataModel)
    case json(Model)
    /// The model in a store of this library, which was read without a key.
    case stored(Model, path: String)

    /// Reads a model from a file or folder other than a store.
    ///
    /// - Parameters:
    ///   - path: A file or folder that ``CoreDataModel/init(contentsOf:version:)`` reads, or a model as JSON.
    ///   - version: The name of the version, or `nil` for the current one.
    /// - Throws: ``CoreDataError``, or `StoreError` if the model is invalid JSON.
    package init(contentsOf path: String, version: String? = nil) throws {
        if try version == nil && !ModelPath.isFolder(path), let json = try Self.json(at: path) {
            self = .json(try Model(json: json))
        } else {
            self = .coreData(try CoreDataModel(contentsOf: path, version: version))
        }
    }

    /// Returns the contents of a file that is JSON by its name or its beginning, or `nil` for any other file.
    private static func json(at path: String) throws(CoreDataError) -> Data? {
        let start = try ModelPath.start(of: path, count: 256)
        let first = start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard ModelPath.pathExtension(of: path) == "json" || first == UInt8(ascii: "{") else { return nil }
        return try ModelPath.contents(of: path)
    }

    /// Returns the model as one of this library, with what was lost.
    ///
    /// - Parameters:
    ///   - map: The map for a Core Data model.
    ///   - version: The version of the result, or `nil` for the source's version, or 1 if it has none.
    /// - Returns: The model and the notes.
    /// - Throws: ``CoreDataError`` if the model cannot be converted, or `StoreError` if it is invalid.
    package func converted(map: ModelMap, version: Int? = nil) throws -> (model: Model, notes: [CoreDataNote]) {
        switch self {
        case .coreData(let model):
            let conversion = try model.converted(map: map, version: version ?? 1)
            return (conversion.model, conversion.notes)
        case .json(let model), .stored(let model, _):
            guard let version else { return (model, notes) }
            return (try model.with(version: version), notes)
        }
    }

    /// The model as a list of facts.
    package var outline: ModelOutline {
        switch self {
        case .coreData(let model): model.outline
        case .json(let model), .stored(let model, _): model.outline
        }
    }

    /// What was noted when the model was read.
    package var notes: [CoreDataNote] {
        switch self {
        case .coreData(let model): model.notes
        case .json, .stored: [trustNote].compactMap(\.self)
        }
    }

    /// A note that nothing shows who wrote the model, if it is that of a store, whose seal only a key can verify.
    package var trustNote: CoreDataNote? {
        guard case .stored(_, let path) = self else { return nil }
        return Self.trustNote(for: path)
    }

    /// Returns the note for the path of a store.
    package static func trustNote(for path: String) -> CoreDataNote {
        let text = "the model in “\(path)” was not authenticated; to check its seal, use “store seal” with the key"
        return CoreDataNote(text, isLoss: false)
    }

    /// The name of the version, if the source has one.
    package var version: String? {
        switch self {
        case .coreData(let model): model.name
        case .json(let model), .stored(let model, _): String(model.version)
        }
    }

    /// Returns the differences between an older model and this one.
    ///
    /// A Core Data model is converted if the other model is not a Core Data model.
    ///
    /// - Parameters:
    ///   - old: The older model.
    ///   - map: The map for a model that has to be converted.
    /// - Returns: The differences.
    /// - Throws: ``CoreDataError`` if a model cannot be converted.
    package func differences(from old: Self, map: ModelMap) throws -> [ModelOutline.Difference] {
        switch (self, old) {
        case (.coreData, .coreData), (.json, .json), (.json, .stored), (.stored, .json), (.stored, .stored):
            outline.differences(from: old.outline)
        default:
            try converted(map: map).model.outline.differences(from: old.converted(map: map).model.outline)
        }
    }
}
