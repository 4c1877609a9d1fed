public import Foundation
internal import Transformable

extension ManagedObject {
    /// Sets an attribute to bytes in the form that its first stages write, such as an archive for `keyed-archive` or a
    /// JPEG file for `jpeg | sealed`.
    ///
    /// The bytes are stored unchanged.
    ///
    /// `setValue(_:for:)` encodes a value. This method takes bytes that an encoder has written before, in this program
    /// or another one, so that nothing is lost, such as the quality of a picture or the other contents of an archive.
    /// The bytes are decoded immediately and rejected if they do not decode to a value. Stages that take bytes, such as
    /// `gzip` and `sealed`, are applied as usual. ``stream(_:)`` returns the same bytes.
    ///
    /// If the attribute's values are instances of a class, the decoded value is kept and encoded when the object is
    /// saved, because it may be changed in place until then.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - name: The name of a data or transformed attribute.
    /// - Throws: `StoreError` with the code `invalid-value` if the bytes do not decode to a value or if the
    ///   value breaks a rule of the model, with the code `wrong-type` if the attribute is not stored as bytes,
    ///   or with the code `unknown-attribute` or `read-only`.
    public func setContents(_ contents: Data, for name: String) throws {
        let attribute = try bytesAttribute(name)
        try requireSettable(attribute.index)
        try put(slot(contents, attribute), attribute.index)
    }

    private func slot(_ contents: Data, _ attribute: StoredAttribute) throws -> Slot {
        let slot = attribute.load({ contents }, in: place(attribute))
        if var failure = slot.failure {
            failure.code = .invalidValue
            failure.message = "the bytes are not in the form that its transformer writes"
            throw failure
        }
        guard !attribute.isMutableInPlace else { return slot }
        try located(attribute) {
            if attribute.isExternal { try attribute.rules.check(.blob(contents)) }
            let stored = ColumnValue.blob(try attribute.tail.encode(contents, in: place(attribute)))
            if !attribute.isExternal { try attribute.rules.check(stored) }
            slot.keepContents(stored)
        }
        return slot
    }

    /// Sets an attribute to bytes that are stored unchanged and need not be decodable.
    ///
    /// This is used for bytes that were recovered from another file.
    func setUndecodable(_ bytes: Data, _ attribute: StoredAttribute, _ failure: StoreError) throws {
        let cell: ColumnValue = attribute.isDeferrable ? .blob(bytes) : .brokenText(bytes)
        try put(Slot(streamed: nil, encoded: cell, failure: failure), attribute.index)
    }
}
