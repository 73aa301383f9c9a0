hosts-column-host = host
hosts-column-iops = { $direction } IOPS
hosts-column-p99 = lat p99
hosts-column-began = began
hosts-column-grade = grade
hosts-lost-cell = lost
hosts-skew = all workers began within { $skew } (clocks known to { $wrong })
hosts-fairness = fairness { $index } (Jain: 1 if all hosts have the same rate); the first host was done after { $first }, the last after { $last }
hosts-kept = its last figures, of { $seconds } after the start, are part of the sum
hosts-nothing-kept = none of its figures arrived
hosts-lost-ended = { $host }: the connection ended (status { $status })
hosts-lost-killed = { $host }: a signal ended the connection
hosts-lost-said = { $host }: { $said }
hosts-lost-silent = { $host }: no message for { $seconds } s
hosts-lost-no-agent = { $host }: this is no agent of fathom
hosts-lost-version = { $host }: has fathom { $version }, here is { $own }; all hosts need the same version
hosts-bad-name = --hosts: '{ $name }' is no name of a host
hosts-none = no hosts are given
hosts-not-with = { $switch } cannot be given with --hosts
hosts-nothing-to-run = with --hosts, jobs are needed
hosts-not-utf8 = with --hosts, arguments must be UTF-8
hosts-refused = nothing was run on any host
hosts-not-split-small = --share=split: { $path } has { $bytes } bytes, less than a block for each host
hosts-not-split-unwritten = --share=split: { $path } has to be filled before the run; fill it on one host first, without --hosts
hosts-no-mpirun = mpirun is not installed: install openmpi-bin (Open MPI)
hosts-other-mpi = this mpirun is not that of Open MPI ({ $said }): install openmpi-bin, and put its mpirun first in PATH
