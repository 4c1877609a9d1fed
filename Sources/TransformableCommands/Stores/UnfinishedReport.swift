internal import TransformableStore

/// A re-encoding that has not ended, as JSON has it.
struct UnfinishedReport: Encodable {
    let entity: String
    let attribute: String
    let waiting: Int
    let isExposed: Bool
    let message: String

    init(_ unfinished: UnfinishedReencoding) {
        entity = unfinished.entity
        attribute = unfinished.attribute
        waiting = unfinished.waitingCount
        isExposed = unfinished.isExposed
        message = unfinished.description.onOneLine
    }
}
