public import TransformableModel

/// The Swift code of a model: an `@Entity` class for each entity.
///
/// The classes belong to the generator, which replaces them whenever the model changes. Write your own code in
/// extensions, in other files. The same model and map always result in the same code.
///
/// ```swift
/// let code = ModelCode(of: model, named: "Clinic")
/// for file in code.files { print(file.text) }
/// ```
public struct ModelCode: Sendable {
    /// The name of the model.
    public let name: String
    /// What the classes cannot express, or express differently.
    public let notes: [CoreDataNote]
    /// A file for each class, sorted by name, and one that opens stores.
    public let files: [GeneratedFile]
    /// All classes in a single file, as the build plugin needs it.
    public let singleFile: GeneratedFile

    /// Generates the code of a model.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - name: The name of the model, which is part of the names of files and of the schema.
    ///   - map: What the model does not specify: the names of classes, the types of values, and the access level.
    public init(of model: Model, named name: String, map: ModelMap = ModelMap()) {
        self.name = SwiftText.plain(name)
        let context = CodeContext(model, map)
        let classes = model.entities.map { ClassCode($0, context) }.sorted { $0.name < $1.name }
        let schema = SchemaCode(name, classes.map(\.name), context)
        let header = CodeHeader(model: self.name, context)
        files =
            classes.map { code in
                GeneratedFile(Self.fileName(code.name), text: header.text(importing: code.modules) + code.text)
            } + [GeneratedFile(Self.fileName(schema.name), text: header.text(importing: schema.modules) + schema.text)]
        let modules = classes.reduce(schema.modules) { $0.union($1.modules) }
        let texts = classes.map(\.text) + [schema.text]
        singleFile = GeneratedFile(
            Self.fileName(SwiftText.typeName(name)),
            text: header.text(importing: modules) + texts.joined(separator: "\n")
        )
        notes = context.names.notes + classes.flatMap(\.notes) + map.strayNotes(in: model)
    }

    private static func fileName(_ name: String) -> String { "\(name)\(fileSuffix)" }

    /// The end of the name of a generated file.
    static let fileSuffix = ".generated.swift"
}

extension ModelCode {
    /// The access level of generated declarations.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// The declarations can be used in their module.
        case `internal`
        /// The declarations can be used in their package.
        case package
        /// The declarations can be used everywhere.
        case `public`

        /// The modifier and a space, or an empty string if the default suffices.
        var modifier: String { self == .internal ? "" : "\(rawValue) " }
    }
}
