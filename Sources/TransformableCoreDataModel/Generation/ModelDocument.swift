package import Foundation
package import TransformableModel

/// A model that code is generated from, as it is in a file or folder.
package struct ModelDocument: Sendable {
    /// The name of the model: the name of the file without its extension.
    package let name: String
    /// The model.
    package let model: Model
    /// The map of the model's transformers and types, which is empty if there is none.
    package let map: ModelMap
    /// Notes about the parts of a Core Data model that were not converted unchanged.
    package let notes: [CoreDataNote]

    /// Creates a document from a model that was read.
    ///
    /// - Parameters:
    ///   - source: The model.
    ///   - url: Where the model was read.
    ///   - map: The JSON file that maps the model's transformers and types, or `nil` if there is none.
    /// - Throws: ``CoreDataError`` if the map cannot be read or the model cannot be converted, and `StoreError` with the
    ///   code `invalid-model` if the model is not valid.
    package init(_ source: ModelSource, at url: URL, map: URL? = nil) throws {
        let name = url.lastPathComponent
        self.name = Self.suffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) } ?? name
        // Errors name the files as the caller does.
        let mapPath = map?.relativePath
        self.map = try mapPath.map { try ModelMap(json: ModelPath.contents(of: $0), file: $0) } ?? ModelMap()
        (model, notes) = try source.converted(map: self.map)
    }

    private static let suffixes = [
        ".transformable.json", ".xcdatamodeld", ".xcdatamodel", ".momd", ".mom", ".sqlite", ".json",
    ]

    /// Returns the code of the model.
    ///
    /// - Parameter access: The access level, or `nil` for the one that the map states.
    /// - Returns: The code.
    package func code(access: ModelCode.Access? = nil) -> ModelCode {
        var map = map
        map.access = access ?? map.access
        return ModelCode(of: model, named: name, map: map)
    }
}
