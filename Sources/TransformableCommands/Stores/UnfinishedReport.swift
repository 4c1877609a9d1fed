internal import TransformableStore

/// The JSON description of an unfinished re-encoding.
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
