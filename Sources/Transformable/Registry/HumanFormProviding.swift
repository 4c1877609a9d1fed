/// A transformer that says itself how a person gives and sees its values, since that depends on its arguments.
///
/// What a registration states for a name comes second, and what a type has by itself last.
public protocol HumanFormProviding {
    /// The form of its values; nil if it has none to say.
    var humanForm: AnyHumanForm? { get }
}

extension StageTransformer: HumanFormProviding {
    var humanForm: AnyHumanForm? {
        (base as? any HumanFormProviding)?.humanForm
    }
}
