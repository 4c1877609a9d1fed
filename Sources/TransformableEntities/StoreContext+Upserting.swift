public import TransformableStore

extension StoreContext {
    /// Inserts an object, or updates the existing object that has the same unique values.
    ///
    /// ```swift
    /// let patient = try context.upsert(Patient(number: 17, name: "Ada"))
    /// ```
    ///
    /// Two objects conflict if they have the same value of a unique property, or the same values of a unique group of
    /// properties. Nil never conflicts. The existing object keeps its id and takes all attributes of the new one,
    /// including initial values and nil, as in SwiftData and GRDB. If the new object sets a to-one relationship, the
    /// existing object takes it. Objects in to-many relationships of the new object are added to those of the existing
    /// one.
    ///
    /// After the call, the object that you passed has the values of the row, whether it was inserted or not.
    ///
    /// - Parameter object: The object. If it is already inserted, nothing happens.
    /// - Returns: The object that represents the row. It is the same object, unless the program already holds another
    ///   one for that row.
    /// - Throws: `StoreError` with the code `misuse` if the class has no unique property, `not-unique` if the object
    ///   conflicts with more than one object, or `read-only` if the context cannot write. Errors that occur while the
    ///   existing object is fetched are also thrown.
    @discardableResult
    public func upsert<Object: Entity>(_ object: Object) throws -> Object {
        guard object.managedObject == nil else {
            _ = try own(object.managedObject)
            return object
        }
        let (own, schema) = (type(of: object), object.ownSchema)
        try requireClass(own, of: own.entityName)
        object.completeDraft()
        let missing = max(0, schema.initials.count - object.draftSlots.count)
        let slots = object.draftSlots + Array(repeating: nil, count: missing)
        guard let existing = try update(own.entityName, conflictingWith: slots) else {
            _ = try attached(object)
            return object
        }
        guard existing.representative == nil else {
            object._record.attachSecond(existing)
            try object.connect(in: self)
            object.forgetReferences()
            return try entity(of: existing)
        }
        object.stand(for: existing)
        try schema.awake?(object)
        try object.connect(in: self)
        object.forgetReferences()
        return object
    }
}
