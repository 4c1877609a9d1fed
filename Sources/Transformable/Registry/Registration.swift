/// A transformer under its name, with what an expression may say about it.
public struct Registration: Sendable {
    /// The name in expressions.
    public let name: TransformerName
    /// The version of what it writes, from 1.
    ///
    /// A newer version must read what older ones wrote.
    public let version: Int
    /// What it does, in a few words.
    public let summary: String
    /// The arguments it takes, in canonical order.
    public let parameters: [ParameterDescription]
    /// The type of its values; for a family the default type, nil where that depends on arguments.
    public let valueType: Any.Type?
    /// Whether one name serves many value types.
    public let isFamily: Bool

    let form: AnyHumanForm?
    /// The values of all parameters for a stage, defaults included; nil where leaving it out is the value.
    let values: @Sendable (TransformerExpression.Stage) throws(TransformerError) -> [ArgumentValue?]
    let make: @Sendable (TransformerExpression.Stage, FamilyRequest) throws -> any OneWayTransformer

    /// Registers a transformer that takes no arguments.
    ///
    /// - Parameters:
    ///   - name: The name in expressions.
    ///   - version: The version of what it writes.
    ///   - summary: What it does, in a few words.
    ///   - form: How a person gives and sees its values; by default the form that their type has.
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

    /// Registers a transformer that is made from its arguments.
    ///
    /// - Parameters:
    ///   - name: The name in expressions.
    ///   - version: The version of what it writes.
    ///   - summary: What it does, in a few words.
    ///   - form: How a person gives and sees its values; by default the form that their type has.
    ///   - parameters: The arguments it takes, in canonical order.
    ///   - make: Makes the transformer from the arguments' values; what it throws is the expression's fault.
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

    /// Registers a family: one name that serves many value types.
    ///
    /// - Parameters:
    ///   - name: The name in expressions.
    ///   - defaultType: The value type where no other is asked for; nil if it depends on arguments.
    ///   - version: The version of what it writes.
    ///   - summary: What it does, in a few words.
    ///   - form: How a person gives and sees values of the default type.
    ///   - parameters: The arguments it takes, in canonical order.
    ///   - make: Makes the transformer for a type; throws ``TransformerError/Code/unsupportedType`` for
    ///     a type it does not serve.
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
