internal import TransformableModel

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
