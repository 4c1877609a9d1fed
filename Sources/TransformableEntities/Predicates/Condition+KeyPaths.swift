internal import TransformableStore

extension Condition {
    /// Creates a comparison of a stored property.
    init<Object: Entity>(
        _ keyPath: PartialKeyPath<Object>,
        _ comparison: Condition.Comparison,
        _ options: TextOptions = []
    ) {
        self.init(of: keyPath) { .comparison(.path($0), comparison, options) }
    }

    /// Creates a comparison that depends on the order of values.
    init<Object: Entity>(
        ordered keyPath: PartialKeyPath<Object>,
        _ comparison: Condition.Comparison
    ) {
        do {
            let name = Object.propertyName(for: keyPath) ?? ""
            try RawOrder.check(type(of: keyPath).valueType, "the order by “\(name)”", of: Object.entityName)
            self.init(keyPath, comparison)
        } catch {
            self.init(.refused(error))
        }
    }

    /// Creates a condition on a stored property.
    ///
    /// For any other property, the error is thrown by the fetch.
    init<Object: Entity>(
        of keyPath: PartialKeyPath<Object>,
        _ node: (Term.Path) -> Condition.Node
    ) {
        guard let name = Object.propertyName(for: keyPath) ?? (Object.isID(keyPath) ? "_id" : nil) else {
            var failure = StoreError.notStored(keyPath, in: Object.entityName)
            failure.message += "; to follow relationships, use a #Predicate"
            self.init(.refused(failure))
            return
        }
        self.init(.about(Object.entityName, node(Term.Path([name]))))
    }
}
