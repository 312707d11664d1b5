"""People with keys: identities, their names, devices and sessions."""
