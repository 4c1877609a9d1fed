/// The transformers of a program by name.
///
/// A registry is immutable. Create it at the start of the program.
///
/// ```swift
/// let registry = try TransformerRegistry {
///     StandardPlugin()
///     GeometryPlugin()
///     Registration("acme.severity", MappingTransformer([1: "low", 2: "high"]))
/// }
/// let rect = try registry.transformer("rect", for: CGRect.self)
/// ```
///
/// ## Topics
/// ### Creating a Registry
/// - ``init(_:)``
/// ### Resolving Expressions
/// - ``transformer(_:for:)``
/// - ``projection(_:for:to:)``
/// - ``resolve(_:for:ending:)-(String,_,_)``
/// - ``explain(_:for:distinctValues:)``
public struct TransformerRegistry: Sendable {
    /// The names of the plugins, in the order in which they were added.
    public let plugins: [String]
    /// All registrations, sorted by name.
    public let registrations: [Registration]
    /// The inspectors of all plugins, in the order in which the plugins were added.
    public let inspectors: [Inspector]
    /// The sealer that authenticates stores, or `nil` if there are no keys.
    ///
    /// If there are several, the first one that has a secret key is used.
    public let sealer: (any StoreSealer)?
    private let indexes: [TransformerName: Int]

    /// Creates a registry from plugins and single registrations.
    ///
    /// - Parameter content: A closure that lists plugins and registrations.
    /// - Throws: ``TransformerError`` with the code ``TransformerError/Code/duplicateName`` if a name is registered
    ///   twice, ``TransformerError/Code/invalidName`` if a name is invalid, or
    ///   ``TransformerError/Code/invalidArgument`` if a version is less than 1, and any error thrown by `content`.
    public init(@RegistryBuilder _ content: () throws -> RegistryContent) throws {
        let content = try content()
        plugins = content.plugins
        inspectors = content.inspectors
        sealer = content.sealers.first(where: \.canSeal) ?? content.sealers.first(where: \.hasKeys)
        registrations = content.registrations.sorted { $0.name < $1.name }
        for registration in registrations {
            try registration.validate()
        }
        for (left, right) in zip(registrations, registrations.dropFirst()) where left.name == right.name {
            throw TransformerError.duplicateName(left, right, plugins: plugins)
        }
        indexes = Dictionary(uniqueKeysWithValues: zip(registrations.map(\.name), registrations.indices))
    }

    /// Returns the registration with a name.
    ///
    /// `text` is always available, even if no plugin registers it, because expressions use it to convert text to bytes.
    ///
    /// - Parameter name: The name in expressions.
    /// - Returns: The registration.
    /// - Throws: ``TransformerError`` with the code ``TransformerError/Code/unknownName``, which suggests similar
    ///   names, if there is no such registration.
    public func registration(_ name: TransformerName) throws(TransformerError) -> Registration {
        if let index = indexes[name] { return registrations[index] }
        guard name == Registration.text.name else { throw .unknownName(name, known: indexes.keys) }
        return Registration.text
    }
}

extension Registration {
    fileprivate func validate() throws(TransformerError) {
        guard name.isValid else { throw .invalidName(name) }
        guard version >= 1 else { throw .invalidVersion(version, of: name) }
        var seen: Set<String> = []
        for label in parameters.map(\.label) {
            var scanner = ExpressionScanner(label)
            guard scanner.scanLabel() == label, seen.insert(label).inserted else {
                throw .invalidLabel(label, of: name)
            }
        }
    }
}

/// A result builder that collects plugins and registrations.
@resultBuilder
public enum RegistryBuilder: Sendable {
    /// Adds a plugin.
    public static func buildExpression(_ plugin: any TransformerPlugin) -> RegistryContent {
        let name = plugin.name
        let registrations = plugin.registrations.map { registration in
            var registration = registration
            registration.plugin = name
            return registration
        }
        return RegistryContent(
            plugins: [name],
            registrations: registrations,
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
