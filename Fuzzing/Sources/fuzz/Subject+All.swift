import Foundation
import Transformable

extension Subject {
    /// The subject of an expression, or one for each expression that has samples and decodes.
    static func all(of expression: String?, seedFolder: URL?) throws -> [Subject] {
        let registry = try AllSamples.registry()
        let files = try seedFolder.map(files) ?? []
        let subjects = try AllSamples.all.compactMap { try make($0, registry, files) }
        guard let expression else { return subjects }
        let canonical = try registry.resolve(expression, ending: .anything).expression.description
        let known = subjects.filter { $0.expression == canonical }
        return try known.isEmpty ? [unsampled(canonical, registry, files, like: subjects)] : known
    }

    private static func make<Set: SampleSet>(
        _ samples: Set,
        _ registry: TransformerRegistry,
        _ files: [[UInt8]]
    ) throws -> Subject? {
        func open<Base: Transformer>(_ base: Base) -> Subject? {
            let values = samples.values.compactMap { $0 as? Base.Value }
            let encoded = values.compactMap { try? base.encode($0, in: .none) }
            return subject(samples.expression, base, seeds: encoded.compactMap(bytes) + files)
        }
        return (try samples.transformer(in: registry) as? any Transformer).flatMap { open($0) }
    }

    /// An expression of the caller's own begins with the files, and with the seeds of its first stage.
    private static func unsampled(
        _ expression: String,
        _ registry: TransformerRegistry,
        _ files: [[UInt8]],
        like others: [Subject]
    ) throws -> Subject {
        func open<Base: Transformer>(_ base: Base) -> Subject? {
            subject(expression, base, seeds: files + others.filter { $0.isRelated(to: expression) }.flatMap(\.seeds))
        }
        let resolved = try registry.resolve(expression)
        guard let transformer = resolved.transformer as? any Transformer, let subject = open(transformer) else {
            throw TransformerError(.notReversible, "“\(expression)” does not decode bytes or text")
        }
        return subject
    }

    private func isRelated(to other: String) -> Bool {
        func last(_ text: String) -> Substring? {
            text.split(separator: "|").last?.drop { $0 == " " }.prefix { $0 != "(" && $0 != " " }
        }
        return last(expression) == last(other)
    }

    private static func subject<Base: Transformer>(
        _ expression: String,
        _ transformer: Base,
        seeds: [[UInt8]]
    ) -> Subject? {
        let seeds = seeds.isEmpty ? [[]] : seeds
        func ofBytes(_ transformer: some Transformer<Base.Value, Data>) -> Subject {
            Subject(expression, transformer, seeds: seeds) { Data($0) }
        }
        func ofText(_ transformer: some Transformer<Base.Value, String>) -> Subject {
            Subject(expression, transformer, seeds: seeds) { String(decoding: $0, as: UTF8.self) }
        }
        if let transformer = transformer as? any Transformer<Base.Value, Data> { return ofBytes(transformer) }
        if let transformer = transformer as? any Transformer<Base.Value, String> { return ofText(transformer) }
        return nil
    }

    private static func bytes(_ encoded: Any) -> [UInt8]? {
        (encoded as? Data).map { Array($0) } ?? (encoded as? String).map { Array($0.utf8) }
    }

    private static func files(in folder: URL) throws -> [[UInt8]] {
        let contents = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return contents.sorted { $0.path < $1.path }.compactMap { try? [UInt8](Data(contentsOf: $0)) }
            .filter { $0.count <= Worker.maximumInput }
    }
}
