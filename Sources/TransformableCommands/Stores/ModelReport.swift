internal import TransformableCoreData

/// The JSON form of a model that is shown.
struct ModelReport: Encodable {
    private struct Fact: Encodable {
        let name: String
        let value: String?
    }

    private struct Item: Encodable {
        let kind: String
        let entity: String?
        let name: String
        let facts: [Fact]
    }

    private let modelVersion: String?
    private let isCompiled: Bool
    private let items: [Item]
    private let notes: [NoteReport]

    init(_ source: ModelSource) {
        let outline = source.outline
        modelVersion = source.version
        isCompiled = outline.isCompiled
        items = outline.items.map { item in
            let facts = item.facts.map { Fact(name: $0.name, value: $0.value) }
            return Item(kind: item.kind, entity: item.entity, name: item.name, facts: facts)
        }
        notes = source.notes.map(NoteReport.init)
    }
}

/// The JSON form of a note.
struct NoteReport: Encodable {
    private let entity: String?
    private let property: String?
    private let text: String
    private let isLoss: Bool

    init(_ note: CoreDataNote) {
        entity = note.entity
        property = note.property
        text = note.text
        isLoss = note.isLoss
    }
}

/// The JSON form of the notes of a conversion.
struct ConversionReport: Encodable {
    private let losses: Int
    private let notes: [NoteReport]

    init(_ notes: [CoreDataNote]) {
        losses = notes.count(where: \.isLoss)
        self.notes = notes.map(NoteReport.init)
    }
}

/// The JSON form of the differences between two models.
struct DifferenceReport: Encodable {
    private struct Difference: Encodable {
        let path: String
        let kind: String
        let fact: String?
        let old: String?
        let new: String?
    }

    private let differences: [Difference]

    init(_ differences: [ModelOutline.Difference]) {
        self.differences = differences.map {
            Difference(path: $0.path, kind: $0.kind, fact: $0.fact, old: $0.old, new: $0.new)
        }
    }
}

extension ModelOutline {
    /// The model as lines of text: a paragraph for each entity.
    var text: String {
        var paragraphs: [[String]] = []
        for item in items {
            let facts = item.facts.map {
                [$0.name == "type" ? nil : $0.name, $0.value].compactMap(\.self).joined(separator: " ")
            }
            let name = item.entity == nil && item.kind != "entity" ? "\(item.kind) \(item.name)" : item.name
            let line = name + (facts.isEmpty ? "" : ": " + facts.joined(separator: ", "))
            if item.entity == nil {
                paragraphs.append([line.onOneLine])
            } else if !paragraphs.isEmpty {
                paragraphs[paragraphs.count - 1].append("  \(line.onOneLine)")
            }
        }
        return paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }
}
