import EncryptionPlugin
import GeometryPlugin
import Transformable
import TransformableCommands

TransformableCommand.main { keys in
    try TransformerRegistry {
        GeometryPlugin()
        EncryptionPlugin(keys: keys)
        Registration.text
    }
}
