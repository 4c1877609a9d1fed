internal import Foundation
internal import Transformable

/// Where an attribute's bytes come from: its cell, or a blob.
enum BytesSource: Sendable {
    case memory(Data)
    case file(BlobFile)
}

/// The bytes of a value, before they are opened.
struct ValueSource: Sendable {
    let bytes: BytesSource
    let tail: any StreamTransformer
    let context: TransformContext
    let entity: String
    let attribute: String

    /// Takes an attribute's bytes from a place, before the stages of a tail; without one, before the attribute's.
    init(
        _ bytes: BytesSource,
        of attribute: StoredAttribute,
        at place: TransformContext,
        _ tail: (any StreamTransformer)? = nil
    ) {
        self.bytes = bytes
        self.tail = tail ?? attribute.tail
        context = place
        entity = attribute.entity
        self.attribute = attribute.name
    }

    /// Adds where it happened, and says what cannot be read.
    func located(_ error: any Error) -> StoreError {
        var located =
            error as? StoreError
            ?? StoreError(.undecodable, "the stored bytes cannot be decoded", underlying: error)
        located.entity = located.entity ?? entity
        located.attribute = located.attribute ?? attribute
        located.object = located.object ?? context.object.map { ObjectID(entity: entity, number: $0) }
        return located
    }
}
