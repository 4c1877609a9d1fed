public import Foundation
public import TransformableStore

extension Condition {
    /// Makes a condition of a predicate.
    ///
    /// Whatever a predicate of Foundation says that SQL cannot is refused here, before anything is read.
    /// <doc:Predicates> lists what it may say.
    ///
    /// - Parameter predicate: The predicate, over the stored properties of a class.
    /// - Throws: `StoreError` with the code `unsupported` or `unknown-attribute`, naming the part.
    public init<Object: Entity>(_ predicate: Predicate<Object>) throws(StoreError) {
        var compiler = PredicateCompiler()
        let scope = compiler.newScope()
        compiler.bind(predicate.variable.key, to: .path(Term.Path([], scope: scope)))
        let node = try compiler.node(predicate.expression)
        self.init(.about(Object.entityName, .named(scope, node)))
    }
}
