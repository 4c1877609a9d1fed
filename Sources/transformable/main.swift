import GeometryPlugin
import Transformable
import TransformableCommands

TransformableCommand.main {
    try TransformerRegistry {
        GeometryPlugin()
        Registration.text
    }
}
