/// A transformer that provides the human-readable form of its values, because it depends on the arguments.
///
/// This form takes precedence over the form of the registration, which in turn takes precedence over the default form
/// of the type.
public protocol HumanFormProviding {
    /// The form, or nil if the transformer does not provide one.
    var humanForm: AnyHumanForm? { get }
}

extension StageTransformer: HumanFormProviding {
    var humanForm: AnyHumanForm? {
        (base as? any HumanFormProviding)?.humanForm
    }
}
