/// Runs the work on one element of a collection; a failure names the element and keeps its cause.
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
