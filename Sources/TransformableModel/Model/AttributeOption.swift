internal import Transformable

/// An option of an attribute.
public struct AttributeOption: Sendable {
    let apply: @Sendable (inout AttributeDescription) -> Void

    init(_ apply: @escaping @Sendable (inout AttributeDescription) -> Void) {
        self.apply = apply
    }
}

extension AttributeOption {
    /// The attribute is optional.
    public static let optional = Self { $0.isOptional = true }

    /// The attribute's column is indexed.
    public static let indexed = Self { $0.isIndexed = true }

    /// The attribute's values are unique.
    public static let unique = Self { $0.isUnique = true }

    /// The attribute is kept only in memory and discarded along with its object.
    public static let transient = Self { $0.isTransient = true }

    /// Sets the attribute's value in a new object.
    ///
    /// - Parameter value: The value, or the way to make it.
    /// - Returns: The option.
    public static func `default`(_ value: DefaultValue) -> Self {
        Self { $0.defaultValue = value }
    }

    /// Computes the attribute's value from the rest of its object.
    ///
    /// A count is computed when it is read, so this also makes its attribute transient and optional.
    ///
    /// - Parameter derivation: How the value is computed.
    /// - Returns: The option.
    public static func derived(_ derivation: Derivation) -> Self {
        Self { $0.setDerivation(derivation) }
    }

    /// Limits the numbers that the attribute accepts.
    ///
    /// - Parameter range: The range of valid numbers.
    /// - Returns: The option.
    public static func range(_ range: ClosedRange<Double>) -> Self {
        Self {
            $0.validation.minimum = range.lowerBound
            $0.validation.maximum = range.upperBound
        }
    }

    /// Limits the length of the values that the attribute accepts, in characters for text and in bytes for data.
    ///
    /// - Parameter range: The range of valid lengths.
    /// - Returns: The option.
    public static func length(_ range: ClosedRange<Int>) -> Self {
        Self {
            $0.validation.minimumLength = range.lowerBound
            $0.validation.maximumLength = range.upperBound
        }
    }

    /// Limits the text that the attribute accepts to a pattern.
    ///
    /// - Parameter pattern: A regular expression that must match the whole text.
    /// - Returns: The option.
    public static func pattern(_ pattern: String) -> Self {
        Self { $0.validation.pattern = pattern }
    }

    /// Stores large values in files next to the database.
    ///
    /// - Parameter bytes: The size from which values are stored in files.
    /// - Returns: The option.
    public static func externalStorage(over bytes: Int) -> Self {
        Self { $0.externalThreshold = bytes }
    }

    /// Sets when stored bytes are decoded.
    ///
    /// - Parameter strategy: The strategy.
    /// - Returns: The option.
    public static func decode(_ strategy: DecodingStrategy) -> Self {
        Self { $0.decoding = strategy }
    }

    /// Sets when values are encoded.
    ///
    /// - Parameter strategy: The strategy.
    /// - Returns: The option.
    public static func encode(_ strategy: EncodingStrategy) -> Self {
        Self { $0.encoding = strategy }
    }

    /// States a name that the attribute had in an earlier version of the model.
    ///
    /// If an attribute was renamed several times, give one option for each earlier name, oldest first.
    ///
    /// - Parameters:
    ///   - name: The earlier name.
    ///   - version: The first version of the model in which the name was no longer used. State it if the name was later
    ///     given to another attribute. See ``FormerNames``.
    /// - Returns: The option.
    public static func renamed(from name: String, in version: Int? = nil) -> Self {
        Self { $0.renamedFrom.names.append(FormerNames.Name(name, in: version)) }
    }

    /// States the version of the model that added the attribute.
    ///
    /// The version distinguishes the attribute from one with the same name that was in earlier versions and was
    /// removed.
    ///
    /// - Parameter version: The version of the model.
    /// - Returns: The option.
    public static func added(in version: Int) -> Self {
        Self { $0.addedIn = version }
    }

    /// Adds a column that is computed from the attribute's value.
    ///
    /// - Parameters:
    ///   - transformer: The expression of a one-way transformer.
    ///   - name: The column's name. By default, the attribute's name and the name of the last stage, joined by `_`.
    ///   - indexed: Whether the column is indexed.
    ///   - options: ``ProjectionOption/revealing`` to allow a projection without a key on a confidential attribute.
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

/// The point at which the stored bytes of a transformed attribute are decoded.
public enum DecodingStrategy: String, Sendable, Hashable, CaseIterable {
    /// Decodes the value when it is first read.
    case onAccess
    /// Decodes the value when the object is fetched, so that a failure is reported immediately.
    case onFetch
}

/// The point at which the value of a transformed attribute is encoded.
public enum EncodingStrategy: String, Sendable, Hashable, CaseIterable {
    /// Encodes the value when the object is saved.
    case onSave
    /// Encodes the value when it is set, so that a failure is reported immediately.
    case onSet
}

/// Rules with only one limit.
extension AttributeOption {
    /// Sets the minimum of the attribute's values.
    ///
    /// - Parameter range: The range of valid numbers.
    /// - Returns: The option.
    public static func range(_ range: PartialRangeFrom<Double>) -> Self {
        Self { $0.validation.minimum = range.lowerBound }
    }

    /// Sets the maximum of the attribute's values.
    ///
    /// - Parameter range: The range of valid numbers.
    /// - Returns: The option.
    public static func range(_ range: PartialRangeThrough<Double>) -> Self {
        Self { $0.validation.maximum = range.upperBound }
    }

    /// Sets the minimum length of the attribute's values, in characters for text and bytes for data.
    ///
    /// - Parameter range: The range of valid lengths.
    /// - Returns: The option.
    public static func length(_ range: PartialRangeFrom<Int>) -> Self {
        Self { $0.validation.minimumLength = range.lowerBound }
    }

    /// Sets the maximum length of the attribute's values, in characters for text and bytes for data.
    ///
    /// - Parameter range: The range of valid lengths.
    /// - Returns: The option.
    public static func length(_ range: PartialRangeThrough<Int>) -> Self {
        Self { $0.validation.maximumLength = range.upperBound }
    }
}
