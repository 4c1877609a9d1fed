/// The transformers of a program, each under its name: an immutable value made at the entry point.
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
/// ### Making one
/// - ``init(_:)``
/// ### Using it
/// - ``transformer(_:for:)``
/// - ``projection(_:for:to:)``
/// - ``resolve(_:for:ending:)-(String,_,_)``
/// - ``explain(_:for:distinctValues:)``
public struct TransformerRegistry: Sendable {
    /// The plugins' names, in the order they were added.
    public let plugins: [String]
    /// All registrations, sorted by name.
    public let registrations: [Registration]
    /// Descriptions of bytes, in the order the plugins were added.
    public let inspectors: [Inspector]
    /// What authenticates stores; `nil` without keys.
    ///
    /// Of several, it is the first that has a secret key.
    public let sealer: (any StoreSealer)?
    private let indexes: [TransformerName: Int]

    /// Makes a registry of plugins and single registrations.
    ///
    /// - Parameter content: Plugins and registrations, one under another.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/duplicateName`` or
    ///   ``TransformerError/Code/invalidName``; and what the closure throws.
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
            throw TransformerError.duplicateName(left.name)
        }
        indexes = Dictionary(uniqueKeysWithValues: zip(registrations.map(\.name), registrations.indices))
    }

    /// Finds a registration by its name.
    ///
    /// `text` is found even if no plugin registers it: an expression implies it wherever text meets bytes, and may
    /// always say so.
    ///
    /// - Parameter name: The name in expressions.
    /// - Returns: The registration.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/unknownName``, naming the nearest ones.
    public func registration(_ name: TransformerName) throws(TransformerError) -> Registration {
        if let index = indexes[name] { return registrations[index] }
        guard name == Registration.text.name else { throw .unknownName(name, known: indexes.keys) }
        return Registration.text
    }
}

extension Registration {
    fileprivate func validate() throws(TransformerError) {
        guard name.isValid else { throw .invalidName(name) }
        var seen: Set<String> = []
        for label in parameters.map(\.label) {
            var scanner = ExpressionScanner(label)
            guard scanner.scanLabel() == label, seen.insert(label).inserted else {
                throw .invalidLabel(label, of: name)
            }
        }
    }
}
