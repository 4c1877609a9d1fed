internal import TransformableModel

/// What the code of all classes of a model depends on.
struct CodeContext {
    let model: Model
    let map: ModelMap
    let names: ClassNames
    private let entities: [String: EntityDescription]

    init(_ model: Model, _ map: ModelMap) {
        self.model = model
        self.map = map
        names = ClassNames(model, map)
        entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The access modifier and a space, or an empty string.
    var access: String { map.access?.modifier ?? "" }

    func entity(_ name: String) -> EntityDescription? { entities[name] }

    /// Returns the name of a type from a library, with its module if a generated class has the same name.
    func type(_ name: String, in module: String) -> String {
        names.isUsed(name) ? "\(module).\(name)" : name
    }
}

/// The beginning of each generated file.
struct CodeHeader {
    private let model: String
    private let access: String
    private let imports: [String]

    init(model: String, _ context: CodeContext) {
        self.model = model
        access = context.access
        imports = context.map.imports
    }

    /// The first line, by which the files of a model are recognized.
    static func mark(_ model: String) -> String {
        "// Generated from the model “\(model)”. Do not edit: write your own code in extensions, in other files."
    }

    /// Returns the beginning of a file that uses the given modules.
    ///
    /// Where the code is internal, imports have no access level, because a module may be built with or without internal
    /// imports by default.
    func text(importing modules: Set<String>) -> String {
        let list = modules.union(imports).sorted().map { "\(access)import \($0)\n" }.joined()
        return "\(Self.mark(model))\n// swift-format-ignore-file\n// swiftlint:disable all\n\n\(list)\n"
    }
}

/// The names of the classes of a model's entities.
struct ClassNames {
    /// The names that were not used as they are.
    private(set) var notes: [CoreDataNote] = []
    private var names: [String: String] = [:]
    private var used: Set<String> = []

    /// Types that a relationship cannot lead to, because `@Entity` takes them for the types of attributes.
    private static let values: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double",
        "Decimal", "Bool", "String", "Date", "Data", "UUID", "URL", "Any", "AnyObject",
    ]

    init(_ model: Model, _ map: ModelMap) {
        var folded: Set<String> = []
        for entity in model.entities {
            let wanted = map.classes[entity.name] ?? Self.statedName(of: entity) ?? entity.name
            var name = Self.valid(wanted) ?? Self.valid(entity.name) ?? "\(entity.name)Entity"
            // Files whose names differ only in case are the same file on some systems.
            while !folded.insert(name.lowercased()).inserted { name += "Entity" }
            if name != wanted {
                notes.append(CoreDataNote(entity: entity.name, "generated the class “\(wanted)” as “\(name)”"))
            }
            names[entity.name] = name
            used.insert(name)
        }
    }

    /// Returns the name of an entity's class.
    func name(of entity: String) -> String { names[entity] ?? entity }

    /// Whether a class has the given name.
    func isUsed(_ name: String) -> Bool { used.contains(name) }

    /// Returns the class that a Core Data model states, without its module, or `nil` if it states none.
    private static func statedName(of entity: EntityDescription) -> String? {
        entity.userInfo[ModelConverter.Key.className]?.split(separator: ".").last.map(String.init)
    }

    private static func valid(_ name: String) -> String? {
        SwiftText.isTypeName(name) && !values.contains(name) ? name : nil
    }
}
