/// A value that is stored in several columns that can be queried, such as a size stored as width and height.
///
/// Each part is an attribute of its own. The name of the attribute and its column is the name of the composite and of
/// the part, joined by `_`, as in `size_width`. In conditions and sort orders, you can also write `size.width`. A part can
/// be stored by a transformer, in which case its column contains bytes.
///
/// If a composite is not optional but all of its parts are, it always has a value, even if no part has one.
public struct CompositeDescription: Sendable, Hashable {
    /// The name, which must be unique among the entity's attributes and relationships.
    public var name: String
    /// Whether the composite can be nil, in which case none of its parts has a value.
    public var isOptional: Bool
    /// The parts: stored attributes with short names.
    public var parts: [AttributeDescription]
    /// The names in earlier versions of the model, the oldest first.
    ///
    /// Parts can have former names as well. The names of the columns consist of the names of both.
    public var renamedFrom = FormerNames()
    /// The version of the model that added the composite, or `nil` if that is not stated.
    public var addedIn: Int?

    /// Creates a composite.
    ///
    /// - Parameters:
    ///   - name: The composite's name.
    ///   - optional: Whether the composite is optional.
    ///   - parts: The parts: stored attributes with short names.
    public init(_ name: String, optional: Bool = false, parts: [AttributeDescription]) {
        self.name = name
        isOptional = optional
        self.parts = parts
    }

    /// Creates a composite for a Swift type.
    ///
    /// - Parameters:
    ///   - name: The composite's name.
    ///   - type: The type, which declares the parts.
    ///   - optional: Whether the composite is optional.
    public init<Value: CompositeValue>(_ name: String, as type: Value.Type, optional: Bool = false) {
        self.init(name, optional: optional, parts: Value.parts.map(\.attribute))
    }

    /// Whether there is a value even if no part has one.
    package var isAlwaysPresent: Bool { !isOptional && parts.allSatisfy(\.isOptional) }

    /// Returns the name of a part's attribute and column.
    package func attributeName(_ part: String) -> String { "\(name)_\(part)" }

    /// The attributes of the parts.
    package var attributes: [AttributeDescription] {
        parts.map { part in
            var attribute = part
            attribute.name = attributeName(part.name)
            attribute.isOptional = part.isOptional || isOptional
            attribute.addedIn = [addedIn, part.addedIn].compactMap(\.self).max()
            attribute.renamedFrom = formerNames(of: part, since: attribute.addedIn ?? 0)
            return attribute
        }
    }

    /// Replaces the part that has the same column as an attribute, and keeps what the composite determines as well.
    mutating func replacePart(_ attribute: AttributeDescription) {
        for index in parts.indices where attributeName(parts[index].name) == attribute.name {
            let old = parts[index]
            parts[index] = attribute
            parts[index].name = old.name
            parts[index].isOptional = old.isOptional
            parts[index].addedIn = old.addedIn
            parts[index].renamedFrom = old.renamedFrom
        }
    }

    /// Returns the former names of a part's column, since it was added.
    private func formerNames(of part: AttributeDescription, since added: Int) -> FormerNames {
        let versions = (renamedFrom.names + part.renamedFrom.names).map(\.version)
        guard versions.allSatisfy({ $0 != nil }) else { return possibleNames(of: part) }
        let changes = Set(versions.compactMap(\.self)).filter { $0 > added }.sorted()
        return FormerNames(
            changes.map { change in
                let (whole, part) = (
                    renamedFrom.name(before: change) ?? name, part.renamedFrom.name(before: change) ?? part.name
                )
                return .init("\(whole)_\(part)", in: change)
            }
        )
    }

    /// Returns the possible former names of a part's column, if the versions that gave them up are not stated.
    private func possibleNames(of part: AttributeDescription) -> FormerNames {
        let wholes = renamedFrom.names.map(\.name) + [name]
        let parts = part.renamedFrom.names.map(\.name) + [part.name]
        let names = wholes.flatMap { whole in parts.map { "\(whole)_\($0)" } }
        return FormerNames(names.dropLast().map { .init($0) })
    }

    /// Whether it, or the column of a part, has more former names than it can have.
    var hasManyFormerNames: Bool {
        let limit = FormerNames.limit
        return renamedFrom.names.count > limit
            || parts.contains { part in
                let (wholes, parts) = (renamedFrom.names, part.renamedFrom.names)
                guard parts.count <= limit else { return true }
                // Without versions, any of the former names of both may have been joined.
                let isStated = (wholes + parts).allSatisfy { $0.version != nil }
                let count = isStated ? wholes.count + parts.count : (wholes.count + 1) * (parts.count + 1) - 1
                return count > limit
            }
    }

    /// Returns what is wrong with the former names in a model of a version, or `nil` if they are valid.
    func nameFault(modelVersion: Int) -> String? {
        if let fault = renamedFrom.fault(addedIn: addedIn, modelVersion: modelVersion) { return fault }
        let isStated = (renamedFrom.names + parts.flatMap(\.renamedFrom.names)).map { $0.version != nil }
        return Set(isStated).count > 1 ? "and its parts have former names, only some of which state a version" : nil
    }
}
