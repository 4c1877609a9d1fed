internal import TransformableStore

extension _EntityRecord {
    /// Gives the object that a relationship to one leads to.
    ///
    /// - Parameter index: The relationship's place.
    /// - Returns: The object; nil if it leads nowhere.
    public func reference<Destination: Entity>(_ index: Int) -> Destination? {
        guard let object else { return references[index]?.first as? Destination }
        return attempt(object) { context in
            try object.object(object.relationshipName(at: index)).map { try context.face(of: $0) }
        } ?? nil
    }

    /// Gives the objects that a relationship to many leads to.
    ///
    /// - Parameter index: The relationship's place.
    /// - Returns: The objects, in the order of their ids.
    public func reference<Destination: Entity>(_ index: Int) -> [Destination] {
        guard let object else { return references[index]?.compactMap { $0 as? Destination } ?? [] }
        return attempt(object) { context in
            try object.objects(object.relationshipName(at: index)).map { try context.face(of: $0) }
        } ?? []
    }

    /// Lets a relationship to one lead to an object, which is inserted if it is not yet; the other side follows.
    ///
    /// - Parameters:
    ///   - other: The object; nil lets it lead nowhere.
    ///   - index: The relationship's place.
    public func setReference<Destination: Entity>(_ other: Destination?, _ index: Int) {
        guard let object else {
            return setReferences(other.map { [$0] } ?? [], index)
        }
        do {
            let other = try other.map { try object.context.attached($0) }
            try object.setObject(other, for: object.relationshipName(at: index))
        } catch {
            refuse(error, in: object)
        }
    }

    /// Lets a relationship to many lead to objects, which are inserted if they are not yet; the other side follows.
    ///
    /// - Parameters:
    ///   - others: The objects.
    ///   - index: The relationship's place.
    public func setReference<Destination: Entity>(_ others: [Destination], _ index: Int) {
        guard let object else {
            return setReferences(others, index)
        }
        do {
            let others = try others.map { try object.context.attached($0) }
            try object.setObjects(others, for: object.relationshipName(at: index))
        } catch {
            refuse(error, in: object)
        }
    }

    private func attempt<Result>(_ object: ManagedObject, _ body: (StoreContext) throws -> Result) -> Result? {
        do {
            return try body(object.context)
        } catch {
            note(error, in: object)
            return nil
        }
    }
}
