catalogue-column-class = class
catalogue-column-read-1 = read QD1
catalogue-column-read-32 = read QD32
catalogue-column-write = write QD1
catalogue-column-sync = synced
catalogue-column-latency = latency
catalogue-range = range
catalogue-end = 4 KiB random I/Os per second; estimates. fathom catalog CLASS shows sources and published figures
catalogue-unknown-near = no class { $name }; did you mean { $near }? fathom catalog lists them
catalogue-unknown = no class { $name }; fathom catalog lists them
rank-own = this device
rank-like = its figures are like those of { $names }
rank-none = its figures are like those of no class in the catalogue
rank-reports-rotational = yet the device reports rotation: it is a virtual disk, or its label is wrong
rank-reports-ssd = yet the device reports to be an SSD: its label is wrong, or a limit slows it
rank-end = = within the range of the class, 3.2x above it, 1/3.2 below it. fathom catalog shows the ranges
rank-nothing = { $source } has no pattern of the catalogue: 4 KiB random at depth 1 or 32, synced 4 KiB writes, or sequential from 128 KiB
