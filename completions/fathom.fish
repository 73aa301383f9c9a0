# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fathom_global_optspecs
    string join \n json charts seconds= prefill= fail-under= store= no-store live hosts= hostfile= transport= relay rsh= agent= on-loss= share= dry-run lang= h/help V/version
end

function __fish_fathom_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_fathom_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_fathom_using_subcommand
    set -l cmd (__fish_fathom_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c fathom -n "__fish_fathom_needs_command" -l seconds -d 'Measuring time of the check: 16, 30s, 1m [default: 16s]' -r
complete -c fathom -n "__fish_fathom_needs_command" -l prefill -d 'Fill unwritten ranges of a file first [default: ask]' -r -f -a "yes\t'Fill without asking'
no\t'Do not fill'
ask\t'Ask on a terminal; otherwise only report it'"
complete -c fathom -n "__fish_fathom_needs_command" -l fail-under -d 'Fail (status 4) on a grade worse than this' -r
complete -c fathom -n "__fish_fathom_needs_command" -l store -d 'Store the result in this file, not in your own store' -r -F
complete -c fathom -n "__fish_fathom_needs_command" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_needs_command" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_needs_command" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_needs_command" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_needs_command" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_needs_command" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_needs_command" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_needs_command" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_needs_command" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_needs_command" -l charts -d 'Draw small charts below the card'
complete -c fathom -n "__fish_fathom_needs_command" -l no-store -d 'Do not store the result'
complete -c fathom -n "__fish_fathom_needs_command" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_needs_command" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_needs_command" -l dry-run -d 'With --hosts: print the commands that start the agents, and measure nothing'
complete -c fathom -n "__fish_fathom_needs_command" -s h -l help -d 'Print help'
complete -c fathom -n "__fish_fathom_needs_command" -s V -l version -d 'Print version'
complete -c fathom -n "__fish_fathom_needs_command" -a "doctor" -d 'Show the storage stack of a target and what distorts results'
complete -c fathom -n "__fish_fathom_needs_command" -a "prefill" -d 'Fill unwritten ranges of a file or device before a read test'
complete -c fathom -n "__fish_fathom_needs_command" -a "explore" -d 'Which block size, depth and run length? Which disk is faster?'
complete -c fathom -n "__fish_fathom_needs_command" -a "sweep" -d 'How do rate and latency vary with block size, iodepth, numjobs?'
complete -c fathom -n "__fish_fathom_needs_command" -a "explain" -d 'What limits the rate, and what would raise it?'
complete -c fathom -n "__fish_fathom_needs_command" -a "fit" -d 'Is this disk good enough for etcd, PostgreSQL, Kafka, Ceph ...?'
complete -c fathom -n "__fish_fathom_needs_command" -a "audit" -d 'Can these results of others be true, and what did they measure?'
complete -c fathom -n "__fish_fathom_needs_command" -a "ceph" -d 'What does a Ceph pool reach compared with the disks under it?'
complete -c fathom -n "__fish_fathom_needs_command" -a "cloud" -d 'What does this cloud volume promise, and does it keep it?'
complete -c fathom -n "__fish_fathom_needs_command" -a "characterize" -d 'Measure a device\'s zones, seeks, rotation and caches'
complete -c fathom -n "__fish_fathom_needs_command" -a "files" -d 'How fast does a mount create, stat, open, list, remove files?'
complete -c fathom -n "__fish_fathom_needs_command" -a "objects" -d 'How fast does object storage put, get, stat, delete, list?'
complete -c fathom -n "__fish_fathom_needs_command" -a "catalog" -d 'List classes of devices with their usual rates and latencies'
complete -c fathom -n "__fish_fathom_needs_command" -a "rank" -d 'Which class of devices does this disk resemble?'
complete -c fathom -n "__fish_fathom_needs_command" -a "pts" -d 'How fast is this SSD in steady state? SNIA\'s tests (PTS 2.0.2)'
complete -c fathom -n "__fish_fathom_needs_command" -a "report" -d 'Draw results: HTML page, SVG or PNG files, or in the terminal'
complete -c fathom -n "__fish_fathom_needs_command" -a "compare" -d 'Compare results: which differences are real?'
complete -c fathom -n "__fish_fathom_needs_command" -a "list" -d 'List stored results'
complete -c fathom -n "__fish_fathom_needs_command" -a "show" -d 'Show a stored result again'
complete -c fathom -n "__fish_fathom_needs_command" -a "export" -d 'Print a stored result as JSON or CSV'
complete -c fathom -n "__fish_fathom_needs_command" -a "trace" -d 'Show the profile of an I/O trace, or make a job with it'
complete -c fathom -n "__fish_fathom_needs_command" -a "agent" -d 'Measure for a command with `--hosts` on another host'
complete -c fathom -n "__fish_fathom_needs_command" -a "hdparm" -d 'Time reads of a device as hdparm -t and -T do'
complete -c fathom -n "__fish_fathom_needs_command" -a "ping" -d 'Measure the latency of one request after the other as ioping does'
complete -c fathom -n "__fish_fathom_needs_command" -a "dd" -d 'Copy as dd does, and show what its figures leave out'
complete -c fathom -n "__fish_fathom_needs_command" -a "stat" -d 'Show iostat\'s report of the block devices, and what its figures mean'
complete -c fathom -n "__fish_fathom_needs_command" -a "run" -d 'Run fio\'s job options and job files; print a card with a grade'
complete -c fathom -n "__fish_fathom_needs_command" -a "fio" -d 'Run fio\'s command line with fio\'s report and exit status'
complete -c fathom -n "__fish_fathom_using_subcommand doctor" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand doctor" -l json -d 'Print the result as JSON; an array if there are several targets'
complete -c fathom -n "__fish_fathom_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l offset -d 'Start offset, in bytes or with a unit (4k, 1G)' -r
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l size -d 'Length to fill [default: up to the end]' -r
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l allow-destroy -d 'Allow filling this device, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l yes -d 'Fill a file without asking'
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand prefill" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l budget -d 'Time budget; unanswered questions are listed' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l patterns -d 'Access patterns: BS-RW, a mix with its percentage of reads (4k-randrw70), durable writes (4k-write-fdatasync=1), or seed001 (512-byte random)' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l questions -d 'Questions to answer, in this order: depth, bs, runtime, jobs, span, targets, grid, axis, slo, hosts [default: depth,bs,runtime,jobs,span; for two targets: targets; with --hosts: depth,hosts,bs]' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l slo -d 'Latency goal: find the highest Poisson arrival rate that meets it. p50, p90, p99, p99.9 or mean, in us, ms or s' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l axis -d 'Block queue setting to vary and restore: read_ahead_kb, scheduler, nr_requests; or NAME=A,B,C' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l repeat -d 'Repeat the points used in the answers N times, spread over --over, to show how much runs differ' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l over -d 'Time over which the rounds of --repeat are spread: 90m, 24h' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l engine -d 'I/O engine [default: io_uring where it is available, else libaio]' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l seed -d 'Seed of all random numbers' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l allow-destroy -d 'Allow writes to this device or file, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l job -d 'Write the recommended fio job file to this path' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l resume -d 'Resume an unfinished study: the last one, or the one named' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l grid -d 'Also measure the full iodepth x numjobs grid'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l write -d 'Also measure writes, to a file that fathom made or to an unused device; any other target needs --allow-destroy'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l why -d 'Print every answer as a sentence, and every measured point'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l charts -d 'Draw the charts below the answer'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l json -d 'Print the answer as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -l dry-run -d 'With --hosts: print the commands that start the agents, and measure nothing'
complete -c fathom -n "__fish_fathom_using_subcommand explore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l table -d 'Measure a table of the usual parameter study instead of a grid; the lists below replace its values' -r -f -a "runtime\t''
bs\t''
iodepth\t''
numjobs\t''
product\t''"
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l rw -l mode -d 'Access patterns: read, write, randread, randwrite, rw70, randrw70 [default: randread]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l rwmixread -d 'Shares of reads of mixes without a number, percent' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l bs -l block-size -d 'Block sizes [default: 4k]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l iodepth -d 'Queue depths of each job [default: 1-64]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l numjobs -d 'Numbers of jobs [default: 1-64]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l runtime -d 'Counted time of a visit; it lasts at least 20 of its mean latencies [default: 60s; tables and curves: 30s]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l ramp -d 'Time under load before a visit counts; 0: until the queue is full, which is the least time in any case' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l repeats -d 'Visits to each combination, in rounds' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l curve -d 'Measure the maximum, then latencies at these shares of it: 10%..100%, 50%..95%/5% or 10%,50%' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l arrivals -d 'Arrivals of --curve' -r -f -a "poisson\t''
uniform\t''"
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l bench-fio -d 'Read the results of this tree of bench-fio, and add the missing ones to it' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l option -l extra-opts -d 'Further option of every job: size=5g' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l engine -d 'I/O engine [default: io_uring where it is available, else libaio]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l seed -d 'Seed of the order and of all random numbers' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l allow-destroy -d 'Allow writes to this device or file, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l resume -d 'Resume an unfinished sweep: the last one, or the one named' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -s o -l output -d 'Write the HTML page with all charts to this file' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l write -d 'Also measure the writing patterns of --table on a file that fathom made or an unused device; --rw asks for them itself'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l dry-run -d 'Print the number of visits and their time, and measure nothing'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l charts -d 'Draw the charts below the answer'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l json -d 'Print the answer as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand sweep" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l rw -d 'Access pattern' -r -f -a "randread\t''
read\t''
randwrite\t''
write\t''"
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l bs -d 'Block size' -r
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l iodepth -d 'Queue depth of each job' -r
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l numjobs -d 'Number of jobs' -r
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l seconds -d 'Longest measuring time of all loads together' -r
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l allow-destroy -d 'Allow writes to this device or file, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l allow-settings -d 'Allow one load without the I/O scheduler of the device, which is set back afterwards'
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand explain" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l scale -l clients -l commits -l streams -l users -d 'Size of the workload, in the unit that the list names: commits per second, streams, users' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l seconds -d 'Longest measuring time of a workload; a certain verdict ends it after a quarter' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l allow-destroy -d 'Allow writing to this device or file, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l json -d 'Print the result as JSON; an array with `all`'
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_using_subcommand fit" -l dry-run -d 'With --hosts: print the commands that start the agents, and measure nothing'
complete -c fathom -n "__fish_fathom_using_subcommand fit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand audit" -l device -d 'Medium of the measured device: hdd, 10k-hdd, sata-ssd, nvme, usb or cloud; 4xhdd for an array' -r
complete -c fathom -n "__fish_fathom_using_subcommand audit" -l ram -d 'Memory of the measured machine, such as 16G' -r
complete -c fathom -n "__fish_fathom_using_subcommand audit" -l link -d 'Link to the storage: 1G, 10GbE, 117MB/s, SATA3, USB3, PCIe4x4' -r
complete -c fathom -n "__fish_fathom_using_subcommand audit" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand audit" -l all -d 'Show all results, and every finding of those below grade A'
complete -c fathom -n "__fish_fathom_using_subcommand audit" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand audit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l conf -d 'Configuration file of the cluster [default: $CEPH_CONF or /etc/ceph/ceph.conf]' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l client -d 'Name of the client [default: admin]' -r
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l cephfs -d 'Directory on a mount of CephFS, in which a scratch file is written and read' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l disk -d 'Disk of an OSD: its device, which is read, or rates: osd.0=/dev/sdb, osd.0=randread:90k,randwrite:30k,read:500M,write:450M (4k in IOPS, 1M in bytes/s); osd.*= stands for all OSDs' -r
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l patterns -d 'Patterns: randread, randwrite (4k), read, write (1M) [default: all]' -r
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l seconds -d 'Time of each pattern on each disk and each client' -r
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l size -d 'Bytes of the scratch objects, and of the image: 256M to 1G [default: by the number of OSDs]' -r
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l no-rbd -d 'Do not make and measure an RBD image'
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand ceph" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l provider -d 'Cloud provider, if the machine does not tell it: aws, azure, gcp ...' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l type -d 'Type of the volume: gp3, premium, pd-ssd ...' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l size -d 'Size of the volume in GiB (GB where the provider counts in GB): 500, 500G, 0.5T [default: of the target\'s disk]' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l iops -d 'IOPS that were ordered' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l throughput -d 'Throughput that was ordered, in the provider\'s unit (MiB/s or MB/s)' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l instance -d 'Type of the machine, if the machine does not tell it: m5.large, n2-standard-8 ...' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l volumes -d 'Number of such volumes that the machine uses together; with a target, of which it is a stripe' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l seconds -d 'Longest measuring time; patterns with a clear result end after a quarter of their share' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l allow-destroy -d 'Allow writing to this device or file, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l metadata -d 'Ask the provider\'s metadata service at its link-local address'
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l list -d 'List the providers and types of the tables; with --provider, the types of one'
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand cloud" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l write-bytes -d 'Write this much for the curve [default: the whole device]' -r
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l longest-pause -d 'Longest idle time after which the recovery of the write rate is measured' -r
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l working-set -d 'Largest working set with which a read cache is looked for' -r
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l allow-destroy -d 'Allow writing to this device or file, which destroys its data' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -s o -l output -d 'Write an HTML page with the charts to this file' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l write -d 'Also write, which destroys the data: write curve, SLC or write-back cache and its recovery, reads of discarded data. Needs --allow-destroy'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l dry-run -d 'Print what would be read and written, and how long it takes; measure nothing'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l charts -d 'Draw the charts below the answer'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -l json -d 'Print the answer as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand characterize" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l workers -d 'Number of workers (threads)' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l depth -d 'Levels of directories below the root of each tree (mdtest -z)' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l branching -d 'Directories in each directory above the lowest level (mdtest -b)' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l files -d 'Files, and before them empty directories, of each worker in each directory (mdtest -I)' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l bytes -d 'Bytes written to and read from each file (mdtest -w, -e); 0: empty files' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l shift -d 'After the writes, let worker i work on the files of worker i + N (mdtest -N)' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l phases -d 'Phases to report [default: all]: dir-create, dir-stat, dir-rename, dir-remove, create, write, stat, read, rename, list, list-stat, remove, tree-create, tree-remove' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l iterations -d 'Number of iterations (mdtest -i) [default: until all rates are known to ±3 %; with --hosts: 5]' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l seconds -d 'Time for all iterations [default: 30s; with --iterations or --keep: no limit]' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l seed -d 'Seed of the random order [default: from the clock]' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand files" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand files" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand files" -l leaves-only -d 'Files only in the directories of the lowest level (mdtest -L)'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l shared -d 'One tree for all workers instead of one each (mdtest without -u)'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l random -d 'Take the names in random order after they were made (mdtest -R)'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l write-on-create -d 'Write the bytes when a file is created, as mdtest does, not in a phase of its own'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l fsync -d 'Sync each file (fsync) before it is closed (mdtest -y)'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l fsync-dir -d 'Sync the directory (open, fsync, close) after each change of a name in it'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l drop-caches -d 'Drop the caches of the kernel before the phases that they could answer; needs root'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l keep -d 'Leave the tree of the last iteration; one iteration unless --iterations is given'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l dry-run -d 'Print what would be made and measured, or, with --hosts, the commands that start the agents; make nothing'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand files" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand files" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l endpoint -d 'Server, http://HOST:PORT or https://HOST; several share the load and have figures of their own [default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or AWS]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l region -d 'Region of the signature [default: AWS_REGION, AWS_DEFAULT_REGION, or us-east-1]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l profile -d 'Profile of the credentials file [default: the variables, AWS_PROFILE, or default]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l mix -d 'Weights of the operations' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l sizes -d 'Sizes of objects: 4m; 4k-1m (uniform); 4k:3,1m:1 (with weights); lognormal:MEDIAN:SIGMA:LARGEST' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l part -d 'Size of the parts in which larger objects are written (S3: 5m at least) [default: one request per object]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l objects -d 'Number of objects that are written before the load' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l prefixes -d 'Number of prefixes among which the names are spread' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l jobs -d 'Number of operations in flight' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l time -d 'Measuring time after the objects are written' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l seed -d 'Seed of names, sizes, contents and the order of operations [default: from the clock]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l allow-destroy -d 'Run the load beside objects that fathom did not write, which are never touched; the value is the target' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l unsigned -d 'Send requests without a signature'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l insecure -d 'Accept any certificate of the server'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l dry-run -d 'Print what would be written, or, with --hosts, the commands that start the agents; send nothing'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand objects" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand catalog" -l add -d 'Add a stored result (R7), or the records in a file of `fathom export --share`, to your own devices' -r
complete -c fathom -n "__fish_fathom_using_subcommand catalog" -l name -d 'Name of the device that --add adds' -r
complete -c fathom -n "__fish_fathom_using_subcommand catalog" -l store -d 'Read this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand catalog" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand catalog" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand catalog" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand rank" -l seconds -d 'Measuring time of the check, all patterns together' -r
complete -c fathom -n "__fish_fathom_using_subcommand rank" -s o -l output -d 'Write an HTML page with the ranges of all classes and this device in charts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand rank" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand rank" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand rank" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand rank" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand rank" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l allow-destroy -d 'Allow destroying the data of this device' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l class -d 'Settings of the specification: enterprise (write cache off, active range 100 %) or client (on, 75 %)' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l scale -d 'Rehearsal: divide all durations, as 1/60' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l active-range -d 'Active range, percent of the capacity from the start of the device [default: that of the class]' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l threads -d 'Threads of the tests iops, wsat and hir, and of the tests of hard disks [default: 4; client: 2; hard disks: 1]' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l depth -d 'Queue depth of each of these threads [default: 32; client: 16; hard disks: 1]' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l purge -d 'Purge before each test: auto (NVMe Format, NVMe Sanitize or discard), discard, ata-secure-erase, or none' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l demand -d 'Block size and share of reads of the test dirth' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l rounds -d 'Largest number of rounds' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l early -d 'End rounds before steady state if the 95 % interval of the mean of every tracked variable is within this percentage. The result is then not conformant' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l seed -d 'Seed of all random numbers' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l resume -d 'Resume an unfinished study: the last one with those begun by the same command, or the one named' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l wear-budget -d 'Write at most this amount (10G), or this share of the drive\'s rated endurance (0.1%)' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l store -d 'Read from and write to this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l dry-run -d 'Print the time, the writes and the wear, or, with --hosts, the commands that start the agents; do nothing'
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l no-store -d 'Do not store the answer'
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand pts" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_using_subcommand pts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand report" -s o -l output -d 'Write the HTML page to this file' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand report" -l svg -d 'Write each chart as an SVG file into this directory' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand report" -l png -d 'Write each chart as a PNG file into this directory' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand report" -l tested-by -d 'Name of the tester in the header of the report of fathom pts' -r
complete -c fathom -n "__fish_fathom_using_subcommand report" -l store -d 'Read this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand report" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand report" -l charts -d 'Draw the charts in the terminal'
complete -c fathom -n "__fish_fathom_using_subcommand report" -s h -l help -d 'Print help'
complete -c fathom -n "__fish_fathom_using_subcommand compare" -l fail-if-slower -d 'Exit with status 4 if a rate or latency is worse than the baseline by more than this, and with status 6 if the data cannot exclude that for some metric' -r
complete -c fathom -n "__fish_fathom_using_subcommand compare" -l store -d 'Read this store instead of your own' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand compare" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand compare" -l anyway -d 'Compare even if the conditions of the measurements differ'
complete -c fathom -n "__fish_fathom_using_subcommand compare" -l markdown -d 'Print Markdown tables'
complete -c fathom -n "__fish_fathom_using_subcommand compare" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand list" -l store -d 'Read this store instead of your own ($XDG_DATA_HOME or ~/.local/share, fathom/store.sqlite)' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand list" -l limit -d 'List at most N results' -r
complete -c fathom -n "__fish_fathom_using_subcommand list" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand list" -l json -d 'Print the list as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand show" -l store -d 'Read this store instead of your own ($XDG_DATA_HOME or ~/.local/share, fathom/store.sqlite)' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand show" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand show" -l charts -d 'Draw small charts below the card'
complete -c fathom -n "__fish_fathom_using_subcommand show" -l json -d 'Print one JSON document, as `fathom export --json` does'
complete -c fathom -n "__fish_fathom_using_subcommand show" -s h -l help -d 'Print help'
complete -c fathom -n "__fish_fathom_using_subcommand export" -l share -d 'Anonymous record of the device under this name, for `fathom catalog --add`: no host, path, serial number or time' -r
complete -c fathom -n "__fish_fathom_using_subcommand export" -l store -d 'Read this store instead of your own ($XDG_DATA_HOME or ~/.local/share, fathom/store.sqlite)' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand export" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand export" -l json -d 'One JSON document'
complete -c fathom -n "__fish_fathom_using_subcommand export" -l csv -d 'One row per point of a study, or per job and direction of a run'
complete -c fathom -n "__fish_fathom_using_subcommand export" -l iometer -d 'The form of Iometer\'s results.csv'
complete -c fathom -n "__fish_fathom_using_subcommand export" -s h -l help -d 'Print help'
complete -c fathom -n "__fish_fathom_using_subcommand trace" -l volume -d 'Read only the I/Os of this volume of a CSV trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand trace" -l job -d 'Write a job file with the profile of the trace, for fathom and fio; `-` is standard output' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand trace" -l iolog -d 'Convert the trace to fio\'s iolog, version 3' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand trace" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand trace" -l json -d 'Print the profile as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand trace" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand agent" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand agent" -s h -l help -d 'Print help'
complete -c fathom -n "__fish_fathom_using_subcommand hdparm" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand ping" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand dd" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand stat" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fail-under -d 'Fail (status 4) on a grade worse than this' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l prefill -d 'Fill unwritten ranges of an existing file before reading it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l store -d 'Store the result in this file instead of your own store' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iometer-target -d 'Device, file or directory that stands for a target of an Iometer file (.icf), such as C:=/mnt/test,10g; the size is that of iobw.tst where the file states none' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l results -d 'Write the results in the form of Iometer\'s results.csv; - is standard output' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write-job -d 'Write the jobs of an Iometer file as a job file instead of running them; - is standard output' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write-icf -d 'Write the jobs as an Iometer file instead of running them; - is standard output' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand run" -l hosts -d 'Run on these hosts simultaneously and add the results' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l hostfile -d 'File with a host in each line, for --hosts' -r -F
complete -c fathom -n "__fish_fathom_using_subcommand run" -l transport -d 'How the agents are started: by ssh, or by Open MPI\'s mpirun' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rsh -d 'Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l agent -d 'Path of fathom on the hosts [default: fathom]' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l on-loss -d 'What the other hosts do when a host is lost: stop or continue' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l share -d 'Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N hosts (interleave)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l output -d 'Write the report to FILE' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l output-format -d 'normal, terse, json, json+, or several of them (normal,json)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l terse-version -d '2, 3 (the default), 4 or 5' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l section -d 'Run this section of the job files only (may be repeated)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmdhelp -d 'Explain an option; without a name, or `all`: list them' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l enghelp -d 'Explain the options of an engine; without a name: list engines' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l idle-prof -d 'Report idle CPU time: system, percpu; calibrate: time the unit of work, run no job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l status-interval -d 'Print the report so far at this interval (SIGUSR1: once, now)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l eta -d 'Progress line: always, never, auto' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l eta-interval -d 'Interval of the progress line' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l eta-newline -d 'Interval at which the progress line starts a new line' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l allow-destroy -d 'Allow overwriting PATH, which destroys its data (may be repeated)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l wear-budget -d 'Write at most this amount, or this share of the drive\'s rated endurance' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l kb_base -d 'What k, m, g mean in sizes, and which prefix the report prefers' -r -f -a "1024\t'k and kb are 1024, kib is 1000'
1000\t'k and kb are 1000, kib is 1024'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l unit_base -d 'Whether the report gives rates in bytes (8) or bits (1)' -r -f -a "0\t'as the engine would'
8\t'bytes'
1\t'bits'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l name -d 'Name of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l description -d 'Text that the report repeats' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l numjobs -d 'How many clones of the job run side by side' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thread -d 'Clones are threads rather than processes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l group_reporting -d 'One report entry for all clones and jobs of a reporting group' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l new_group -d 'Start a new reporting group at this job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l stonewall -d 'Start only when all earlier jobs have ended; begins a new reporting group' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l exitall -d 'When this job ends, end those that exit_what says' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l loops -d 'Repeat the job so many times' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l nice -d 'nice value of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cpus_allowed -d 'CPUs the job may run on' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cpus_allowed_policy -d 'Whether clones share cpus_allowed or take one CPU each' -r -f -a "shared\t'every clone may use all'
split\t'one each, in turn'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l lockmem -d 'Memory to lock beside the job, which leaves less for the page cache' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l wait_for -d 'Start when all clones of the named earlier job have ended' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l exit_what -d 'Which jobs exitall and exitall_on_error end' -r -f -a "group\t'exit_all=1 default behaviour'
stonewall\t'quit all currently running jobs; continue with next stonewall'
all\t'Quit everything'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l exitall_on_error -d 'When this job ends in error, end those that exit_what says' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l stats -d '0 leaves the job out of the report and its sums' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l comm -d 'Name of the job\'s thread, as ps and top show it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l prio -d 'I/O priority, 0 the highest' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l prioclass -d 'I/O priority class: 1 real time, 2 best effort, 3 idle' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l priohint -d 'I/O priority hint: the index of a command duration limit of the device' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l uid -d 'User to become before opening files' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l gid -d 'Group to become before opening files' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cgroup -d 'Control group to run in, made if it is not there' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cgroup_weight -d 'blkio.weight of the group' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cgroup_nodelete -d 'Leave the group behind' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cpumask -d 'CPUs the job may run on, as a mask of bits' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l numa_cpu_nodes -d 'NUMA nodes whose CPUs the job may run on' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l numa_mem_policy -d 'NUMA nodes that the job\'s memory comes from' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l exec_prerun -d 'Command for the shell before the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l exec_postrun -d 'Command for the shell after the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l flow -d 'Weight of each clone in the I/Os of its flow; 0 = not in a flow' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l flow_id -d 'Flow that the job belongs to, if it has a weight (flow)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l flow_sleep -d 'Sleep of a job that its flow stalls, once no I/O is in flight; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l flow_watermark -d 'Removed: largest difference between the members of a flow' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l runtime -d 'Stop issuing after this time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l time_based -d 'Go over the region again until runtime ends' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ramp_time -d 'Run this long before measuring' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l startdelay -d 'Do not start before this long after the start of the run' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l clocksource -d 'Clock to read' -r -f -a "gettimeofday\t'whole microseconds'
clock_gettime\t'the monotonic clock'
cpu\t'the processor\'s counter'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l gtod_reduce -d 'Measure rates only: no latencies, no samples' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ramp_size -d 'Move so many bytes before measuring' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l gtod_cpu -d 'CPU that only publishes time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l job_start_clock_id -d 'Clock of the JSON key job_start, by the kernel\'s number' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l filename -d 'Files or devices to use, separated by `:`' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l directory -d 'Directories for the files of clones, separated by `:`' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l filename_format -d 'How generated names are made' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l nrfiles -d 'Files per clone; size is divided between them' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l openfiles -d 'Files open at a time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l file_service_type -d 'Which file comes next, and after how many I/Os' -r -f -a "random\t'any file, equally likely'
zipf\t'Zipf\'s law'
pareto\t'Pareto\'s law'
normal\t'Gauss\'s law'
gauss\t'the same as normal'
roundrobin\t'in turn'
sequential\t'one to its end, then the next'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l filesize -d 'Size of each file, or a range of sizes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fallocate -d 'How space is reserved when a file is laid out' -r -f -a "none\t'not at all'
native\t'by the file system, if it can'
posix\t'posix_fallocate'
keep\t'beyond the end, size unchanged'
truncate\t'set the size, reserve nothing'
0\t'none'
1\t'posix'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fadvise_hint -d 'Tell the kernel the pattern when a file is opened' -r -f -a "0\t'say nothing'
1\t'say what the pattern is'
random\t'say random'
sequential\t'say sequential'
noreuse\t'say used once'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l create_serialize -d 'Lay out the files of one job after those of another' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l create_fsync -d 'fsync each laid-out file' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l create_on_open -d 'No layout: a file appears when the job opens it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l create_only -d 'Lay files out and do nothing else' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l allow_file_create -d 'Missing files may be created' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l allow_mounted_write -d 'Do not mind that a device to write to is mounted' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l unlink -d 'Delete the files when the job has ended' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l invalidate -d 'Drop cached pages of the files before the start' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l overwrite -d 'Write files in full before the job writes to them' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l unique_filename -d 'Prefix generated names with the address of the client' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l filetype -d 'What the files are, rather than asking the file system' -r -f -a "none\t'what the file system says'
file\t'regular files'
block\t'block devices'
char\t'character devices'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l opendir -d 'Recursively add every file below as target' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l lockfile -d 'Lock around each call on a file, between jobs that set it; the wait is in no latency' -r -f -a "none\t'No file locking'
exclusive\t'Exclusive file lock'
readwrite\t'Read vs write lock'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l file_append -d 'Start at current EOF and extend' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_hint -d 'Expected lifetime of what is written' -r -f -a "none\t'none in particular'
short\t'short'
medium\t'medium'
long\t'long'
extreme\t'very long'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l pre_read -d 'Read the files into the cache before the start' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l unlink_each_loop -d 'Delete the files between loops' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ioscheduler -d 'Scheduler to set for the device below each file' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fill_device -d 'Sequential write until ENOSPC/EDQUOT, which counts as success' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rw -d 'Direction and order' -r -f -a "read\t'sequential reads'
write\t'sequential writes'
trim\t'sequential trims'
randread\t'random reads'
randwrite\t'random writes'
randtrim\t'random trims'
rw\t'sequential reads and writes'
readwrite\t'the same as rw'
randrw\t'random reads and writes'
trimwrite\t'trim a block, then write it'
randtrimwrite\t'the same in random order'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rwmixread -d 'Percent of reads in a mixed job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rwmixwrite -d 'Percent of writes in a mixed job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l direct -d 'O_DIRECT: past the page cache' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l buffered -d 'The opposite of direct; the later one wins' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l sync -d 'Open with O_SYNC or O_DSYNC' -r -f -a "none\t'no flag'
0\t'none'
sync\t'O_SYNC'
1\t'sync'
dsync\t'O_DSYNC'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fsync -d 'fsync after every so many writes; 0 = never' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fdatasync -d 'fdatasync after every so many writes; 0 = never' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l end_fsync -d 'fsync when the job has written all' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fsync_on_close -d 'fsync a dirty file when it is closed' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l size -d 'Bytes of the region per clone, or percent of file or device' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l io_size -d 'Bytes to move per clone; default: size' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l offset -d 'Where the region begins' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l offset_align -d 'A percent offset is rounded up to a multiple of this' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l offset_increment -d 'Added to offset times the number of the clone' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l number_ios -d 'Stop after so many I/Os; 0 = no limit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l norandommap -d 'Random blocks may repeat' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l randrepeat -d 'The same random numbers in every run' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l allrandrepeat -d 'The same as randrepeat, for every random stream' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l randseed -d 'Seed of the random numbers' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rw_sequencer -d 'With rw=rand*:n the n I/Os of a run follow each other, or repeat one offset' -r -f -a "sequential\t'Generate sequential offsets'
identical\t'Generate identical offsets'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l atomic -d 'Write each block atomically (RWF_ATOMIC); implies direct' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l sync_file_range -d 'sync_file_range after every so many writes: FLAGS:N' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_barrier -d 'Mark every n-th write as barrier' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l end_syncfs -d 'At the end, syncfs of the file systems of all files rather than fsync of each' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l num_range -d 'Ranges per trim, each of one block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l softrandommap -d 'Go on without the random map where there is no memory for it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l random_generator -d 'Generator of random offsets' -r -f -a "tausworthe\t'Strong Tausworthe generator'
lfsr\t'Variable length LFSR'
tausworthe64\t'64-bit Tausworthe variant'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l random_distribution -d 'Law of random offsets: zipf:THETA[:CENTER], pareto:H[:CENTER], normal:PERCENT[:CENTER], zoned:ACCESS/AREA:..., zoned_abs:ACCESS/SIZE:..., sequence:BLOCK,BLOCK,...' -r -f -a "random\t'Completely random'
zipf\t'Zipf distribution'
pareto\t'Pareto distribution'
normal\t'Normal (Gaussian) distribution'
zoned\t'Zoned random distribution'
zoned_abs\t'Zoned absolute random distribution'
sequence\t'Blocks by number, in the order of a list (newer than fio 3.33)'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l random_sequence_stride -d 'With random_distribution=sequence: each pass over the list begins behind the one before' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l percentage_random -d 'Percent of a random job\'s I/Os that are random; the others follow the one before: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l access_spec -d 'Lines of an access specification of Iometer, one drawn for each burst' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l sprandom -d 'Bring an SSD into the steady state of random writes in one pass over its physical space' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l spr_num_regions -d 'Regions of sprandom, each with one share of blocks that are written again' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l spr_op -d 'Over-provisioning of the drive, above 0 and below 1, for sprandom' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l spr_cs -d 'Size of the drive\'s write cache in bytes, for sprandom' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l bs -d 'Block size: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l bsrange -d 'Range of block sizes, multiples of its lower end' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l bssplit -d 'Block sizes and their shares in percent: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l bs_unaligned -d 'Any size of bsrange, not only multiples of its lower end' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l bs_is_seq_rand -d 'The first size is that of sequential I/Os, the second that of random ones' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ba -d 'Random offsets are multiples of it: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ioengine -d 'How I/O is issued' -r -f -a "sync\t'lseek, read and write'
psync\t'pread and pwrite'
vsync\t'readv and writev'
pvsync\t'preadv and pwritev'
pvsync2\t'preadv2 and pwritev2'
libaio\t'Linux asynchronous I/O'
io_uring\t'io_uring'
io_uring_cmd\t'NVMe commands through io_uring'
posixaio\t'POSIX asynchronous I/O, by io_uring'
mmap\t'memory mapping and memcpy'
splice\t'splice and vmsplice'
sg\t'SCSI commands through the sg driver'
null\t'no I/O at all'
net\t'sockets'
netsplice\t'sockets, by splice and vmsplice'
cpuio\t'burns processor time'
e4defrag\t'moves the blocks of files of ext4'
falloc\t'fallocate'
ftruncate\t'ftruncate'
filecreate\t'creates files'
filestat\t'stats files'
filedelete\t'deletes files'
dircreate\t'creates directories'
dirstat\t'stats directories'
dirdelete\t'deletes directories'
exec\t'runs a program'
rbd\t'Ceph block device'
rados\t'Ceph objects'
http\t'WebDAV, S3, Swift'
nbd\t'network block device'
nfs\t'NFS by libnfs'
libiscsi\t'iSCSI'
libpmem\t'memory mapping of persistent memory, without the library'
dev-dax\t'memory mapping of a DAX device'
mtd\t'flash without a controller: reads, writes and erases of /dev/mtdN'
model\t'a simulated device with a known law (ours)'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iodepth -d 'I/Os in flight; a synchronous engine holds one' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iodepth_batch -d 'I/Os per submit call' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iodepth_batch_complete_min -d 'Least completions per reap; 0 = do not wait' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iodepth_batch_complete_max -d 'Most completions per reap' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iodepth_low -d 'Once full, drain to this before filling again' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l serialize_overlap -d 'An I/O that overlaps one in flight waits for it, in jobs that write' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l io_submit_mode -d 'offload: each I/O is given to a worker, so that synchronous engines have iodepth of them in flight' -r -f -a "inline\t'Submit and complete IO inline'
offload\t'Offload submit and complete to threads'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate -d 'Most bytes per second of each clone: read,write,trim; 0 = any number' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate_min -d 'Least bytes per second: read,write,trim; with less over rate_cycle the job fails with EIO' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate_iops -d 'Maximum IOPS per clone: read,write,trim; of the smallest block where there are several sizes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate_iops_min -d 'Least I/Os per second: read,write,trim; with less over rate_cycle the job fails with EIO' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate_process -d 'How a rate is spread over time' -r -f -a "linear\t'Linear rate of IO'
poisson\t'Rate follows Poisson process'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate_cycle -d 'Milliseconds over which rate_min and rate_iops_min hold' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rate_ignore_thinktime -d 'Do not catch up with the rate after a think time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thinktime -d 'Pause after every thinktime_blocks I/Os, once no I/O is in flight; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thinktime_spin -d 'First part of each thinktime that is spent with computing; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thinkcycles -d 'Cycles of a busy loop after each completed I/O, apart from thinktime' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thinktime_blocks -d 'Number of I/Os between two pauses; 0 = 1' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thinktime_blocks_type -d 'I/Os that thinktime_blocks counts' -r -f -a "complete\t'thinktime_blocks counts completed I/Os'
issue\t'thinktime_blocks counts issued I/Os'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thinktime_iotime -d 'Pause after so much time with I/O; in seconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l max_latency -d 'An I/O that takes longer ends the job with ETIMEDOUT (110): read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l latency_target -d 'Search the deepest queue whose I/Os keep this latency; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l latency_window -d 'Time over which latency_target judges a queue depth; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l latency_percentile -d 'Percentage of I/Os that have to keep latency_target' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l latency_run -d 'Go on after the search for latency_target and adapt the queue depth' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l steadystate -d 'End the job once a quantity is steady: criterion:LIMIT, LIMIT in the unit of the quantity or in % of its mean' -r -f -a "iops\t'maximum mean deviation of IOPS measurements'
iops_slope\t'slope calculated from IOPS measurements'
bw\t'maximum mean deviation of bandwidth measurements'
bw_slope\t'slope calculated from bandwidth measurements'
lat\t'maximum deviation of mean completion latencies (newer than fio 3.33)'
lat_slope\t'slope of mean completion latencies (newer than fio 3.33)'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l steadystate_duration -d 'Length of the window that must be steady; 0 = the job does not wait for a steady state' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l steadystate_ramp_time -d 'Time from the start of the measurement to the first sample' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l steadystate_check_interval -d 'Time between two samples; steadystate_duration must be a multiple of it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zero_buffers -d 'Write zeros' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l refill_buffers -d 'Fresh random bytes before each write' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l scramble_buffers -d 'Change a few bytes of each 512 before each write' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l buffer_compress_percentage -d 'Percent of each chunk that compresses away' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l buffer_compress_chunk -d 'Bytes of such a chunk; 0 = the block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l mem -d 'Memory of I/O buffers; behind mmap, mmapshared, mmaphuge a file may follow, mmap:FILE' -r -f -a "malloc\t'ordinary memory'
shm\t'a System V shared memory segment'
shmhuge\t'the same of huge pages'
mmap\t'a mapping, anonymous or of a file'
mmapshared\t'a shared mapping'
mmaphuge\t'a mapping of huge pages'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iomem_align -d 'The first buffer begins at a multiple of this' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l hugepage-size -d 'What memory of huge pages is rounded up to' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l buffer_pattern -d 'Write these bytes, repeated from the start of each block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dedupe_percentage -d 'Percent of the blocks that repeat another one' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dedupe_mode -d 'Which block is repeated' -r -f -a "repeat\t'repeat previous page'
working_set\t'choose a page randomly from limited working set defined in dedupe_working_set_percentage'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dedupe_working_set_percentage -d 'The working set\'s percent of the size' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dedupe_global -d 'One working set for all jobs that say so' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify -d 'Write data by which blocks can be verified, and check it' -r -f -a "0\t'Don\'t do IO verification'
md5\t'Use md5 checksums for verification'
crc64\t'Use crc64 checksums for verification'
crc32\t'Use crc32 checksums for verification'
crc32c-intel\t'Use crc32c checksums for verification (hw assisted, if available)'
crc32c\t'Use crc32c checksums for verification (hw assisted, if available)'
crc16\t'Use crc16 checksums for verification'
crc7\t'Use crc7 checksums for verification'
sha1\t'Use sha1 checksums for verification'
sha256\t'Use sha256 checksums for verification'
sha512\t'Use sha512 checksums for verification'
sha3-224\t'Use sha3-224 checksums for verification'
sha3-256\t'Use sha3-256 checksums for verification'
sha3-384\t'Use sha3-384 checksums for verification'
sha3-512\t'Use sha3-512 checksums for verification'
xxhash\t'Use xxhash checksums for verification'
meta\t'Use io information for verification. Now is implied by default, thus option is obsolete, don\'t use it'
pattern\t'Verify strict pattern'
pattern_hdr\t'Verify pattern with header'
null\t'Pretend to verify'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l do_verify -d 'Read the written blocks back and check them' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_only -d 'Write nothing, check what an earlier run of the same job wrote' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_interval -d 'Distance between two headers in bytes; the default is the block size' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_offset -d 'Place the header at this offset within its interval' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_pattern -d 'Bytes to repeat over each block; `%o` is the offset of the block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_pattern_interval -d 'Begin the pattern again after this number of bytes, with their own offset for `%o`; 0 = once per block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_fatal -d 'End the job at the first block that does not match' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_dump -d 'Write each block that does not match to FILE.OFFSET.received, and what was expected to FILE.OFFSET.expected' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_async -d 'Number of threads per clone that check blocks; 0 = the thread that does the I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_async_cpus -d 'CPUs of the threads of verify_async' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_backlog -d 'Check blocks after this number of writes, not only at the end of the pass' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_backlog_batch -d 'Number of blocks to check each time; the default is verify_backlog' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_policy -d 'Writes that the saved state covers' -r -f -a "completed\t'all completed writes'
fsynced\t'writes that had completed before the last completed sync was issued'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_state_save -d 'Save the last writes of the job to local-NAME-INDEX-verify.state at its end' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_state_load -d 'Check only what the saved state says that was written' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_write_sequence -d 'Check the number of the write in the header' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verify_header_seed -d 'Check the seed in the header' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l experimental_verify -d 'Draw the same I/Os again to check them; fathom\'s memory does not depend on this' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verifysort -d 'Removed: order in which blocks are read back' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l verifysort_nr -d 'Removed: number of blocks that are sorted before they are read back' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l trim_percentage -d 'Trim this share of the written blocks of a job that verifies, in percent' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l trim_verify_zero -d 'Check that blocks which trim_percentage trimmed contain only zeros' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l trim_backlog -d 'Trim blocks after this number of writes, not only at the end of the pass' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l trim_backlog_batch -d 'Number of blocks to trim each time; the default is trim_backlog' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l block_error_percentiles -d 'Count the trims of each block until an error' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l continue_on_error -d 'Errors that are counted rather than ending the job' -r -f -a "none\t'every error ends the job'
read\t'read errors are counted'
write\t'write errors are counted'
io\t'both are'
verify\t'verification errors are'
all\t'all are'
0\t'none'
1\t'all'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ignore_error -d 'Errors that are counted rather than ending the job, by name or number' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l error_dump -d 'Print a line for errors that do not end the job too' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_iolog -d 'Append the operations of the job to a trace that read_iolog replays' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l read_iolog -d 'Replay traces: fio\'s logs of version 2 and 3, blktrace files, or CSV of public collections' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l read_iolog_chunked -d 'Read a trace gradually' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l replay_no_stall -d 'Replay a trace as fast as possible instead of at its own times' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l replay_redirect -d 'File or device for all I/O of a trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l replay_scale -d 'Divide the offsets of a trace by this number' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l replay_align -d 'Round the offsets of a trace down to multiples of this power of two' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l replay_time_scale -d 'Rate of the replay in percent of the rate of the trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l replay_skip -d 'Leave out reads, writes, trims or syncs of a trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l merge_blktrace_file -d 'Merge the blktrace files of read_iolog into this file and replay it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l merge_blktrace_scalars -d 'Percentage of its time that each trace to merge takes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l merge_blktrace_iters -d 'Number of passes over each trace to merge' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zonemode -d 'strided: work on a part of each zone, one zone after the other; zbd: write each zone in order' -r -f -a "none\t'no zones'
strided\t'work on a part of each zone, one zone after the other'
zbd\t'write each zone in order, as zoned block devices require'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zonesize -d 'Bytes to move in a zone before the next one begins' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zonerange -d 'Bytes of a zone; 0 = zonesize' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zoneskip -d 'Bytes between the end of a zone and the next one; with z times zonesize' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zonecapacity -d 'Writable bytes of a zone, where the device has no zones; 0 = the whole zone' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l read_beyond_wp -d 'Allow reads beyond the write pointer of a zone' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l max_open_zones -d 'Largest number of zones written at a time, by all jobs; 0 = the limit of the device' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l job_max_open_zones -d 'Largest number of zones that one job writes at a time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ignore_zone_limits -d 'Allow more open zones than the device reports' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zone_reset_threshold -d 'Share of written data from which zones are reset periodically' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l zone_reset_frequency -d 'Zone resets per write, from the threshold on' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l recover_zbd_write_error -d 'After a failed write, ask the device for the write pointer of the zone and continue there' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_zone_remainder -d 'Write the rest of a zone that is smaller than the smallest block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fdp -d 'Write with Flexible Data Placement, as dataplacement=fdp' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dataplacement -d 'Directive of write commands, by which the device places data' -r -f -a "none\t'no directive'
fdp\t'Flexible Data Placement'
streams\t'Streams'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l plid_select -d 'Selection of the placement identifier of a write' -r -f -a "random\t'at random'
roundrobin\t'one after the other'
scheme\t'by offset, from the file dp_scheme'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l plids -d 'Placement identifiers of the job: numbers and ranges, at most 128' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dp_scheme -d 'File with the placement identifier of each range of offsets, for plid_select=scheme' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l percentile_list -d 'Percentiles to report' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l clat_percentiles -d 'Report percentiles of completion latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l lat_percentiles -d 'Report percentiles of total latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l slat_percentiles -d 'Report percentiles of submission latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l significant_figures -d 'Digits of numbers in the text report' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l disable_lat -d 'Do not measure total latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l disable_clat -d 'Do not measure completion latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l disable_slat -d 'Do not measure submission latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l disable_bw_measurement -d 'Take no samples of bandwidth and rate' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l bwavgtime -d 'Milliseconds per sample of bandwidth' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l iopsavgtime -d 'Milliseconds per sample of the I/O rate' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l disk_util -d 'Report what the disks did' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l unified_rw_reporting -d 'Report all directions as one' -r -f -a "none\t'each direction by itself'
mixed\t'all directions as one'
both\t'each by itself, then all as one'
0\t'none'
1\t'mixed'
2\t'both'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l profile -d 'Jobs that make up another benchmark; its own options follow' -r -f -a "tiobench\t'tiotest/tiobench benchmark'
act\t'ACT Aerospike like benchmark'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l per_job_logs -d 'Write the logs of each job to files of their own, with the number of the job in their names' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_bw_log -d 'Write a log of the bandwidth; the value is the beginning of its name' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_lat_log -d 'Write logs of the latencies; the value is the beginning of their names' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_iops_log -d 'Write a log of the I/O rate; the value is the beginning of its name' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_hist_log -d 'Write a log of histograms of the completion latency; the value is the beginning of its name' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_avg_msec -d 'Milliseconds per row of bandwidth, latency and rate logs; 0 writes a row for each I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_hist_msec -d 'Milliseconds per row of write_hist_log; 0 writes no rows' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_hist_coarseness -d 'Number of times that the bins of write_hist_log are halved' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_max_value -d 'Latency in a row of log_avg_msec: mean (0), largest (1), or both' -r -f -a "avg\t'mean of the interval'
max\t'largest value of the interval'
both\t'mean and largest value, in two columns'
0\t'avg'
1\t'max'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_window_value -d 'Latency in a row of log_avg_msec: mean (avg), largest (max), or both' -r -f -a "avg\t'mean of the interval'
max\t'largest value of the interval'
both\t'mean and largest value, in two columns'
0\t'avg'
1\t'max'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_offset -d 'Add a column with the offset of the I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_prio -d 'Write the I/O priority as a number (0x2004) instead of 1 for the highest class and 0' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_issue_time -d 'Add a column with the time at which the I/O was issued, in nanoseconds' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_entries -d 'I/Os per buffer of a log; each job has four such buffers' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_compression -d 'Bytes of a log that log_store_compressed compresses at a time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_compression_cpus -d 'CPUs of the thread that writes and compresses logs' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_store_compressed -d 'Compress the logs, to files with the suffix .fz for --inflate-log' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_unix_epoch -d 'Count the times of logs from 1970 instead of the start of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_alternate_epoch -d 'Count the times of logs by the clock log_alternate_epoch_clock_id instead of from the start of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l log_alternate_epoch_clock_id -d 'Number of the clock of log_alternate_epoch, as in clock_gettime(2)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l fixedbufs -d 'Registered buffers' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l registerfiles -d 'Registered files' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l nonvectored -d 'Plain read and write commands rather than vectored ones' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l null_jitter -d 'Make every latency of the null engine differ' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmdprio_percentage -d 'Share of IO issued with high IO priority' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmdprio_class -d 'I/O priority class of the prioritised I/Os' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmdprio_hint -d 'I/O priority hint of the prioritised I/Os' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmdprio -d 'I/O priority level of the prioritised I/Os' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmdprio_bssplit -d 'Priority share by block size' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l userspace_reap -d 'Completions are read from the ring in shared memory where enough lie there' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l nowait -d 'RWF_NOWAIT: an I/O that would wait fails with EAGAIN' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l libaio_vectored -d 'preadv and pwritev commands instead of pread and pwrite' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l hipri -d 'Polled completions (pvsync2: RWF_HIPRI)' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l sqthread_poll -d 'A thread of the kernel submits' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l sqthread_poll_cpu -d 'CPU of that thread' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l force_async -d 'Every n-th request goes to a worker of the kernel at once' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l uncached -d 'RWF_DONTCACHE: buffered I/O leaves nothing in the page cache' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l hipri_percentage -d 'Percent of the calls that get RWF_HIPRI, with hipri' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l thp -d 'Huge pages, in a private mapping' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cpuload -d 'Busy share of one CPU' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cpumode -d 'Kind of work' -r -f -a "noop\t'NOOP instructions'
qsort\t'QSORT computation'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cpuchunks -d 'Microseconds of work before each rest' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l exit_on_io_done -d 'End when the jobs that do I/O have ended' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l program -d 'Program to start' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l arguments -d 'Arguments of the program, separated by blanks; %r is the runtime in seconds, %n the job\'s name' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l grace_time -d 'Seconds between SIGTERM and SIGKILL when the runtime is over' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l std_redirect -d 'What the program prints goes to the files JOBNAME.stdout and JOBNAME.stderr' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l stat_type -d 'Call that is made' -r -f -a "stat\t'stat'
lstat\t'lstat'
statx\t'statx'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_servers -d 'Requests that the simulated device serves in parallel' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_law -d 'Law of its service time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_transfer -d 'Bytes per second that each of its servers moves' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_iops -d 'I/Os per second that it lets in' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_bw -d 'Bytes per second that it lets in' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_burst -d 'Credits: how many I/Os, and how many come back per second' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_cache -d 'A write cache: bytes, bytes per second that leave it, time of a write into it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_cliff -d 'After so many bytes written, writes take so many times as long' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_drift -d 'Percent by which its service time grows per second' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_step -d 'From which moment on it does which share of its rate' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_stall -d 'How often it stops, and for how long' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_disk -d 'A head: time of a full seek, of a rotation, requests it may reorder, bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_cpu -d 'CPU time that a job spends on an I/O, before the device sees it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_cores -d 'CPUs that the jobs share' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_contention -d 'Percent by which its service time grows per request that waits' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_hit -d 'Percent of the reads that a cache answers, and in what time' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_zone_size -d 'Size of the zones of a zoned device, bytes; 0: the device has no zones' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_zone_capacity -d 'Writable bytes of each zone; 0 = the whole zone' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_open_zones -d 'Number of zones that may be partly written; 0 = any number' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_zone_errors -d 'Every n-th write to a zone fails after half of its bytes; 0 = none' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_ftl -d 'An SSD: its over-provisioning, pages of an erase block, bytes of a page' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_ftl_times -d 'Times of its flash: to program a page, to read a page, to erase a block' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_surface -d 'Transfer rates of a disk: outermost and innermost zone, number of zones, shortest seek' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_slc -d 'An SLC cache: bytes, bytes per second into it, while it is full, and out of it at rest' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l model_read_cache -d 'Read cache of a controller: bytes, time of a hit, bytes of a line' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l donorname -d 'File that gives its blocks in exchange for those of the job\'s files' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l inplace -d '1: allocate the donor\'s blocks at each write and free them afterwards; 0: allocate them once' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l skip_bad -d 'Skip operations on blocks that the flash marks as bad; they count as done' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l cmd_type -d 'Kind of commands' -r -f -a "nvme\t'NVMe commands'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l readfua -d 'Force unit access for reads' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l writefua -d 'Force unit access for writes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l write_mode -d 'Command of writes: write, uncor, zeroes, verify or zone_append, or a mixture of them' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l md_per_io_size -d 'Bytes of separate metadata per I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l pi_act -d 'The controller inserts and strips protection information' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l pi_chk -d 'Checks of protection information' -r -f -a "GUARD\t'guard'
REFTAG\t'reference tag'
APPTAG\t'application tag'
GUARD\,REFTAG\t'guard and reference tag'
GUARD\,APPTAG\t'guard and application tag'
REFTAG\,APPTAG\t'both tags'
GUARD\,REFTAG\,APPTAG\t'all'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l apptag -d 'Application tag of protection information' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l apptag_mask -d 'Bits of the application tag that are checked' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l deac -d 'Deallocate the blocks of Write Zeroes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l sg_write_mode -d 'SCSI command of writes' -r -f -a "write\t'Issue standard SCSI WRITE commands'
write_and_verify\t'Issue SCSI WRITE AND VERIFY commands'
verify\t'Issue SCSI WRITE AND VERIFY commands. This option is deprecated. Use write_and_verify instead.'
write_same\t'Issue SCSI WRITE SAME commands'
same\t'Issue SCSI WRITE SAME commands. This option is deprecated. Use write_same instead.'
write_same_ndob\t'Issue SCSI WRITE SAME(16) commands with NDOB flag set'
verify_bytchk_00\t'Issue SCSI VERIFY commands with BYTCHK set to 00'
verify_bytchk_01\t'Issue SCSI VERIFY commands with BYTCHK set to 01'
verify_bytchk_11\t'Issue SCSI VERIFY commands with BYTCHK set to 11'
write_stream\t'Issue SCSI WRITE STREAM(16) commands'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l stream_id -d 'Stream of write_stream; 0 = open a stream, and close it at the end' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l hostname -d 'Peer to connect or send to, or multicast group to receive from' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l port -d 'Port of the first clone; each further clone uses the next port' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l protocol -d 'Network protocol' -r -f -a "tcp\t'Transmission Control Protocol'
tcpv6\t'Transmission Control Protocol V6'
udp\t'User Datagram Protocol'
udpv6\t'User Datagram Protocol V6'
unix\t'UNIX domain socket'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l nodelay -d 'Set TCP_NODELAY' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l listen -d 'Wait for TCP connections instead of connecting' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l pingpong -d 'The receiver sends each block back, and the sender waits for it' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l interface -d 'IPv4 address of the interface for multicast' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l ttl -d 'Hops of a multicast datagram' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l window_size -d 'Size of the socket buffer in bytes; 0 = the kernel\'s' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l mss -d 'Maximum segment size of TCP in bytes; 0 = the kernel\'s' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l clustername -d 'Name of the Ceph cluster' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rbdname -d 'Name of the image' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l pool -d 'Name of the pool' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l clientname -d 'Name of the Ceph client: the part after client., or with clustername the whole name' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l conf -d 'Configuration file of the Ceph cluster' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l busy_poll -d 'Spin for completions instead of sleeping' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l touch_objects -d 'Create the objects before the first I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rbd_encryption_format -d 'Format of the image encryption' -r -f -a "luks1\t'LUKS version 1'
luks2\t'LUKS version 2'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l rbd_encryption_passphrase -d 'Passphrase of the image encryption' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l https -d 'Use of TLS' -r -f -a "off\t'No TLS'
on\t'TLS, with the certificate checked'
insecure\t'TLS without a check of the certificate'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_host -d 'Host name, with a port after a colon' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_user -d 'User of WebDAV' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_pass -d 'Password of WebDAV' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_key -d 'Secret key of S3' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_keyid -d 'Access key of S3' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_security_token -d 'Token of temporary credentials of S3' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_swift_auth_token -d 'Token of Swift' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_region -d 'Region of the S3 signature' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_sse_customer_key -d 'Key with which the S3 server encrypts objects' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_sse_customer_algorithm -d 'Algorithm of the encryption with that key' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_s3_storage_class -d 'Storage class of the objects written' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_mode -d 'Protocol' -r -f -a "webdav\t'WebDAV'
s3\t'Amazon S3'
swift\t'OpenStack Swift'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_verbose -d 'Trace requests: 1 shows errors, 2 everything' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l http_object_mode -d 'One object per block (named FILE_OFFSET_LENGTH) or one object per file, with ranges' -r -f -a "block\t'One object per block'
range\t'Ranges of one object per file'"
complete -c fathom -n "__fish_fathom_using_subcommand run" -l initiator -d 'Name of the iSCSI initiator' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l nfs_url -d 'URL of the NFS export in the form of libnfs' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l uri -d 'URI of the NBD export' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l device-names -d 'Devices or files to test, separated by commas' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l load -d 'Multiplier of the load: 2000 reads per second and device, and writes of half as many bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l test-duration -d 'Duration of the test' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l threads-per-queue -d 'Number of threads per device that read' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l read-req-num-512-blocks -d 'Size of a read in blocks of 512 bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l large-block-op-kbytes -d 'Size of a write in bytes, whatever the name says' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l prep -d 'Prepare the devices: zeros in order, then random blocks of 4 KiB; without a verdict' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l block -d 'Block size in bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l numruns -d 'Number of runs' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dir -d 'Test directory' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l threads -d 'Number of threads' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand run" -l json -d 'Print the result as JSON'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l layers -d 'Print what each layer of the storage stack saw, below the card'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l charts -d 'Draw small charts below the card'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l stop-on-drop -d 'End the run when the rate has dropped: a full cache, used-up credits, throttling by temperature'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l no-store -d 'Do not store the result'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l live -d 'Open the full-screen view; on a terminal, the key v opens and closes it at any time'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l relay -d 'Standard input is a socket to fathom-mpi, which has started this process'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l dry-run -d 'With --hosts, print the commands that start the agents, and run nothing'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l minimal -d 'The same as --output-format=terse'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l append-terse -d 'Also print terse output'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l readonly -d 'Refuse jobs that write, and the creation of files before a run'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l parse-only -d 'Parse options and job files, run no job'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l showcmd -d 'Print job files as one command line'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l warnings-fatal -d 'Exit at a warning'
complete -c fathom -n "__fish_fathom_using_subcommand run" -l version -d 'Version'
complete -c fathom -n "__fish_fathom_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l output -d 'Write the report to FILE' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l output-format -d 'normal, terse, json, json+, or several of them (normal,json)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l terse-version -d '2, 3 (the default), 4 or 5' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l section -d 'Run this section of the job files only (may be repeated)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmdhelp -d 'Explain an option; without a name, or `all`: list them' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l enghelp -d 'Explain the options of an engine; without a name: list engines' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l idle-prof -d 'Report idle CPU time: system, percpu; calibrate: time the unit of work, run no job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l status-interval -d 'Print the report so far at this interval (SIGUSR1: once, now)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l eta -d 'Progress line: always, never, auto' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l eta-interval -d 'Interval of the progress line' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l eta-newline -d 'Interval at which the progress line starts a new line' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l allow-destroy -d 'Allow overwriting PATH, which destroys its data (may be repeated)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l wear-budget -d 'Write at most this amount, or this share of the drive\'s rated endurance' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l kb_base -d 'What k, m, g mean in sizes, and which prefix the report prefers' -r -f -a "1024\t'k and kb are 1024, kib is 1000'
1000\t'k and kb are 1000, kib is 1024'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l unit_base -d 'Whether the report gives rates in bytes (8) or bits (1)' -r -f -a "0\t'as the engine would'
8\t'bytes'
1\t'bits'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l name -d 'Name of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l description -d 'Text that the report repeats' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l hosts -d 'Hosts of fathom run --hosts on which the job runs, separated by commas; without it, all' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l numjobs -d 'How many clones of the job run side by side' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thread -d 'Clones are threads rather than processes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l group_reporting -d 'One report entry for all clones and jobs of a reporting group' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l new_group -d 'Start a new reporting group at this job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l stonewall -d 'Start only when all earlier jobs have ended; begins a new reporting group' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l exitall -d 'When this job ends, end those that exit_what says' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l loops -d 'Repeat the job so many times' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l nice -d 'nice value of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cpus_allowed -d 'CPUs the job may run on' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cpus_allowed_policy -d 'Whether clones share cpus_allowed or take one CPU each' -r -f -a "shared\t'every clone may use all'
split\t'one each, in turn'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l lockmem -d 'Memory to lock beside the job, which leaves less for the page cache' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l wait_for -d 'Start when all clones of the named earlier job have ended' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l exit_what -d 'Which jobs exitall and exitall_on_error end' -r -f -a "group\t'exit_all=1 default behaviour'
stonewall\t'quit all currently running jobs; continue with next stonewall'
all\t'Quit everything'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l exitall_on_error -d 'When this job ends in error, end those that exit_what says' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l stats -d '0 leaves the job out of the report and its sums' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l comm -d 'Name of the job\'s thread, as ps and top show it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l prio -d 'I/O priority, 0 the highest' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l prioclass -d 'I/O priority class: 1 real time, 2 best effort, 3 idle' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l priohint -d 'I/O priority hint: the index of a command duration limit of the device' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l uid -d 'User to become before opening files' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l gid -d 'Group to become before opening files' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cgroup -d 'Control group to run in, made if it is not there' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cgroup_weight -d 'blkio.weight of the group' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cgroup_nodelete -d 'Leave the group behind' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cpumask -d 'CPUs the job may run on, as a mask of bits' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l numa_cpu_nodes -d 'NUMA nodes whose CPUs the job may run on' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l numa_mem_policy -d 'NUMA nodes that the job\'s memory comes from' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l exec_prerun -d 'Command for the shell before the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l exec_postrun -d 'Command for the shell after the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l flow -d 'Weight of each clone in the I/Os of its flow; 0 = not in a flow' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l flow_id -d 'Flow that the job belongs to, if it has a weight (flow)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l flow_sleep -d 'Sleep of a job that its flow stalls, once no I/O is in flight; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l flow_watermark -d 'Removed: largest difference between the members of a flow' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l runtime -d 'Stop issuing after this time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l time_based -d 'Go over the region again until runtime ends' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ramp_time -d 'Run this long before measuring' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l startdelay -d 'Do not start before this long after the start of the run' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l clocksource -d 'Clock to read' -r -f -a "gettimeofday\t'whole microseconds'
clock_gettime\t'the monotonic clock'
cpu\t'the processor\'s counter'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l gtod_reduce -d 'Measure rates only: no latencies, no samples' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ramp_size -d 'Move so many bytes before measuring' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l gtod_cpu -d 'CPU that only publishes time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l job_start_clock_id -d 'Clock of the JSON key job_start, by the kernel\'s number' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l filename -d 'Files or devices to use, separated by `:`' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l directory -d 'Directories for the files of clones, separated by `:`' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l filename_format -d 'How generated names are made' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l nrfiles -d 'Files per clone; size is divided between them' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l openfiles -d 'Files open at a time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l file_service_type -d 'Which file comes next, and after how many I/Os' -r -f -a "random\t'any file, equally likely'
zipf\t'Zipf\'s law'
pareto\t'Pareto\'s law'
normal\t'Gauss\'s law'
gauss\t'the same as normal'
roundrobin\t'in turn'
sequential\t'one to its end, then the next'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l filesize -d 'Size of each file, or a range of sizes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fallocate -d 'How space is reserved when a file is laid out' -r -f -a "none\t'not at all'
native\t'by the file system, if it can'
posix\t'posix_fallocate'
keep\t'beyond the end, size unchanged'
truncate\t'set the size, reserve nothing'
0\t'none'
1\t'posix'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fadvise_hint -d 'Tell the kernel the pattern when a file is opened' -r -f -a "0\t'say nothing'
1\t'say what the pattern is'
random\t'say random'
sequential\t'say sequential'
noreuse\t'say used once'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l create_serialize -d 'Lay out the files of one job after those of another' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l create_fsync -d 'fsync each laid-out file' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l create_on_open -d 'No layout: a file appears when the job opens it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l create_only -d 'Lay files out and do nothing else' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l allow_file_create -d 'Missing files may be created' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l allow_mounted_write -d 'Do not mind that a device to write to is mounted' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l unlink -d 'Delete the files when the job has ended' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l invalidate -d 'Drop cached pages of the files before the start' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l overwrite -d 'Write files in full before the job writes to them' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l unique_filename -d 'Prefix generated names with the address of the client' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l filetype -d 'What the files are, rather than asking the file system' -r -f -a "none\t'what the file system says'
file\t'regular files'
block\t'block devices'
char\t'character devices'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l opendir -d 'Recursively add every file below as target' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l lockfile -d 'Lock around each call on a file, between jobs that set it; the wait is in no latency' -r -f -a "none\t'No file locking'
exclusive\t'Exclusive file lock'
readwrite\t'Read vs write lock'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l file_append -d 'Start at current EOF and extend' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_hint -d 'Expected lifetime of what is written' -r -f -a "none\t'none in particular'
short\t'short'
medium\t'medium'
long\t'long'
extreme\t'very long'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l pre_read -d 'Read the files into the cache before the start' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l unlink_each_loop -d 'Delete the files between loops' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ioscheduler -d 'Scheduler to set for the device below each file' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fill_device -d 'Sequential write until ENOSPC/EDQUOT, which counts as success' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rw -d 'Direction and order' -r -f -a "read\t'sequential reads'
write\t'sequential writes'
trim\t'sequential trims'
randread\t'random reads'
randwrite\t'random writes'
randtrim\t'random trims'
rw\t'sequential reads and writes'
readwrite\t'the same as rw'
randrw\t'random reads and writes'
trimwrite\t'trim a block, then write it'
randtrimwrite\t'the same in random order'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rwmixread -d 'Percent of reads in a mixed job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rwmixwrite -d 'Percent of writes in a mixed job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l direct -d 'O_DIRECT: past the page cache' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l buffered -d 'The opposite of direct; the later one wins' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l sync -d 'Open with O_SYNC or O_DSYNC' -r -f -a "none\t'no flag'
0\t'none'
sync\t'O_SYNC'
1\t'sync'
dsync\t'O_DSYNC'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fsync -d 'fsync after every so many writes; 0 = never' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fdatasync -d 'fdatasync after every so many writes; 0 = never' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l end_fsync -d 'fsync when the job has written all' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fsync_on_close -d 'fsync a dirty file when it is closed' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l size -d 'Bytes of the region per clone, or percent of file or device' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l io_size -d 'Bytes to move per clone; default: size' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l offset -d 'Where the region begins' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l offset_align -d 'A percent offset is rounded up to a multiple of this' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l offset_increment -d 'Added to offset times the number of the clone' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l number_ios -d 'Stop after so many I/Os; 0 = no limit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l norandommap -d 'Random blocks may repeat' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l randrepeat -d 'The same random numbers in every run' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l allrandrepeat -d 'The same as randrepeat, for every random stream' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l randseed -d 'Seed of the random numbers' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rw_sequencer -d 'With rw=rand*:n the n I/Os of a run follow each other, or repeat one offset' -r -f -a "sequential\t'Generate sequential offsets'
identical\t'Generate identical offsets'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l atomic -d 'Write each block atomically (RWF_ATOMIC); implies direct' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l sync_file_range -d 'sync_file_range after every so many writes: FLAGS:N' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_barrier -d 'Mark every n-th write as barrier' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l end_syncfs -d 'At the end, syncfs of the file systems of all files rather than fsync of each' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l num_range -d 'Ranges per trim, each of one block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l softrandommap -d 'Go on without the random map where there is no memory for it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l random_generator -d 'Generator of random offsets' -r -f -a "tausworthe\t'Strong Tausworthe generator'
lfsr\t'Variable length LFSR'
tausworthe64\t'64-bit Tausworthe variant'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l random_distribution -d 'Law of random offsets: zipf:THETA[:CENTER], pareto:H[:CENTER], normal:PERCENT[:CENTER], zoned:ACCESS/AREA:..., zoned_abs:ACCESS/SIZE:..., sequence:BLOCK,BLOCK,...' -r -f -a "random\t'Completely random'
zipf\t'Zipf distribution'
pareto\t'Pareto distribution'
normal\t'Normal (Gaussian) distribution'
zoned\t'Zoned random distribution'
zoned_abs\t'Zoned absolute random distribution'
sequence\t'Blocks by number, in the order of a list (newer than fio 3.33)'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l random_sequence_stride -d 'With random_distribution=sequence: each pass over the list begins behind the one before' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l percentage_random -d 'Percent of a random job\'s I/Os that are random; the others follow the one before: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l access_spec -d 'Lines of an access specification of Iometer, one drawn for each burst' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l sprandom -d 'Bring an SSD into the steady state of random writes in one pass over its physical space' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l spr_num_regions -d 'Regions of sprandom, each with one share of blocks that are written again' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l spr_op -d 'Over-provisioning of the drive, above 0 and below 1, for sprandom' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l spr_cs -d 'Size of the drive\'s write cache in bytes, for sprandom' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l bs -d 'Block size: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l bsrange -d 'Range of block sizes, multiples of its lower end' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l bssplit -d 'Block sizes and their shares in percent: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l bs_unaligned -d 'Any size of bsrange, not only multiples of its lower end' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l bs_is_seq_rand -d 'The first size is that of sequential I/Os, the second that of random ones' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ba -d 'Random offsets are multiples of it: read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ioengine -d 'How I/O is issued' -r -f -a "sync\t'lseek, read and write'
psync\t'pread and pwrite'
vsync\t'readv and writev'
pvsync\t'preadv and pwritev'
pvsync2\t'preadv2 and pwritev2'
libaio\t'Linux asynchronous I/O'
io_uring\t'io_uring'
io_uring_cmd\t'NVMe commands through io_uring'
posixaio\t'POSIX asynchronous I/O, by io_uring'
mmap\t'memory mapping and memcpy'
splice\t'splice and vmsplice'
sg\t'SCSI commands through the sg driver'
null\t'no I/O at all'
net\t'sockets'
netsplice\t'sockets, by splice and vmsplice'
cpuio\t'burns processor time'
e4defrag\t'moves the blocks of files of ext4'
falloc\t'fallocate'
ftruncate\t'ftruncate'
filecreate\t'creates files'
filestat\t'stats files'
filedelete\t'deletes files'
dircreate\t'creates directories'
dirstat\t'stats directories'
dirdelete\t'deletes directories'
exec\t'runs a program'
rbd\t'Ceph block device'
rados\t'Ceph objects'
http\t'WebDAV, S3, Swift'
nbd\t'network block device'
nfs\t'NFS by libnfs'
libiscsi\t'iSCSI'
libpmem\t'memory mapping of persistent memory, without the library'
dev-dax\t'memory mapping of a DAX device'
mtd\t'flash without a controller: reads, writes and erases of /dev/mtdN'
model\t'a simulated device with a known law (ours)'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iodepth -d 'I/Os in flight; a synchronous engine holds one' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iodepth_batch -d 'I/Os per submit call' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iodepth_batch_complete_min -d 'Least completions per reap; 0 = do not wait' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iodepth_batch_complete_max -d 'Most completions per reap' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iodepth_low -d 'Once full, drain to this before filling again' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l serialize_overlap -d 'An I/O that overlaps one in flight waits for it, in jobs that write' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l io_submit_mode -d 'offload: each I/O is given to a worker, so that synchronous engines have iodepth of them in flight' -r -f -a "inline\t'Submit and complete IO inline'
offload\t'Offload submit and complete to threads'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate -d 'Most bytes per second of each clone: read,write,trim; 0 = any number' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate_min -d 'Least bytes per second: read,write,trim; with less over rate_cycle the job fails with EIO' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate_iops -d 'Maximum IOPS per clone: read,write,trim; of the smallest block where there are several sizes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate_iops_min -d 'Least I/Os per second: read,write,trim; with less over rate_cycle the job fails with EIO' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate_process -d 'How a rate is spread over time' -r -f -a "linear\t'Linear rate of IO'
poisson\t'Rate follows Poisson process'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate_cycle -d 'Milliseconds over which rate_min and rate_iops_min hold' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rate_ignore_thinktime -d 'Do not catch up with the rate after a think time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thinktime -d 'Pause after every thinktime_blocks I/Os, once no I/O is in flight; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thinktime_spin -d 'First part of each thinktime that is spent with computing; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thinkcycles -d 'Cycles of a busy loop after each completed I/O, apart from thinktime' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thinktime_blocks -d 'Number of I/Os between two pauses; 0 = 1' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thinktime_blocks_type -d 'I/Os that thinktime_blocks counts' -r -f -a "complete\t'thinktime_blocks counts completed I/Os'
issue\t'thinktime_blocks counts issued I/Os'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thinktime_iotime -d 'Pause after so much time with I/O; in seconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l max_latency -d 'An I/O that takes longer ends the job with ETIMEDOUT (110): read,write,trim' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l latency_target -d 'Search the deepest queue whose I/Os keep this latency; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l latency_window -d 'Time over which latency_target judges a queue depth; in microseconds without a unit' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l latency_percentile -d 'Percentage of I/Os that have to keep latency_target' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l latency_run -d 'Go on after the search for latency_target and adapt the queue depth' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l steadystate -d 'End the job once a quantity is steady: criterion:LIMIT, LIMIT in the unit of the quantity or in % of its mean' -r -f -a "iops\t'maximum mean deviation of IOPS measurements'
iops_slope\t'slope calculated from IOPS measurements'
bw\t'maximum mean deviation of bandwidth measurements'
bw_slope\t'slope calculated from bandwidth measurements'
lat\t'maximum deviation of mean completion latencies (newer than fio 3.33)'
lat_slope\t'slope of mean completion latencies (newer than fio 3.33)'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l steadystate_duration -d 'Length of the window that must be steady; 0 = the job does not wait for a steady state' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l steadystate_ramp_time -d 'Time from the start of the measurement to the first sample' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l steadystate_check_interval -d 'Time between two samples; steadystate_duration must be a multiple of it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zero_buffers -d 'Write zeros' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l refill_buffers -d 'Fresh random bytes before each write' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l scramble_buffers -d 'Change a few bytes of each 512 before each write' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l buffer_compress_percentage -d 'Percent of each chunk that compresses away' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l buffer_compress_chunk -d 'Bytes of such a chunk; 0 = the block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l mem -d 'Memory of I/O buffers; behind mmap, mmapshared, mmaphuge a file may follow, mmap:FILE' -r -f -a "malloc\t'ordinary memory'
shm\t'a System V shared memory segment'
shmhuge\t'the same of huge pages'
mmap\t'a mapping, anonymous or of a file'
mmapshared\t'a shared mapping'
mmaphuge\t'a mapping of huge pages'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iomem_align -d 'The first buffer begins at a multiple of this' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l hugepage-size -d 'What memory of huge pages is rounded up to' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l buffer_pattern -d 'Write these bytes, repeated from the start of each block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dedupe_percentage -d 'Percent of the blocks that repeat another one' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dedupe_mode -d 'Which block is repeated' -r -f -a "repeat\t'repeat previous page'
working_set\t'choose a page randomly from limited working set defined in dedupe_working_set_percentage'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dedupe_working_set_percentage -d 'The working set\'s percent of the size' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dedupe_global -d 'One working set for all jobs that say so' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify -d 'Write data by which blocks can be verified, and check it' -r -f -a "0\t'Don\'t do IO verification'
md5\t'Use md5 checksums for verification'
crc64\t'Use crc64 checksums for verification'
crc32\t'Use crc32 checksums for verification'
crc32c-intel\t'Use crc32c checksums for verification (hw assisted, if available)'
crc32c\t'Use crc32c checksums for verification (hw assisted, if available)'
crc16\t'Use crc16 checksums for verification'
crc7\t'Use crc7 checksums for verification'
sha1\t'Use sha1 checksums for verification'
sha256\t'Use sha256 checksums for verification'
sha512\t'Use sha512 checksums for verification'
sha3-224\t'Use sha3-224 checksums for verification'
sha3-256\t'Use sha3-256 checksums for verification'
sha3-384\t'Use sha3-384 checksums for verification'
sha3-512\t'Use sha3-512 checksums for verification'
xxhash\t'Use xxhash checksums for verification'
meta\t'Use io information for verification. Now is implied by default, thus option is obsolete, don\'t use it'
pattern\t'Verify strict pattern'
pattern_hdr\t'Verify pattern with header'
null\t'Pretend to verify'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l do_verify -d 'Read the written blocks back and check them' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_only -d 'Write nothing, check what an earlier run of the same job wrote' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_interval -d 'Distance between two headers in bytes; the default is the block size' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_offset -d 'Place the header at this offset within its interval' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_pattern -d 'Bytes to repeat over each block; `%o` is the offset of the block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_pattern_interval -d 'Begin the pattern again after this number of bytes, with their own offset for `%o`; 0 = once per block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_fatal -d 'End the job at the first block that does not match' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_dump -d 'Write each block that does not match to FILE.OFFSET.received, and what was expected to FILE.OFFSET.expected' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_async -d 'Number of threads per clone that check blocks; 0 = the thread that does the I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_async_cpus -d 'CPUs of the threads of verify_async' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_backlog -d 'Check blocks after this number of writes, not only at the end of the pass' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_backlog_batch -d 'Number of blocks to check each time; the default is verify_backlog' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_policy -d 'Writes that the saved state covers' -r -f -a "completed\t'all completed writes'
fsynced\t'writes that had completed before the last completed sync was issued'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_state_save -d 'Save the last writes of the job to local-NAME-INDEX-verify.state at its end' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_state_load -d 'Check only what the saved state says that was written' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_write_sequence -d 'Check the number of the write in the header' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verify_header_seed -d 'Check the seed in the header' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l experimental_verify -d 'Draw the same I/Os again to check them; fathom\'s memory does not depend on this' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verifysort -d 'Removed: order in which blocks are read back' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l verifysort_nr -d 'Removed: number of blocks that are sorted before they are read back' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l trim_percentage -d 'Trim this share of the written blocks of a job that verifies, in percent' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l trim_verify_zero -d 'Check that blocks which trim_percentage trimmed contain only zeros' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l trim_backlog -d 'Trim blocks after this number of writes, not only at the end of the pass' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l trim_backlog_batch -d 'Number of blocks to trim each time; the default is trim_backlog' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l block_error_percentiles -d 'Count the trims of each block until an error' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l continue_on_error -d 'Errors that are counted rather than ending the job' -r -f -a "none\t'every error ends the job'
read\t'read errors are counted'
write\t'write errors are counted'
io\t'both are'
verify\t'verification errors are'
all\t'all are'
0\t'none'
1\t'all'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ignore_error -d 'Errors that are counted rather than ending the job, by name or number' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l error_dump -d 'Print a line for errors that do not end the job too' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_iolog -d 'Append the operations of the job to a trace that read_iolog replays' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l read_iolog -d 'Replay traces: fio\'s logs of version 2 and 3, blktrace files, or CSV of public collections' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l read_iolog_chunked -d 'Read a trace gradually' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l replay_no_stall -d 'Replay a trace as fast as possible instead of at its own times' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l replay_redirect -d 'File or device for all I/O of a trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l replay_scale -d 'Divide the offsets of a trace by this number' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l replay_align -d 'Round the offsets of a trace down to multiples of this power of two' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l replay_time_scale -d 'Rate of the replay in percent of the rate of the trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l replay_skip -d 'Leave out reads, writes, trims or syncs of a trace' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l merge_blktrace_file -d 'Merge the blktrace files of read_iolog into this file and replay it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l merge_blktrace_scalars -d 'Percentage of its time that each trace to merge takes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l merge_blktrace_iters -d 'Number of passes over each trace to merge' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zonemode -d 'strided: work on a part of each zone, one zone after the other; zbd: write each zone in order' -r -f -a "none\t'no zones'
strided\t'work on a part of each zone, one zone after the other'
zbd\t'write each zone in order, as zoned block devices require'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zonesize -d 'Bytes to move in a zone before the next one begins' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zonerange -d 'Bytes of a zone; 0 = zonesize' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zoneskip -d 'Bytes between the end of a zone and the next one; with z times zonesize' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zonecapacity -d 'Writable bytes of a zone, where the device has no zones; 0 = the whole zone' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l read_beyond_wp -d 'Allow reads beyond the write pointer of a zone' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l max_open_zones -d 'Largest number of zones written at a time, by all jobs; 0 = the limit of the device' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l job_max_open_zones -d 'Largest number of zones that one job writes at a time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ignore_zone_limits -d 'Allow more open zones than the device reports' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zone_reset_threshold -d 'Share of written data from which zones are reset periodically' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l zone_reset_frequency -d 'Zone resets per write, from the threshold on' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l recover_zbd_write_error -d 'After a failed write, ask the device for the write pointer of the zone and continue there' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_zone_remainder -d 'Write the rest of a zone that is smaller than the smallest block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fdp -d 'Write with Flexible Data Placement, as dataplacement=fdp' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dataplacement -d 'Directive of write commands, by which the device places data' -r -f -a "none\t'no directive'
fdp\t'Flexible Data Placement'
streams\t'Streams'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l plid_select -d 'Selection of the placement identifier of a write' -r -f -a "random\t'at random'
roundrobin\t'one after the other'
scheme\t'by offset, from the file dp_scheme'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l plids -d 'Placement identifiers of the job: numbers and ranges, at most 128' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dp_scheme -d 'File with the placement identifier of each range of offsets, for plid_select=scheme' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l percentile_list -d 'Percentiles to report' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l clat_percentiles -d 'Report percentiles of completion latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l lat_percentiles -d 'Report percentiles of total latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l slat_percentiles -d 'Report percentiles of submission latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l significant_figures -d 'Digits of numbers in the text report' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l disable_lat -d 'Do not measure total latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l disable_clat -d 'Do not measure completion latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l disable_slat -d 'Do not measure submission latency' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l disable_bw_measurement -d 'Take no samples of bandwidth and rate' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l bwavgtime -d 'Milliseconds per sample of bandwidth' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l iopsavgtime -d 'Milliseconds per sample of the I/O rate' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l disk_util -d 'Report what the disks did' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l unified_rw_reporting -d 'Report all directions as one' -r -f -a "none\t'each direction by itself'
mixed\t'all directions as one'
both\t'each by itself, then all as one'
0\t'none'
1\t'mixed'
2\t'both'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l profile -d 'Jobs that make up another benchmark; its own options follow' -r -f -a "tiobench\t'tiotest/tiobench benchmark'
act\t'ACT Aerospike like benchmark'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l per_job_logs -d 'Write the logs of each job to files of their own, with the number of the job in their names' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_bw_log -d 'Write a log of the bandwidth; the value is the beginning of its name' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_lat_log -d 'Write logs of the latencies; the value is the beginning of their names' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_iops_log -d 'Write a log of the I/O rate; the value is the beginning of its name' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_hist_log -d 'Write a log of histograms of the completion latency; the value is the beginning of its name' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_avg_msec -d 'Milliseconds per row of bandwidth, latency and rate logs; 0 writes a row for each I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_hist_msec -d 'Milliseconds per row of write_hist_log; 0 writes no rows' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_hist_coarseness -d 'Number of times that the bins of write_hist_log are halved' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_max_value -d 'Latency in a row of log_avg_msec: mean (0), largest (1), or both' -r -f -a "avg\t'mean of the interval'
max\t'largest value of the interval'
both\t'mean and largest value, in two columns'
0\t'avg'
1\t'max'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_window_value -d 'Latency in a row of log_avg_msec: mean (avg), largest (max), or both' -r -f -a "avg\t'mean of the interval'
max\t'largest value of the interval'
both\t'mean and largest value, in two columns'
0\t'avg'
1\t'max'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_offset -d 'Add a column with the offset of the I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_prio -d 'Write the I/O priority as a number (0x2004) instead of 1 for the highest class and 0' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_issue_time -d 'Add a column with the time at which the I/O was issued, in nanoseconds' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_entries -d 'I/Os per buffer of a log; each job has four such buffers' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_compression -d 'Bytes of a log that log_store_compressed compresses at a time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_compression_cpus -d 'CPUs of the thread that writes and compresses logs' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_store_compressed -d 'Compress the logs, to files with the suffix .fz for --inflate-log' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_unix_epoch -d 'Count the times of logs from 1970 instead of the start of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_alternate_epoch -d 'Count the times of logs by the clock log_alternate_epoch_clock_id instead of from the start of the job' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l log_alternate_epoch_clock_id -d 'Number of the clock of log_alternate_epoch, as in clock_gettime(2)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l fixedbufs -d 'Registered buffers' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l registerfiles -d 'Registered files' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l nonvectored -d 'Plain read and write commands rather than vectored ones' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l null_jitter -d 'Make every latency of the null engine differ' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmdprio_percentage -d 'Share of IO issued with high IO priority' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmdprio_class -d 'I/O priority class of the prioritised I/Os' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmdprio_hint -d 'I/O priority hint of the prioritised I/Os' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmdprio -d 'I/O priority level of the prioritised I/Os' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmdprio_bssplit -d 'Priority share by block size' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l userspace_reap -d 'Completions are read from the ring in shared memory where enough lie there' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l nowait -d 'RWF_NOWAIT: an I/O that would wait fails with EAGAIN' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l libaio_vectored -d 'preadv and pwritev commands instead of pread and pwrite' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l hipri -d 'Polled completions (pvsync2: RWF_HIPRI)' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l sqthread_poll -d 'A thread of the kernel submits' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l sqthread_poll_cpu -d 'CPU of that thread' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l force_async -d 'Every n-th request goes to a worker of the kernel at once' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l uncached -d 'RWF_DONTCACHE: buffered I/O leaves nothing in the page cache' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l hipri_percentage -d 'Percent of the calls that get RWF_HIPRI, with hipri' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l thp -d 'Huge pages, in a private mapping' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cpuload -d 'Busy share of one CPU' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cpumode -d 'Kind of work' -r -f -a "noop\t'NOOP instructions'
qsort\t'QSORT computation'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cpuchunks -d 'Microseconds of work before each rest' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l exit_on_io_done -d 'End when the jobs that do I/O have ended' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l program -d 'Program to start' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l arguments -d 'Arguments of the program, separated by blanks; %r is the runtime in seconds, %n the job\'s name' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l grace_time -d 'Seconds between SIGTERM and SIGKILL when the runtime is over' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l std_redirect -d 'What the program prints goes to the files JOBNAME.stdout and JOBNAME.stderr' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l stat_type -d 'Call that is made' -r -f -a "stat\t'stat'
lstat\t'lstat'
statx\t'statx'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_servers -d 'Requests that the simulated device serves in parallel' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_law -d 'Law of its service time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_transfer -d 'Bytes per second that each of its servers moves' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_iops -d 'I/Os per second that it lets in' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_bw -d 'Bytes per second that it lets in' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_burst -d 'Credits: how many I/Os, and how many come back per second' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_cache -d 'A write cache: bytes, bytes per second that leave it, time of a write into it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_cliff -d 'After so many bytes written, writes take so many times as long' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_drift -d 'Percent by which its service time grows per second' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_step -d 'From which moment on it does which share of its rate' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_stall -d 'How often it stops, and for how long' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_disk -d 'A head: time of a full seek, of a rotation, requests it may reorder, bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_cpu -d 'CPU time that a job spends on an I/O, before the device sees it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_cores -d 'CPUs that the jobs share' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_contention -d 'Percent by which its service time grows per request that waits' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_hit -d 'Percent of the reads that a cache answers, and in what time' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_zone_size -d 'Size of the zones of a zoned device, bytes; 0: the device has no zones' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_zone_capacity -d 'Writable bytes of each zone; 0 = the whole zone' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_open_zones -d 'Number of zones that may be partly written; 0 = any number' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_zone_errors -d 'Every n-th write to a zone fails after half of its bytes; 0 = none' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_ftl -d 'An SSD: its over-provisioning, pages of an erase block, bytes of a page' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_ftl_times -d 'Times of its flash: to program a page, to read a page, to erase a block' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_surface -d 'Transfer rates of a disk: outermost and innermost zone, number of zones, shortest seek' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_slc -d 'An SLC cache: bytes, bytes per second into it, while it is full, and out of it at rest' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l model_read_cache -d 'Read cache of a controller: bytes, time of a hit, bytes of a line' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l donorname -d 'File that gives its blocks in exchange for those of the job\'s files' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l inplace -d '1: allocate the donor\'s blocks at each write and free them afterwards; 0: allocate them once' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l skip_bad -d 'Skip operations on blocks that the flash marks as bad; they count as done' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l cmd_type -d 'Kind of commands' -r -f -a "nvme\t'NVMe commands'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l readfua -d 'Force unit access for reads' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l writefua -d 'Force unit access for writes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l write_mode -d 'Command of writes: write, uncor, zeroes, verify or zone_append, or a mixture of them' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l md_per_io_size -d 'Bytes of separate metadata per I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l pi_act -d 'The controller inserts and strips protection information' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l pi_chk -d 'Checks of protection information' -r -f -a "GUARD\t'guard'
REFTAG\t'reference tag'
APPTAG\t'application tag'
GUARD\,REFTAG\t'guard and reference tag'
GUARD\,APPTAG\t'guard and application tag'
REFTAG\,APPTAG\t'both tags'
GUARD\,REFTAG\,APPTAG\t'all'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l apptag -d 'Application tag of protection information' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l apptag_mask -d 'Bits of the application tag that are checked' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l deac -d 'Deallocate the blocks of Write Zeroes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l sg_write_mode -d 'SCSI command of writes' -r -f -a "write\t'Issue standard SCSI WRITE commands'
write_and_verify\t'Issue SCSI WRITE AND VERIFY commands'
verify\t'Issue SCSI WRITE AND VERIFY commands. This option is deprecated. Use write_and_verify instead.'
write_same\t'Issue SCSI WRITE SAME commands'
same\t'Issue SCSI WRITE SAME commands. This option is deprecated. Use write_same instead.'
write_same_ndob\t'Issue SCSI WRITE SAME(16) commands with NDOB flag set'
verify_bytchk_00\t'Issue SCSI VERIFY commands with BYTCHK set to 00'
verify_bytchk_01\t'Issue SCSI VERIFY commands with BYTCHK set to 01'
verify_bytchk_11\t'Issue SCSI VERIFY commands with BYTCHK set to 11'
write_stream\t'Issue SCSI WRITE STREAM(16) commands'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l stream_id -d 'Stream of write_stream; 0 = open a stream, and close it at the end' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l hostname -d 'Peer to connect or send to, or multicast group to receive from' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l port -d 'Port of the first clone; each further clone uses the next port' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l protocol -d 'Network protocol' -r -f -a "tcp\t'Transmission Control Protocol'
tcpv6\t'Transmission Control Protocol V6'
udp\t'User Datagram Protocol'
udpv6\t'User Datagram Protocol V6'
unix\t'UNIX domain socket'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l nodelay -d 'Set TCP_NODELAY' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l listen -d 'Wait for TCP connections instead of connecting' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l pingpong -d 'The receiver sends each block back, and the sender waits for it' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l interface -d 'IPv4 address of the interface for multicast' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l ttl -d 'Hops of a multicast datagram' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l window_size -d 'Size of the socket buffer in bytes; 0 = the kernel\'s' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l mss -d 'Maximum segment size of TCP in bytes; 0 = the kernel\'s' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l clustername -d 'Name of the Ceph cluster' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rbdname -d 'Name of the image' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l pool -d 'Name of the pool' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l clientname -d 'Name of the Ceph client: the part after client., or with clustername the whole name' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l conf -d 'Configuration file of the Ceph cluster' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l busy_poll -d 'Spin for completions instead of sleeping' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l touch_objects -d 'Create the objects before the first I/O' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rbd_encryption_format -d 'Format of the image encryption' -r -f -a "luks1\t'LUKS version 1'
luks2\t'LUKS version 2'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l rbd_encryption_passphrase -d 'Passphrase of the image encryption' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l https -d 'Use of TLS' -r -f -a "off\t'No TLS'
on\t'TLS, with the certificate checked'
insecure\t'TLS without a check of the certificate'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_host -d 'Host name, with a port after a colon' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_user -d 'User of WebDAV' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_pass -d 'Password of WebDAV' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_key -d 'Secret key of S3' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_keyid -d 'Access key of S3' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_security_token -d 'Token of temporary credentials of S3' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_swift_auth_token -d 'Token of Swift' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_region -d 'Region of the S3 signature' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_sse_customer_key -d 'Key with which the S3 server encrypts objects' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_sse_customer_algorithm -d 'Algorithm of the encryption with that key' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_s3_storage_class -d 'Storage class of the objects written' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_mode -d 'Protocol' -r -f -a "webdav\t'WebDAV'
s3\t'Amazon S3'
swift\t'OpenStack Swift'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_verbose -d 'Trace requests: 1 shows errors, 2 everything' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l http_object_mode -d 'One object per block (named FILE_OFFSET_LENGTH) or one object per file, with ranges' -r -f -a "block\t'One object per block'
range\t'Ranges of one object per file'"
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l initiator -d 'Name of the iSCSI initiator' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l nfs_url -d 'URL of the NFS export in the form of libnfs' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l uri -d 'URI of the NBD export' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l device-names -d 'Devices or files to test, separated by commas' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l load -d 'Multiplier of the load: 2000 reads per second and device, and writes of half as many bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l test-duration -d 'Duration of the test' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l threads-per-queue -d 'Number of threads per device that read' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l read-req-num-512-blocks -d 'Size of a read in blocks of 512 bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l large-block-op-kbytes -d 'Size of a write in bytes, whatever the name says' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l prep -d 'Prepare the devices: zeros in order, then random blocks of 4 KiB; without a verdict' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l block -d 'Block size in bytes' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l numruns -d 'Number of runs' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l dir -d 'Test directory' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l threads -d 'Number of threads' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l lang -d 'Language of the output [default: from the locale]' -r
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l minimal -d 'The same as --output-format=terse'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l append-terse -d 'Also print terse output'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l readonly -d 'Refuse jobs that write, and the creation of files before a run'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l parse-only -d 'Parse options and job files, run no job'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l showcmd -d 'Print job files as one command line'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l warnings-fatal -d 'Exit at a warning'
complete -c fathom -n "__fish_fathom_using_subcommand fio" -l version -d 'Version'
