internal import _PropertyLists

/// The description of a class in an archive.
public struct ArchivedClass: Sendable, Hashable {
    /// The name of the class.
    public let name: String
    /// The names of the class and its superclasses, starting with the class itself.
    ///
    /// Some archives omit them.
    public let chain: [String]
    /// The names of classes to use if this one is not known, best first.
    ///
    /// Most classes have none.
    public let fallbacks: [String]

    /// The class or the first of its fallbacks that is known.
    let symbol: ArchiveSymbol?

    /// Creates the description of a class.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - chain: The names of the class and its superclasses. By default, the class and `NSObject`.
    ///   - fallbacks: The names of classes to use if this one is not known.
    public init(_ name: String, chain: [String]? = nil, fallbacks: [String] = []) {
        self.name = name
        self.chain = chain ?? [name, "NSObject"]
        self.fallbacks = fallbacks
        symbol = ArchiveClass.symbol(of: name, fallbacks)
    }

    init(_ description: ArchiveClass) {
        name = description.name
        chain = description.chain
        fallbacks = description.fallbacks
        symbol = description.symbol
    }

    /// Returns whether two classes have the same names, byte for byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
            && left.chain.elementsEqual(right.chain) { $0.utf8.elementsEqual($1.utf8) }
            && left.fallbacks.elementsEqual(right.fallbacks) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
