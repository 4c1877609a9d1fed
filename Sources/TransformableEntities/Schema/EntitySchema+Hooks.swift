public import TransformableStore

/// The turning points that a class has a method for, which `@Entity` finds by its name.
extension EntitySchema {
    /// Has a method called at a turning point of an object.
    ///
    /// - Parameters:
    ///   - hook: Which turning point.
    ///   - body: Calls the method.
    public mutating func hook(
        _ hook: WritableKeyPath<EntityHooks, EntityHooks.Hook?>,
        _ body: @escaping @Sendable (Root) throws -> Void
    ) {
        hooks = hooks ?? EntityHooks()
        hooks?[keyPath: hook] = { object in try body(object.context.face(of: object)) }
    }

    /// Notes that the class has a `deinit`, in which an object that goes may be asked for again.
    public mutating func hasDeinit() {
        runsDeinit = true
    }

    /// Has a method called when an object of the class comes to stand for a fetched row.
    ///
    /// - Parameter body: Calls the method.
    public mutating func awakeFromFetch(_ body: @escaping @Sendable (Root) throws -> Void) {
        awake = body
    }
}
