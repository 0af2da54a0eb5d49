"""The distribution pytest-meshbed. It brings pytest and the package `meshbed`, which registers the plugin and is imported."""
