import Testing
import Transformable

@Suite struct CountedTests {
    @Test(arguments: [(0, "0 objects"), (1, "1 object"), (2, "2 objects"), (-1, "-1 objects")])
    func usesTheSingularOnlyForOne(number: Int, text: String) {
        #expect(number.counted("object") == text)
    }
}
