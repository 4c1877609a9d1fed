/// A result builder that collects plugins and registrations.
@resultBuilder
public enum RegistryBuilder: Sendable {
    /// Adds a plugin.
    public static func buildExpression(_ plugin: any TransformerPlugin) -> RegistryContent {
        RegistryContent(
            plugins: [plugin.name],
            registrations: plugin.registrations,
            inspectors: plugin.inspectors,
            sealers: [plugin.sealer].compactMap(\.self)
        )
    }

    /// Adds a single registration.
    public static func buildExpression(_ registration: Registration) -> RegistryContent {
        RegistryContent(registrations: [registration])
    }

    /// Combines the parts.
    public static func buildBlock(_ parts: RegistryContent...) -> RegistryContent { RegistryContent(joining: parts) }

    /// Adds a part if it exists.
    public static func buildOptional(_ part: RegistryContent?) -> RegistryContent { part ?? RegistryContent() }

    /// Adds the first branch.
    public static func buildEither(first part: RegistryContent) -> RegistryContent { part }

    /// Adds the second branch.
    public static func buildEither(second part: RegistryContent) -> RegistryContent { part }

    /// Combines the results of a loop.
    public static func buildArray(_ parts: [RegistryContent]) -> RegistryContent { RegistryContent(joining: parts) }
}

/// The contents of a registry.
public struct RegistryContent: Sendable {
    var plugins: [String] = []
    var registrations: [Registration] = []
    var inspectors: [Inspector] = []
    var sealers: [any StoreSealer] = []

    init(
        plugins: [String] = [],
        registrations: [Registration] = [],
        inspectors: [Inspector] = [],
        sealers: [any StoreSealer] = []
    ) {
        self.plugins = plugins
        self.registrations = registrations
        self.inspectors = inspectors
        self.sealers = sealers
    }

    init(joining parts: [Self]) {
        self.init(
            plugins: parts.flatMap(\.plugins),
            registrations: parts.flatMap(\.registrations),
            inspectors: parts.flatMap(\.inspectors),
            sealers: parts.flatMap(\.sealers)
        )
    }
}
