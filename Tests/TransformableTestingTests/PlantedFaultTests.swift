import Testing
import Transformable
import TransformableTesting

@Suite struct PlantedFaultTests {
    @Test(arguments: PlantedFault.ofValues + PlantedFault.ofTraits + PlantedFault.ofDecoders)
    func isCaughtByItsLaw(fault: PlantedFault) {
        let violations = fault.violations()
        #expect(violations.contains { $0.law == fault.law })
        #expect(violations.filter { $0.law != fault.law && !fault.consequences.contains($0.law) } == [])
    }
}
