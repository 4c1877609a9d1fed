public import TransformableStore

extension StoreContext {
    /// Inserts an object, or updates the one that it would conflict with where the class says `.unique`.
    ///
    /// ```swift
    /// let patient = try context.upsert(Patient(number: 17, name: "Ada"))
    /// ```
    ///
    /// An object conflicts if it has the same value of a unique property, or the same values of a unique group of
    /// properties; nil conflicts with nothing. The existing object keeps its id and gets every attribute of the new
    /// one, initial values and nil included, as in SwiftData and GRDB. A relationship to one leads where the new
    /// object's leads, if that was set, and relationships to many get the objects of the new one besides their own.
    ///
    /// The object that is passed has the values of the row from then on, whichever it is.
    ///
    /// - Parameter object: The object; one that is inserted already stays as it is.
    /// - Returns: The object that stands for the row: the same one, unless the program holds another already.
    /// - Throws: `StoreError`: `misuse` if the class has no unique property, `not-unique` if the object conflicts with
    ///   several, `read-only`, and what fetching the existing one throws.
    @discardableResult
    public func upsert<Object: Entity>(_ object: Object) throws -> Object {
        guard object.managedObject == nil else {
            _ = try own(object.managedObject)
            return object
        }
        try requireFace(Object.self, of: Object.entityName)
        object.completeDraft()
        let missing = max(0, Object._entitySchema.initials.count - object.draftSlots.count)
        let slots = object.draftSlots + Array(repeating: nil, count: missing)
        guard let existing = try update(Object.entityName, conflictingWith: slots) else {
            _ = try attached(object)
            return object
        }
        guard existing.representative == nil else {
            object._record.attachSecond(existing)
            try object.connect(in: self)
            return try face(of: existing)
        }
        object.stand(for: existing)
        try Object._entitySchema.awake?(object)
        try object.connect(in: self)
        return object
    }
}
