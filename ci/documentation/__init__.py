"""The site of ci/docs."""
