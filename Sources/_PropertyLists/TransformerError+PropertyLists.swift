internal import Transformable

extension TransformerError {
    static func tooManyBytes(_ limit: Int) -> Self {
        limitExceeded("the property list is larger than \(limit) bytes; raise the limit “bytes”")
    }

    static func tooManyObjects(_ limit: Int, offset: Int? = nil) -> Self {
        limitExceeded("the property list holds more than \(limit) objects; raise the limit “objects”", offset: offset)
    }

    /// Arrays and dictionaries that hold each other stand one in another too often.
    static func listTooDeep(offset: Int? = nil) -> Self {
        let message =
            "arrays and dictionaries of the property list are nested more than \(PropertyListTable.deepest) deep"
        return limitExceeded(message, offset: offset)
    }
}
