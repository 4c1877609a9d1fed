/// A transformer that is registered under a name, with its parameters.
public struct Registration: Sendable {
    /// The name in expressions.
    public let name: TransformerName
    /// The version of the encoded form, starting at 1.
    ///
    /// A newer version must be able to read what older ones wrote.
    public let version: Int
    /// A short description.
    public let summary: String
    /// The parameters, in canonical order.
    public let parameters: [ParameterDescription]
    /// The type of the values.
    ///
    /// For a family, the default type, or nil if it depends on the arguments.
    public let valueType: Any.Type?
    /// Whether the name stands for transformers of many value types.
    public let isFamily: Bool

    /// The name of the plugin that it belongs to, or nil if it was added to the registry by itself.
    var plugin: String?
    let form: AnyHumanForm?
    /// Returns the values of all parameters for a stage, including defaults.
    ///
    /// A value is nil if the argument is omitted and has no default.
    let values: @Sendable (TransformerExpression.Stage) throws(TransformerError) -> [ArgumentValue?]
    let make: @Sendable (TransformerExpression.Stage, FamilyRequest) throws -> any OneWayTransformer

    /// Registers a transformer that takes no arguments.
    ///
    /// - Parameters:
    ///   - name: The name in expressions.
    ///   - version: The version of the encoded form.
    ///   - summary: A short description.
    ///   - form: The human-readable form of the values. By default, the form of their type.
    ///   - transformer: The transformer.
    public init<Base: OneWayTransformer>(
        _ name: TransformerName,
        version: Int = 1,
        summary: String = "",
        form: HumanForm<Base.Value>? = nil,
        _ transformer: Base
    ) {
        self.init(name, version: version, summary: summary, form: form) { transformer }
    }

    /// Registers a transformer that is created from its arguments.
    ///
    /// - Parameters:
    ///   - name: The name in expressions.
    ///   - version: The version of the encoded form.
    ///   - summary: A short description.
    ///   - form: The human-readable form of the values. By default, the form of their type.
    ///   - parameters: The parameters, in canonical order.
    ///   - make: A closure that creates the transformer from the arguments. If it throws, the expression is invalid.
    public init<Base: OneWayTransformer, each Argument: ArgumentConvertible>(
        _ name: TransformerName,
        version: Int = 1,
        summary: String = "",
        form: HumanForm<Base.Value>? = nil,
        _ parameters: repeat Parameter<each Argument>,
        make: @escaping @Sendable (repeat each Argument) throws -> Base
    ) {
        self.init(
            name: name,
            version: version,
            summary: summary,
            valueType: Base.Value.self,
            isFamily: false,
            form: form.map(AnyHumanForm.init),
            repeat each parameters
        ) { stage, _ in
            try make(repeat (each parameters).value(in: stage))
        }
    }

    /// Registers a family: a name that stands for transformers of many value types.
    ///
    /// - Parameters:
    ///   - name: The name in expressions.
    ///   - defaultType: The default value type, or nil if it depends on the arguments.
    ///   - version: The version of the encoded form.
    ///   - summary: A short description.
    ///   - form: The human-readable form of values of the default type.
    ///   - parameters: The parameters, in canonical order.
    ///   - make: A closure that creates the transformer for a type. It throws an error with the code
    ///     ``TransformerError/Code/unsupportedType`` if the type is not supported.
    /// - Returns: The registration.
    public static func family<Default, each Argument: ArgumentConvertible>(
        _ name: TransformerName,
        default defaultType: Default.Type?,
        version: Int = 1,
        summary: String = "",
        form: HumanForm<Default>? = nil,
        _ parameters: repeat Parameter<each Argument>,
        make: @escaping @Sendable (FamilyRequest, repeat each Argument) throws -> any OneWayTransformer
    ) -> Self {
        Self(
            name: name,
            version: version,
            summary: summary,
            valueType: defaultType,
            isFamily: true,
            form: form.map(AnyHumanForm.init),
            repeat each parameters
        ) { stage, request in
            try make(request, repeat (each parameters).value(in: stage))
        }
    }

    private init<each Argument: ArgumentConvertible>(
        name: TransformerName,
        version: Int,
        summary: String,
        valueType: Any.Type?,
        isFamily: Bool,
        form: AnyHumanForm?,
        _ parameters: repeat Parameter<each Argument>,
        make: @escaping @Sendable (TransformerExpression.Stage, FamilyRequest) throws -> any OneWayTransformer
    ) {
        var descriptions: [ParameterDescription] = []
        for parameter in repeat each parameters {
            descriptions.append(parameter.description)
        }
        self.name = name
        self.version = version
        self.summary = summary
        self.parameters = descriptions
        self.valueType = valueType
        self.isFamily = isFamily
        self.form = form
        values = { stage throws(TransformerError) in
            var values: [ArgumentValue?] = []
            for parameter in repeat each parameters {
                values.append(try parameter.value(in: stage).argument)
            }
            return values
        }
        self.make = make
    }
}

/// A request to a family for a transformer of a particular Swift type.
public struct FamilyRequest: Sendable {
    /// The requested value type, or else the family's default.
    ///
    /// Nil if neither is known.
    public let valueType: Any.Type?
    let registry: TransformerRegistry

    /// Resolves an expression that is an argument of the family.
    ///
    /// - Parameters:
    ///   - expression: The inner expression.
    ///   - valueType: The type of its values, or nil for the expression's own type.
    /// - Returns: The transformer, which can end in any type.
    /// - Throws: ``TransformerError`` if the expression cannot be resolved.
    public func resolve(
        _ expression: TransformerExpression,
        for valueType: Any.Type? = nil
    ) throws -> ResolvedTransformer {
        try registry.resolve(expression, for: valueType, ending: .anything)
    }
}
