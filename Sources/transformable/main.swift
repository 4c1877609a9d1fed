import Transformable
import TransformableCommands

TransformableCommand.main {
    try TransformerRegistry { Registration.text }
}
