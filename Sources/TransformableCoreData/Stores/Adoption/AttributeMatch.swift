internal import TransformableModel

extension EntityPlace {
    /// Returns the column that is copied to an attribute of our model, or `nil` if there is none.
    func column(of name: String) -> AttributeColumn? {
        attributes.first { AttributeMatch.names(of: $0.path).contains(name) }
    }
}

extension Model {
    /// Returns whether every adopted object gets the default of a required attribute that Core Data's model does not have.
    ///
    /// A default that is the same for all objects would not be unique.
    func fills(_ attribute: AttributeDescription, of entity: String) -> Bool {
        let groups = self.entity(entity).map { lineage(of: $0).flatMap(\.uniqueness) } ?? []
        let isUnique = attribute.isUnique || groups.contains([attribute.name])
        return attribute.defaultValue.map { !isUnique || $0 == .newUUID } ?? false
    }
}

/// Finds the attribute of our model that an attribute of Core Data's model is copied to.
enum AttributeMatch {
    /// Returns the possible names of the attribute for an attribute, or for an element of a composite attribute.
    ///
    /// - Parameter path: The attribute's name, followed by those of elements.
    /// - Returns: The names, the likeliest first.
    static func names(of path: [String]) -> [String] {
        // SwiftData stores an enumeration as a composite of one element with the same name.
        let isEnumeration = path.count > 1 && path.suffix(2).first == path.last
        return ([path] + (isEnumeration ? [path.dropLast()] : [])).map { $0.joined(separator: "_") }
    }

    /// Returns a Boolean value that indicates whether an attribute of a type can hold the values of a type of Core Data.
    static func fits(_ type: CoreDataAttributeType, _ ours: AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64: ours.integers != nil
        case .decimal: ours == .decimal
        case .double, .float: ours == .double || ours == .float
        case .string: ours == .string
        case .boolean: ours == .boolean
        case .date: ours == .date
        case .binary, .transformable: ours == .data || ours == .transformed
        case .uuid: ours == .uuid
        case .uri: ours == .url
        case .undefined, .objectID, .composite: false
        }
    }
}
