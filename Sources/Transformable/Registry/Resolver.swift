internal import Foundation

/// Combines the stages of an expression from left to right, and checks that their types match.
struct Resolver {
    private let registry: TransformerRegistry
    private let askedType: Any.Type?
    private var stages: [ResolvedStage] = []
    private var form: AnyHumanForm?
    private var untypedForm: AnyHumanForm?

    init(registry: TransformerRegistry, valueType: Any.Type?) {
        self.registry = registry
        askedType = valueType
    }

    /// The type that the next stage takes: the encoded type of the last stage, or the requested value type.
    private var currentType: Any.Type? {
        stages.last?.encodedType ?? askedType
    }

    mutating func resolve(
        _ expression: TransformerExpression,
        ending: ExpressionEnding
    ) throws -> ResolvedTransformer {
        for stage in expression.stages {
            try append(stage)
        }
        if ending == .data, let last = stages.last, last.encodedType == String.self {
            stages.append(Self.impliedText)
        }
        let written = TransformerExpression(stages: stages.filter { !$0.isImplied }.map(\.stage))
        let whole = try joined(stages)
        let resolved = ResolvedTransformer(
            expression: written,
            stages: stages,
            signature: TransformerSignature(stages: stages.map(\.signed)),
            transformer: whole,
            streamed: try streamed(),
            form: form,
            untypedForm: untypedForm ?? form
        )
        guard ending.admits(resolved.encodedType) else {
            throw TransformerError.doesNotEnd(written, in: ending.summary, but: resolved.encodedType)
        }
        return resolved
    }

    private mutating func append(_ stage: TransformerExpression.Stage) throws {
        let registration = try registry.registration(stage.name)
        let resolved = try resolve(stage, of: registration)
        if let currentType, currentType != resolved.valueType {
            guard currentType == String.self, resolved.valueType == Data.self else {
                throw mismatch(of: resolved, given: currentType)
            }
            stages.append(Self.impliedText)
        }
        if stages.isEmpty {
            form = Self.form(of: resolved, registration)
            untypedForm = try untypedForm(of: resolved, written: stage, registration)
        } else if stages.count == 1, stages[0].isImplied {
            form = AnyHumanForm.automatic(for: String.self)
        } else if onlyChangesValues(for: resolved), let provided = Self.providedForm(of: resolved) {
            form = form?.yielding(to: provided) ?? provided
        }
        stages.append(resolved)
    }

    /// Returns whether the stages so far leave the type of values to the first stage that provides its own form.
    private func onlyChangesValues(for next: ResolvedStage) -> Bool {
        stages.allSatisfy {
            $0.valueType == next.valueType && $0.encodedType == next.valueType && Self.providedForm(of: $0) == nil
        }
    }

    private func resolve(
        _ stage: TransformerExpression.Stage,
        of registration: Registration
    ) throws -> ResolvedStage {
        let type = currentType ?? registration.valueType
        do {
            let canonical = try registry.canonical(stage)
            let base = try registration.make(stage, FamilyRequest(valueType: type, registry: registry))
            return ResolvedStage(
                stage: canonical,
                signed: try registry.signed(canonical),
                transformer: base.asStage(named: stage.name),
                isImplied: false
            )
        } catch var error as TransformerError {
            error.transformer = error.transformer ?? stage.name.rawValue
            throw error
        }
    }

    private func mismatch(of stage: ResolvedStage, given: Any.Type) -> TransformerError {
        guard let last = stages.last else {
            return .doesNotServe(stage.name, given, values: stage.valueType)
        }
        return .stagesDoNotFit(last.name.rawValue, gives: given, stage.name.rawValue, takes: stage.valueType)
    }

    /// The conversion of text to UTF-8, even if no plugin registers `text`.
    private static let impliedText = ResolvedStage(
        stage: TransformerExpression.Stage("text"),
        signed: TransformerExpression.Stage(
            "text",
            version: Registration.text.version,
            arguments: [TransformerExpression.Argument("encoding", .word(TextEncoding.utf8.rawValue))]
        ),
        transformer: TextTransformer().asStage(named: "text"),
        isImplied: true
    )

    private func joined(_ stages: [ResolvedStage]) throws -> any OneWayTransformer {
        guard var whole = stages.first?.transformer else {
            throw TransformerError(.invalidExpression, "an expression must have at least one stage", offset: 0)
        }
        for stage in stages.dropFirst() {
            guard let next = whole.joined(to: stage.transformer) else {
                throw mismatch(of: stage, given: currentType ?? Void.self)
            }
            whole = next
        }
        return whole
    }

    /// Returns the last stages that can process values piece by piece, and the stages before them.
    private func streamed() throws -> StreamedStages? {
        let tail = stages.reversed().prefix { $0.transformer is any StreamTransformer }.reversed()
        let streams = tail.compactMap { $0.transformer as? any StreamTransformer }
        guard var whole = streams.first else { return nil }
        for next in streams.dropFirst() { whole = whole.piped(to: next) }
        let head = stages.dropLast(streams.count)
        return StreamedStages(head: head.isEmpty ? nil : try joined(Array(head)), tail: whole)
    }

    /// Returns the form of the values of a family's default type, or nil if the form depends on the type or is the same.
    private func untypedForm(
        of stage: ResolvedStage,
        written: TransformerExpression.Stage,
        _ registration: Registration
    ) throws -> AnyHumanForm? {
        guard registration.isFamily, askedType != nil else { return nil }
        guard let plain = try? Resolver(registry: registry, valueType: nil).resolve(written, of: registration),
            plain.valueType != stage.valueType
        else { return nil }
        let provided = (plain.transformer as? any HumanFormProviding)?.humanForm
        return (provided ?? registration.form)?.converted(from: plain.transformer, to: stage.transformer, or: form)
    }

    private static func form(of stage: ResolvedStage, _ registration: Registration) -> AnyHumanForm? {
        if let form = providedForm(of: stage) { return form }
        let isDeclared = registration.valueType.map { $0 == stage.valueType } ?? false
        return (isDeclared ? registration.form : nil) ?? .automatic(for: stage.valueType)
    }

    private static func providedForm(of stage: ResolvedStage) -> AnyHumanForm? {
        (stage.transformer as? any HumanFormProviding)?.humanForm
    }
}

extension StreamTransformer {
    fileprivate func piped(to next: some StreamTransformer) -> any StreamTransformer { then(next) }
}

extension OneWayTransformer {
    fileprivate func asStage(named name: TransformerName) -> any OneWayTransformer {
        StageTransformer(name: name, base: self)
    }

    /// Composes transformers whose types are known only at run time, or returns nil if the types do not match.
    fileprivate func joined(to next: any OneWayTransformer) -> (any OneWayTransformer)? {
        func fitting<Next: OneWayTransformer>(_ next: Next) -> (any OneWayTransformer)? {
            (next as? any OneWayTransformer<Encoded, Next.Encoded>).map { composed(with: $0) }
        }
        return fitting(next)
    }

    /// Composes transformers whose types are known to match.
    ///
    /// The composition can decode if both transformers can.
    private func composed<Next: OneWayTransformer>(with next: Next) -> any OneWayTransformer
    where Next.Value == Encoded {
        then(next)
    }
}
