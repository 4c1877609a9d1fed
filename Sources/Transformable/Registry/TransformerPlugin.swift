/// A named collection of transformers to add to a registry.
///
/// ```swift
/// struct AcmePlugin: TransformerPlugin {
///     let name = "acme"
///     var registrations: [Registration] {
///         Registration("acme.severity", MappingTransformer([1: "low", 2: "high"]))
///     }
/// }
/// ```
public protocol TransformerPlugin: Sendable {
    /// The name of the plugin.
    var name: String { get }

    /// The transformers, each under its own name.
    @RegistrationBuilder var registrations: [Registration] { get }

    /// The inspectors, which describe data for `transformable inspect`. By default, there are none.
    var inspectors: [Inspector] { get }

    /// The sealer that authenticates stores with the plugin's keys. By default, it is `nil`.
    var sealer: (any StoreSealer)? { get }
}

extension TransformerPlugin {
    /// Returns an empty list.
    public var inspectors: [Inspector] { [] }

    /// Returns `nil`.
    public var sealer: (any StoreSealer)? { nil }
}

/// A result builder that collects registrations.
@resultBuilder
public enum RegistrationBuilder: Sendable {
    /// Adds a registration.
    public static func buildExpression(_ registration: Registration) -> [Registration] { [registration] }

    /// Adds several registrations.
    public static func buildExpression(_ registrations: [Registration]) -> [Registration] { registrations }

    /// Combines the parts.
    public static func buildBlock(_ parts: [Registration]...) -> [Registration] { parts.flatMap { $0 } }

    /// Adds a part if it exists.
    public static func buildOptional(_ part: [Registration]?) -> [Registration] { part ?? [] }

    /// Adds the first branch.
    public static func buildEither(first part: [Registration]) -> [Registration] { part }

    /// Adds the second branch.
    public static func buildEither(second part: [Registration]) -> [Registration] { part }

    /// Combines the results of a loop.
    public static func buildArray(_ parts: [[Registration]]) -> [Registration] { parts.flatMap { $0 } }
}
