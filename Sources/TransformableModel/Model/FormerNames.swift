/// The names that an entity, attribute, or relationship had in earlier versions of the model, oldest first.
///
/// Write a single name as a literal, and several names as a list. Each name can state the version of the model in which
/// it was dropped. A file can then be migrated in the same way from any earlier version, even if the name was later
/// given to something else:
///
/// ```swift
/// AttributeDescription.string("name", .renamed(from: "full", in: 2))  // “full” in version 1, “name” from version 2 on
/// patient.renamedFrom = "Client"
/// patient.renamedFrom = [.init("Client", in: 2), .init("Guest", in: 4)]
/// ```
///
/// A name without a version is assumed to have been dropped in the first version of the model that lists it. Keep such
/// names, in their order, as long as there may be files from earlier versions.
public struct FormerNames: Sendable, Hashable {
    /// A former name, and the version of the model in which it was dropped.
    public struct Name: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The first version of the model in which the name was no longer used, or `nil` if it is not stated.
        public var version: Int?

        /// Creates a former name.
        ///
        /// - Parameters:
        ///   - name: The former name.
        ///   - version: The first version of the model in which the name was no longer used.
        public init(_ name: String, in version: Int? = nil) {
            self.name = name
            self.version = version
        }
    }

    /// The largest number of former names.
    static let limit = 100

    /// The names, oldest first.
    public var names: [Name]

    /// Creates a list of former names.
    ///
    /// - Parameter names: The names, oldest first.
    public init(_ names: [Name] = []) {
        self.names = names
    }

    /// Returns the name that was given up by a version or by the first one after it, or `nil` if there is none.
    func name(before version: Int) -> String? {
        names.first { ($0.version ?? 0) >= version }?.name
    }
}

extension FormerNames.Name: ExpressibleByStringLiteral {
    /// Creates a former name without a version.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}

extension FormerNames: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
    /// Creates a list with one name.
    public init(stringLiteral name: String) {
        self.init([Name(name)])
    }

    /// Creates a list of names, oldest first.
    public init(arrayLiteral names: Name...) {
        self.init(names)
    }

    /// Creates an empty list.
    public init(nilLiteral: ()) {
        self.init()
    }
}

extension FormerNames {
    /// Returns the reason why these names are invalid for something in the given version of a model, or `nil` if they
    /// are valid.
    func fault(addedIn added: Int?, modelVersion: Int) -> String? {
        let versions = names.compactMap(\.version)
        let stated = [added].compactMap(\.self) + versions
        if stated.contains(where: { !(1...max(modelVersion, 1)).contains($0) }) {
            return "states a version that is not between 1 and the model's, \(modelVersion)"
        }
        if !versions.isEmpty, versions.count < names.count {
            return "has former names, only some of which state a version"
        }
        let isAscending = zip(stated, stated.dropFirst()).allSatisfy(<)
        return isAscending ? nil : "has former names whose versions are not in ascending order"
    }
}
