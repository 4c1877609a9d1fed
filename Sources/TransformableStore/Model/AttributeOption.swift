internal import Transformable

/// What may be said about an attribute beside its name and its kind.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeDescription) -> Void

    init(_ apply: @escaping @Sendable (inout AttributeDescription) -> Void) {
        self.apply = apply
    }
}

extension AttributeOption {
    /// It may have no value.
    public static let optional = Self { $0.isOptional = true }

    /// Its column has an index.
    public static let indexed = Self { $0.isIndexed = true }

    /// Each of its values occurs once.
    public static let unique = Self { $0.isUnique = true }

    /// It is kept in memory only, and dropped with its object.
    public static let transient = Self { $0.isTransient = true }

    /// Gives what a new object holds.
    ///
    /// - Parameter value: The value, or how it is made.
    /// - Returns: The option.
    public static func `default`(_ value: DefaultValue) -> Self {
        Self { $0.defaultValue = value }
    }

    /// Gives the numbers it accepts.
    ///
    /// - Parameter range: The smallest and the largest.
    /// - Returns: The option.
    public static func range(_ range: ClosedRange<Double>) -> Self {
        Self {
            $0.validation.minimum = range.lowerBound
            $0.validation.maximum = range.upperBound
        }
    }

    /// Gives the lengths it accepts: characters of a text, bytes of data.
    ///
    /// - Parameter range: The shortest and the longest.
    /// - Returns: The option.
    public static func length(_ range: ClosedRange<Int>) -> Self {
        Self {
            $0.validation.minimumLength = range.lowerBound
            $0.validation.maximumLength = range.upperBound
        }
    }

    /// Gives the texts it accepts.
    ///
    /// - Parameter pattern: A regular expression that the whole text must match.
    /// - Returns: The option.
    public static func pattern(_ pattern: String) -> Self {
        Self { $0.validation.pattern = pattern }
    }

    /// Keeps large values in files beside the database.
    ///
    /// - Parameter bytes: From which length on.
    /// - Returns: The option.
    public static func externalStorage(over bytes: Int) -> Self {
        Self { $0.externalThreshold = bytes }
    }

    /// Says when stored bytes become the value.
    ///
    /// - Parameter strategy: When.
    /// - Returns: The option.
    public static func decode(_ strategy: DecodingStrategy) -> Self {
        Self { $0.decoding = strategy }
    }

    /// Says when the value becomes the bytes to store.
    ///
    /// - Parameter strategy: When.
    /// - Returns: The option.
    public static func encode(_ strategy: EncodingStrategy) -> Self {
        Self { $0.encoding = strategy }
    }

    /// Names the attribute in an earlier version of the model.
    ///
    /// Several such options name the earlier names in their order, the oldest first.
    ///
    /// - Parameters:
    ///   - name: The earlier name.
    ///   - version: The version of the model that was the first with the next name. Give it where a name that became free
    ///     was given to another attribute; see ``FormerNames``.
    /// - Returns: The option.
    public static func renamed(from name: String, in version: Int? = nil) -> Self {
        Self { $0.renamedFrom.names.append(FormerNames.Name(name, in: version)) }
    }

    /// Names the version of the model that added the attribute.
    ///
    /// It tells the attribute from one of the same name that earlier versions had and dropped.
    ///
    /// - Parameter version: The version of the model.
    /// - Returns: The option.
    public static func added(in version: Int) -> Self {
        Self { $0.addedIn = version }
    }

    /// Adds a column computed from the value.
    ///
    /// - Parameters:
    ///   - transformer: The expression of a one-way transformer.
    ///   - name: The column's name; by default the attribute's and the last stage's, joined by `_`.
    ///   - indexed: Whether the column has an index.
    ///   - options: ``ProjectionOption/revealing`` where a confidential attribute may have a projection without a key.
    /// - Returns: The option.
    public static func projected(
        _ transformer: String,
        as name: String? = nil,
        indexed: Bool = true,
        _ options: ProjectionOption...
    ) -> Self {
        Self { attribute in
            let stage = (try? TransformerExpression(transformer))?.stages.last?.name.rawValue ?? "projection"
            let suffix = String(stage.map { $0 == "-" || $0 == "." ? "_" : $0 })
            let name = name ?? "\(attribute.name)_\(suffix)"
            var projection = ProjectionDescription(name, transformer, indexed: indexed)
            for option in options { option.apply(&projection) }
            attribute.projections.append(projection)
        }
    }
}
