internal import Transformable
internal import TransformableModel

/// The Swift type of an attribute's values.
struct SwiftType {
    /// The type, as it is written.
    let text: String
    /// The module that declares the type, or `nil` if it is Swift's or one that the map imports.
    let module: String?
    /// Whether the type is the one that the attribute's own type stands for, so that the model's default fits it.
    let isPlain: Bool
    /// Whether the type was guessed.
    let isGuess: Bool

    /// Whether the macro recognizes the type by its text, which then has no module.
    var isWrittenPlainly: Bool { isPlain && !text.contains(".") }

    init(of attribute: AttributeDescription, in entity: String, _ context: CodeContext) {
        let expression = attribute.type == .transformed ? attribute.storedExpression : nil
        if let text = context.map.type(of: attribute, in: entity) {
            (self.text, module, isPlain, isGuess) = (text, nil, false, false)
            return
        }
        let known = expression.map(Self.input(of:)) ?? Self.plain[attribute.type]
        let (name, module) = known ?? ("Data", "Foundation")
        text = context.type(name, in: module)
        self.module = module == "Swift" ? nil : module
        isPlain = known != nil
        isGuess = known == nil
    }

    private static let plain: [AttributeType: (String, String)] = [
        .int8: ("Int8", "Swift"), .int16: ("Int16", "Swift"), .int32: ("Int32", "Swift"), .int64: ("Int64", "Swift"),
        .uint8: ("UInt8", "Swift"), .uint16: ("UInt16", "Swift"), .uint32: ("UInt32", "Swift"),
        .uint64: ("UInt64", "Swift"), .float: ("Float", "Swift"), .double: ("Double", "Swift"),
        .decimal: ("Decimal", "Foundation"), .boolean: ("Bool", "Swift"), .string: ("String", "Swift"),
        .date: ("Date", "Foundation"), .data: ("Data", "Foundation"), .uuid: ("UUID", "Foundation"),
        .url: ("URL", "Foundation"),
    ]

    /// Returns the type that a transformer encodes, with its module, or `nil` if the transformer is not one of ours.
    private static func input(of expression: String) -> (String, String)? {
        guard let stage = try? TransformerExpression(expression).stages.first?.name.rawValue else { return nil }
        return inputs.first { $0.stages.contains(stage) }.map { ($0.type, $0.module) }
    }

    /// The transformers of this package's plugins by the types that they encode.
    private static let inputs: [(type: String, module: String, stages: Set<String>)] = [
        ("String", "Swift", ["camel-case", "kebab-case", "lower-camel-case", "nfc", "reversed", "snake-case", "text"]),
        ("String", "Swift", ["title-case", "transliterate"]),
        ("Bool", "Swift", ["bool"]),
        ("Double", "Swift", ["double", "double-text", "number-format"]),
        ("Float", "Swift", ["float", "float-text"]),
        ("Int64", "Swift", ["int64", "integer-text"]),
        ("Int32", "Swift", ["int32"]), ("Int16", "Swift", ["int16"]), ("Int8", "Swift", ["int8"]),
        ("UInt64", "Swift", ["uint64"]), ("UInt32", "Swift", ["uint32"]), ("UInt16", "Swift", ["uint16"]),
        ("UInt8", "Swift", ["uint8"]),
        ("Data", "Foundation", ["ascii85", "base16", "base32", "base64", "base64url", "base85", "deflate", "gzip"]),
        ("Data", "Foundation", ["sealed", "z85", "zlib"]),
        ("Date", "Foundation", ["date-format", "http-date", "iso8601", "iso8601-date", "iso8601-week", "rfc2822"]),
        ("Date", "Foundation", ["reference-time", "unix-time"]),
        ("Decimal", "Foundation", ["decimal"]), ("UUID", "Foundation", ["uuid"]), ("URL", "Foundation", ["url"]),
        ("CGPoint", "Foundation", ["point"]), ("CGSize", "Foundation", ["size"]), ("CGRect", "Foundation", ["rect"]),
        ("NSEdgeInsets", "Foundation", ["insets"]), ("NSRange", "Foundation", ["range"]),
        ("AffineTransform", "Foundation", ["affine-transform"]),
        ("Vector", "GeometryPlugin", ["vector"]),
        ("RasterImage", "ImagePlugin", ["image", "jpeg", "png"]), ("RasterImage", "WebPPlugin", ["webp"]),
        ("JSONValue", "StandardPlugin", ["json"]), ("PropertyListValue", "StandardPlugin", ["plist"]),
        ("ArchivedValue", "KeyedArchivePlugin", ["keyed-archive"]),
    ]
}

extension ModelMap {
    /// Returns the Swift type that the map states for an attribute, or `nil` if it states none.
    ///
    /// The transformer and the class of a Core Data model are names of types, too.
    func type(of attribute: AttributeDescription, in entity: String) -> String? {
        Self.typeNames(of: attribute, in: entity).lazy.compactMap { types[$0] }.first
    }

    /// Returns the names by which a map can state the Swift type of an attribute, the most specific one first.
    private static func typeNames(of attribute: AttributeDescription, in entity: String) -> [String] {
        let expression = attribute.type == .transformed ? attribute.storedExpression : nil
        let stated = [ModelConverter.Key.transformer, ModelConverter.Key.className].map { attribute.userInfo[$0] }
        return ["\(entity).\(attribute.name)"] + ([expression] + stated).compactMap(\.self)
    }

    /// Returns notes about names in the map that the model does not have.
    func strayNotes(in model: Model) -> [CoreDataNote] {
        var (attributes, names): (Set<String>, Set<String>) = ([], [])
        for entity in model.entities {
            for attribute in entity.attributes + entity.composites.flatMap(\.attributes) {
                attributes.insert("\(entity.name).\(attribute.name)")
                names.formUnion(Self.typeNames(of: attribute, in: entity.name))
            }
        }
        func stray(_ keys: some Collection<String>, _ known: Set<String>, _ what: String, _ kinds: String) -> [String] {
            keys.filter { !known.contains($0) }.sorted()
                .map { "the map gives “\($0)” \(what), but the model has no such \(kinds)" }
        }
        let texts =
            stray(classes.keys, Set(model.entities.map(\.name)), "a class", "entity")
            + stray(types.keys, names, "a type", "attribute, transformer, or class")
            + stray(initialValues.keys, attributes, "an initial value", "attribute")
        return texts.map { CoreDataNote($0, isLoss: false) }
    }
}
