public import Foundation
public import TransformableStore

extension Condition {
    /// Creates a condition from a predicate.
    ///
    /// Parts of a predicate that cannot be expressed in SQL are rejected here, before anything is read.
    /// <doc:Predicates> lists the supported expressions.
    ///
    /// - Parameter predicate: The predicate, over the stored properties of a class.
    /// - Throws: `StoreError` with the code `unsupported` or `unknown-attribute`, naming the part of the predicate that
    ///   is not supported.
    public init<Object: Entity>(_ predicate: Predicate<Object>) throws(StoreError) {
        var compiler = PredicateCompiler()
        let scope = compiler.newScope()
        compiler.bind(predicate.variable.key, to: .path(Term.Path([], scope: scope)))
        let node = try compiler.node(predicate.expression)
        self.init(.about(Object.entityName, .named(scope, node)))
    }
}
