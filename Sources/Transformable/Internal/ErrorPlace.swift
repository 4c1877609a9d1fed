/// Runs a closure for an element of a collection, and adds the element to any error it throws.
func at<Result>(_ place: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as TransformerError {
        var placed = error
        placed.message = "at \(place()): \(error.message)"
        throw placed
    } catch {
        throw TransformerError(.invalidData, "failed at \(place())", underlying: error)
    }
}
