/// Lists plugins and registrations one under another.
@resultBuilder
public enum RegistryBuilder: Sendable {
    /// Takes a plugin.
    public static func buildExpression(_ plugin: any TransformerPlugin) -> RegistryContent {
        RegistryContent(
            plugins: [plugin.name],
            registrations: plugin.registrations,
            inspectors: plugin.inspectors,
            sealers: [plugin.sealer].compactMap(\.self)
        )
    }

    /// Takes a single registration.
    public static func buildExpression(_ registration: Registration) -> RegistryContent {
        RegistryContent(registrations: [registration])
    }

    /// Joins the parts.
    public static func buildBlock(_ parts: RegistryContent...) -> RegistryContent { RegistryContent(joining: parts) }

    /// Takes the part if it is there.
    public static func buildOptional(_ part: RegistryContent?) -> RegistryContent { part ?? RegistryContent() }

    /// Takes the first branch.
    public static func buildEither(first part: RegistryContent) -> RegistryContent { part }

    /// Takes the second branch.
    public static func buildEither(second part: RegistryContent) -> RegistryContent { part }

    /// Joins what a loop gave.
    public static func buildArray(_ parts: [RegistryContent]) -> RegistryContent { RegistryContent(joining: parts) }
}

/// What a registry is made of.
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
