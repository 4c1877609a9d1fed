/// A note about a part of a model or store that was not converted or adopted unchanged.
public struct CoreDataNote: Sendable, Hashable {
    /// The entity that the note concerns, or `nil` if it concerns the whole model or store.
    public var entity: String?
    /// The attribute, relationship, index, or other part of the entity that the note concerns.
    public var property: String?
    /// What was found and what was done with it, such as `kept the fetched property as userInfo`.
    public var text: String
    /// Whether something was lost, rather than read or kept in another form.
    public var isLoss: Bool

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - entity: The entity that the note concerns.
    ///   - property: The part of the entity that the note concerns.
    ///   - text: What was found and what was done with it.
    ///   - isLoss: Whether something was lost.
    public init(entity: String? = nil, property: String? = nil, _ text: String, isLoss: Bool = true) {
        self.entity = entity
        self.property = property
        self.text = text
        self.isLoss = isLoss
    }
}

extension CoreDataNote: CustomStringConvertible {
    /// The place and the text, as in `Person.age: the default “NO” was read as 0`.
    public var description: String {
        let place = [entity, property].compactMap(\.self).joined(separator: ".")
        return place.isEmpty ? text : "\(place): \(text)"
    }
}
