dd-input-zero = input: /dev/zero is no storage; no device was read
dd-input-no-storage = input: a device without storage; no disk was read
dd-input-unknown = input: not known how much came from the page cache
dd-input = input: { $share } of { $total } needed no read of a device (before the copy, { $cached } in the page cache, { $gaps } in holes or unwritten extents)
dd-input-at-least = input: at least { $share } of { $total } needed no read of a device (before the copy, { $cached } in the page cache, { $gaps } in holes or unwritten extents)
dd-input-nothing = input: nothing of { $total } was in the page cache, a hole or an unwritten extent before the copy
dd-input-direct = input: all of { $total } was read past the page cache (iflag=direct), which held { $cached } of it
dd-below-loop = { $device } is a loop device: { $cached } of its file are in the page cache one layer below
dd-below-loop-unknown = { $device } is a loop device: its file may be in the page cache one layer below
dd-below-memory = { $device } keeps its data in memory
dd-below-no-device = { $name } has no block device of its own
dd-output = output: a file
dd-output-durable = output: flushed within the time above
dd-output-lost = output: the flush failed; some of the data may not be on the device
dd-output-direct = output: the writes bypassed the page cache; the cache of the device was not flushed (conv=fdatasync does it within the time)
dd-output-none-pending = output: all data had left the page cache; whether the device took them was not checked (--sync-after does), and its cache was not flushed
dd-output-pending = output: { $pending } ({ $share }) were still in the page cache and not on the device when the copy ended (conv=fdatasync flushes them within the time, --sync-after measures the flush)
dd-output-unknown = output: not known how much was still in the page cache (conv=fdatasync flushes it within the time, --sync-after measures the flush)
dd-output-loop = { $device } is a loop device: its file may be in the page cache one layer below
dd-flushed = with a flush of { $flush } after the copy: { $rate }/s
dd-zeros = all bytes copied are zeros: storage that compresses or deduplicates is faster with them than with other data
dd-zeros-compressed = all bytes copied are zeros, which { $layer } compresses: it is faster with them than with other data
