import Synchronization
import Testing
import Transformable

@Suite struct EncodeAllTests {
    @Test(arguments: [0, 1, 2, 1000])
    func keepsTheOrderOfTheValues(count: Int) throws {
        let values = Array(0..<count)
        #expect(
            try OneWayFunctionTransformer { (number: Int) in String(number) }.encodeAll(values)
                == values.map(String.init)
        )
    }

    @Test func throwsTheFirstError() throws {
        let picky = OneWayFunctionTransformer { (number: Int) throws -> Int in
            guard number < 7 else { throw TransformerError(.invalidValue, "\(number) is too large") }
            return number
        }
        let error = #expect(throws: TransformerError.self) { try picky.encodeAll(Array(0..<1000)) }
        #expect(error?.message == "7 is too large")
    }

    @Test func skipsTheRestAfterAFailure() throws {
        let calls = Mutex(0)
        let failing = OneWayFunctionTransformer { (_: Int) throws -> Int in
            calls.withLock { $0 += 1 }
            throw TransformerError(.invalidValue, "no")
        }
        #expect(throws: TransformerError.invalidValue("")) { try failing.encodeAll(Array(0..<100_000)) }
        #expect(calls.withLock { $0 } < 100)
    }
}
