/// A named set of transformers that one line adds to a registry.
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
    /// The plugin's name, as listings show it.
    var name: String { get }

    /// The transformers, each under its own name.
    @RegistrationBuilder var registrations: [Registration] { get }

    /// Descriptions of bytes, for `transformable inspect`; none by default.
    var inspectors: [Inspector] { get }

    /// What authenticates stores under the plugin's keys; `nil` by default.
    var sealer: (any StoreSealer)? { get }
}

extension TransformerPlugin {
    /// None.
    public var inspectors: [Inspector] { [] }

    /// None.
    public var sealer: (any StoreSealer)? { nil }
}

/// Lists registrations one under another.
@resultBuilder
public enum RegistrationBuilder: Sendable {
    /// Takes one registration.
    public static func buildExpression(_ registration: Registration) -> [Registration] { [registration] }

    /// Takes several registrations.
    public static func buildExpression(_ registrations: [Registration]) -> [Registration] { registrations }

    /// Joins the parts.
    public static func buildBlock(_ parts: [Registration]...) -> [Registration] { parts.flatMap { $0 } }

    /// Takes the part if it is there.
    public static func buildOptional(_ part: [Registration]?) -> [Registration] { part ?? [] }

    /// Takes the first branch.
    public static func buildEither(first part: [Registration]) -> [Registration] { part }

    /// Takes the second branch.
    public static func buildEither(second part: [Registration]) -> [Registration] { part }

    /// Joins what a loop gave.
    public static func buildArray(_ parts: [[Registration]]) -> [Registration] { parts.flatMap { $0 } }
}
