stat-solid-state = { $device }: %util { $util } is not saturation: the device serves requests in parallel; mean in flight { $mean } ({ $busy } while busy)
stat-one-head = { $device }: %util { $util } is the share of time in which the disk worked; mean in flight { $mean } ({ $busy } while busy)
stat-stacked = { $device }: %util { $util } is not saturation: { $members ->
    [one] one device works below it
   *[other] { $members } devices work below it
    }; mean in flight { $mean } ({ $busy } while busy)
stat-software = { $device }: %util { $util } is not saturation: the work is done by the layers below it; mean in flight { $mean } ({ $busy } while busy)
stat-virtual = { $device }: %util { $util } may not be saturation: the medium behind this virtual disk is hidden, and most serve requests in parallel; mean in flight { $mean } ({ $busy } while busy)
stat-unknown = { $device }: %util { $util } is the share of time with at least one request in flight; mean in flight { $mean } ({ $busy } while busy)
stat-pid = PID
stat-command = command
stat-read = read/s
stat-written = written/s
stat-ios = I/Os/s
stat-cgroup = control group
stat-device = device
stat-no-processes = no process read from or wrote to storage
stat-no-cgroups = no control group did I/O
stat-watch-title = fathom stat, every { $seconds } s  { $time }
stat-watch-paused = paused
stat-watch-keys = q quit  up/down device  p pause
stat-watch-no-devices = no devices
stat-watch-detail = { $device }, last { $seconds } s (left: the largest value)
stat-no-terminal = --watch needs a terminal on standard input and output
stat-no-history = { $file }: { $error }
stat-bad-history = { $file }: line { $line } is not a report of fathom stat --history
stat-history-lost = the history { $file } could not be written: { $error }
stat-needs-value = { $option } needs a value
stat-excluded = { $first } cannot be combined with { $second }
stat-bad-top = --top: give a number of processes from 1, e.g. --top=10
