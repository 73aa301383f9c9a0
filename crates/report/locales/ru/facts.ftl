# What the machine reports: signatures, uses of a device or file.
