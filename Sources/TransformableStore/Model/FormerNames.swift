/// The names that an entity, attribute, or relationship had in earlier versions of the model, the oldest first.
///
/// One name is written as a literal, several as a list. Each may say which version of the model gave it up; a file is then
/// brought to the model in the same way from whichever version it has, also where a name that became free was given to
/// something else:
///
/// ```swift
/// AttributeDescription.string("name", .renamed(from: "full", in: 2))  // “full” in version 1, “name” from version 2 on
/// patient.renamedFrom = "Client"
/// patient.renamedFrom = [.init("Client", in: 2), .init("Guest", in: 4)]
/// ```
///
/// Without versions a name is taken to be given up by the first version of the model that says so. Keep such names, in
/// their order, for as long as there may be files of earlier versions.
public struct FormerNames: Sendable, Hashable {
    /// A name, and the version of the model that gave it up.
    public struct Name: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The version of the model that was the first with the next name; nil if it is not stated.
        public var version: Int?

        /// Makes a former name.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - version: The version of the model that was the first with the next name.
        public init(_ name: String, in version: Int? = nil) {
            self.name = name
            self.version = version
        }
    }

    /// The names, the oldest first.
    public var names: [Name]

    /// Makes a list of former names.
    ///
    /// - Parameter names: The names, the oldest first.
    public init(_ names: [Name] = []) {
        self.names = names
    }

    /// Whether there are no former names.
    public var isEmpty: Bool { names.isEmpty }

    /// The same names, each changed by a function.
    func map(_ transform: (String) -> String) -> Self {
        Self(names.map { Name(transform($0.name), in: $0.version) })
    }
}

extension FormerNames.Name: ExpressibleByStringLiteral {
    /// Makes a former name without a version.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}

extension FormerNames: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
    /// Makes a list of one name.
    public init(stringLiteral name: String) {
        self.init([Name(name)])
    }

    /// Makes a list of names, the oldest first.
    public init(arrayLiteral names: Name...) {
        self.init(names)
    }

    /// Makes an empty list.
    public init(nilLiteral: ()) {
        self.init()
    }
}

extension FormerNames {
    /// Why the names cannot be those of something in a version of a model; nil if they can.
    func fault(addedIn added: Int?, modelVersion: Int) -> String? {
        let versions = names.compactMap(\.version)
        let stated = [added].compactMap(\.self) + versions
        if stated.contains(where: { !(1...max(modelVersion, 1)).contains($0) }) {
            return "states a version that is not between 1 and the model's, \(modelVersion)"
        }
        if !versions.isEmpty, versions.count < names.count {
            return "has former names of which only some state a version"
        }
        let isAscending = zip(stated, stated.dropFirst()).allSatisfy(<)
        return isAscending ? nil : "has former names whose versions do not ascend"
    }
}
