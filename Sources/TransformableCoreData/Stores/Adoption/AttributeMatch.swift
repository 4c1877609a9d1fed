internal import TransformableModel

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
