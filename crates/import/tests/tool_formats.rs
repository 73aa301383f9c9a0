//! Each reader of other tools' output reads what the tool prints: loads drawn at random are printed in the tool's
//! format and read back; damaged text gives fewer results and no panic.

use import::{ToolResults, printed};
use proptest::prelude::*;
use stats::audit::{BenchmarkTool, IoKind, PrintedNumber, PrintedResult};
use std::path::PathBuf;

fn read(text: &str) -> Vec<PrintedResult> {
    read_bytes(text.as_bytes()).results
}

fn read_bytes(bytes: &[u8]) -> ToolResults {
    printed(&[PathBuf::from("-")], Some(bytes))
}

/// Load whose figures agree with each other.
#[derive(Clone, Debug)]
struct Load {
    iops: f64,
    block: u64,
    mean_us: f64,
    seconds: f64,
    write: bool,
}

impl Load {
    fn bandwidth(&self) -> f64 {
        self.iops * self.block as f64
    }

    fn ios(&self) -> u64 {
        (self.iops * self.seconds).round() as u64
    }
}

fn load() -> impl Strategy<Value = Load> {
    let blocks = prop::sample::select(vec![512u64, 4096, 8192, 16384, 65536, 131072, 1048576]);
    (20.0f64..2e5, blocks, 20.0f64..2e5, 10.0f64..700.0, any::<bool>()).prop_map(
        |(iops, block, mean_us, seconds, write)| Load {
            iops: iops.round(),
            block,
            mean_us,
            seconds: seconds.round(),
            write,
        },
    )
}

/// Returns a size as fio 3 prints it.
fn fio_size(bytes: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let power = (0..4).rev().find(|p| bytes >= 1024f64.powi(*p)).unwrap_or(0);
    let value = bytes / 1024f64.powi(power);
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}{}", units[power as usize])
}

fn fio3(l: &Load) -> String {
    let (word, tag) = if l.write { ("write", "randwrite") } else { ("read", "randread") };
    let (b, mean) = (l.block, l.mean_us);
    let iops = if l.iops >= 10_000.0 { format!("{:.1}k", l.iops / 1000.0) } else { format!("{:.0}", l.iops) };
    let issued = if l.write { format!("0,{},0,0", l.ios()) } else { format!("{},0,0,0", l.ios()) };
    let total = l.ios() as f64 * b as f64;
    format!(
        "job: (g=0): rw={tag}, bs=(R) {b}B-{b}B, (W) {b}B-{b}B, (T) {b}B-{b}B, ioengine=libaio, iodepth=32\nfio-3.33\nStarting 1 process\n\njob: (groupid=0, jobs=1): err= 0: pid=9: Mon Jan  5 00:00:00 2026\n  {word}: IOPS={iops}, BW={}/s ({:.1}MB/s)({}/{:.0}msec)\n    slat (usec): min=1, max=90, avg= 2.00, stdev= 1.00\n    clat (usec): min=9, max=999999, avg={mean:.2}, stdev= 1.00\n     lat (usec): min=10, max=999999, avg={mean:.2}, stdev= 1.00\n    clat percentiles (usec):\n     |  1.00th=[   10], 50.00th=[   {:.0}], 99.00th=[  999998],\n  cpu          : usr=1.00%, sys=2.00%, ctx=1, majf=0, minf=1\n  IO depths    : 1=0.1%, 32=99.9%\n     issued rwts: total={issued} short=0,0,0,0 dropped=0,0,0,0\n\nRun status group 0 (all jobs):\n",
        fio_size(l.bandwidth()),
        l.bandwidth() / 1e6,
        fio_size(total),
        l.seconds * 1000.0,
        mean.max(10.0),
    )
}

fn fio2(l: &Load) -> String {
    let (word, tag) = if l.write { ("write", "write") } else { ("read ", "read") };
    let kib = l.bandwidth() / 1024.0;
    format!(
        "job: (g=0): rw={tag}, bs={0}K-{0}K/{0}K-{0}K/{0}K-{0}K, ioengine=sync, iodepth=1\nfio-2.1.11\n\njob: (groupid=0, jobs=1): err= 0: pid=9: Mon Jan  5 00:00:00 2026\n  {word}: io={1:.0}KB, bw={kib:.0}KB/s, iops={2:.0}, runt={3:.0}msec\n    clat (usec): min=9, max=999999, avg={4:.2}, stdev= 1.00\n  cpu          : usr=1.00%, sys=2.00%, ctx=1, majf=0, minf=1\n",
        l.block as f64 / 1024.0,
        kib * l.seconds,
        l.iops,
        l.seconds * 1000.0,
        l.mean_us,
    )
}

fn dd(l: &Load) -> String {
    let records = l.ios();
    let bytes = records * l.block;
    let rate = bytes as f64 / l.seconds;
    let (rate, unit) = if rate >= 1e9 {
        (rate / 1e9, "GB")
    } else if rate >= 1e6 {
        (rate / 1e6, "MB")
    } else {
        (rate / 1e3, "kB")
    };
    let digits = usize::from(rate < 10.0);
    let (of, input) = if l.write { ("x", "/dev/zero") } else { ("/dev/null", "x") };
    format!(
        "$ dd if={input} of={of} bs={0} iflag=direct oflag=direct\n{records}+0 records in\n{records}+0 records out\n{bytes} bytes ({1:.1} GB, {2:.1} GiB) copied, {3} s, {rate:.digits$} {unit}/s\n",
        l.block,
        bytes as f64 / 1e9,
        bytes as f64 / 1073741824.0,
        l.seconds,
    )
}

fn hdparm(l: &Load) -> String {
    let rate = l.bandwidth() / 1048576.0;
    let megabytes = (rate * 3.0 / 2.0).ceil() * 2.0;
    let seconds = megabytes / rate;
    format!(
        "/dev/sdx:\n Timing buffered disk reads: {megabytes:.0} MB in {seconds:5.2} seconds = {:.2} MB/sec\n",
        megabytes / seconds
    )
}

fn ioping(l: &Load) -> String {
    let n = 1000.0;
    let iops = 1e6 / l.mean_us;
    format!(
        "$ ioping -D -c 1001 /dev/sdx\n\n--- /dev/sdx (block device 1 GiB) ioping statistics ---\n1 k requests completed in {:.3} s, {} read, {iops:.2} iops, {:.2} MiB/s\ngenerated 1 k requests in 99 s, 4 MiB, 10 iops, 40 KiB/s\nmin/avg/max/mdev = 1.00 us / {:.2} us / {:.2} us / 1.00 us\n",
        n * l.mean_us / 1e6,
        fio_size(n * l.block as f64).replace('B', " B").replace("Ki B", " KiB").replace("Mi B", " MiB"),
        iops * l.block as f64 / 1048576.0,
        l.mean_us,
        10.0 * l.mean_us,
    )
}

fn sysbench(l: &Load) -> String {
    let mib = l.bandwidth() / 1048576.0;
    let (reads, writes) = if l.write { (0.0, l.iops) } else { (l.iops, 0.0) };
    let (read, written) = if l.write { (0.0, mib) } else { (mib, 0.0) };
    let events = l.ios();
    format!(
        "sysbench 1.0.20 (using system LuaJIT 2.1.0)\n\nRunning the test with following options:\nNumber of threads: 4\n\nExtra file open flags: directio\n4 files, 16MiB each\n64MiB total file size\nBlock size {}KiB\nDoing random {} test\nThreads started!\n\nFile operations:\n    reads/s:                      {reads:.2}\n    writes/s:                     {writes:.2}\n    fsyncs/s:                     0.00\n\nThroughput:\n    read, MiB/s:                  {read:.2}\n    written, MiB/s:               {written:.2}\n\nGeneral statistics:\n    total time:                          {:.4}s\n    total number of events:              {events}\n\nLatency (ms):\n         min:                                    0.01\n         avg:                                    {:.2}\n         max:                                  999.00\n         95th percentile:                      {:.2}\n         sum:                               {:.2}\n",
        l.block as f64 / 1024.0,
        if l.write { "write" } else { "read" },
        l.seconds,
        l.mean_us / 1e3,
        l.mean_us / 1e3 + 1.0,
        l.mean_us / 1e3 * events as f64,
    )
}

fn pg_test_fsync(l: &Load) -> String {
    format!(
        "5 seconds per test\nO_DIRECT supported on this platform for open_datasync and open_sync.\n\nCompare file sync methods using one 8kB write:\n(in wal_sync_method preference order, except fdatasync is Linux's default)\n        open_datasync                                   n/a*\n        fdatasync                          {:9.3} ops/sec  {:6.0} usecs/op\n",
        l.iops,
        1e6 / l.iops
    )
}

fn bonnie(l: &Load) -> String {
    let kib = (l.bandwidth() / 1024.0).round();
    format!(
        "1.98,2.00a,box,1,1700000000,16G,,8192,5,,,{kib:.0},12,41000,9,,,{kib:.0},20,{:.1},8,,,,,,,,,,,,,,,,,,179us,536us,2us,124us,1406us,3ms,,,,,,\n",
        l.iops.min(99_999.0)
    )
}

fn crystaldiskmark(l: &Load) -> String {
    let section = if l.write { "[Write]" } else { "[Read]" };
    format!(
        "CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n\n{section}\n  RND {:4.0}KiB (Q= 32, T=16): {:9.3} MB/s [ {:9.1} IOPS] <{:9.2} us>\n\nProfile: Default\n   Test: 1 GiB (x5) [C: 45% (90/200GiB)]\n   Mode: [Admin]\n",
        l.block as f64 / 1024.0,
        l.bandwidth() / 1e6,
        l.iops,
        l.mean_us,
    )
}

fn as_ssd(l: &Load) -> String {
    let mb = l.bandwidth() / 1048576.0;
    let word = if l.write { "Write" } else { "Read" };
    format!(
        "AS SSD Benchmark 2.0\nName: X\n1024 iaStorA - OK\n\nSeq\n{word}: {mb:.2} MB/s\n4K\n{word}: {mb:.2} MB/s\n"
    )
}

fn diskspd(l: &Load) -> String {
    let word = if l.write { "Write" } else { "Read" };
    let other = if l.write { "Read" } else { "Write" };
    let bytes = l.ios() * l.block;
    let row = format!(
        "{bytes:15} | {:12} | {:10.2} | {:10.2} | {:8.3} | {:9.3}",
        l.ios(),
        l.bandwidth() / 1048576.0,
        l.iops,
        l.mean_us / 1e3,
        0.01
    );
    let empty = "              0 |            0 |       0.00 |       0.00 |    0.000 |       N/A";
    format!(
        "Command Line: diskspd -b{0} -o8 -t1 -Sh -L x.dat\n\n\tblock size: {0}\n\tusing random I/O (alignment: 4096)\n\tsoftware cache disabled\n\thardware write cache disabled, writethrough on\n\tnumber of outstanding I/O operations: 8\n\tthread count: 1\n\nactual test time:\t{1:.2}s\n\n{word} IO\nthread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n-----\n     0 | {row} | x.dat (1GiB)\n-----\ntotal: {row}\n\n{other} IO\nthread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n-----\n     0 | {empty} | x.dat (1GiB)\n-----\ntotal: {empty}\n",
        l.block, l.seconds,
    )
}

fn diskspd_xml(l: &Load) -> String {
    let (reads, writes) = if l.write { (0, l.ios()) } else { (l.ios(), 0) };
    let average = |name: &str| {
        format!("<Average{name}LatencyMilliseconds>{:.3}</Average{name}LatencyMilliseconds>", l.mean_us / 1e3)
    };
    format!(
        "<Results>\n<Profile>\n<TimeSpans><TimeSpan><Targets><Target>\n<BlockSize>{0}</BlockSize>\n<RequestCount>8</RequestCount>\n<Random>4096</Random>\n<DisableAllCache>true</DisableAllCache>\n</Target></Targets></TimeSpan></TimeSpans>\n</Profile>\n<TimeSpan>\n<TestTimeSeconds>{1:.2}</TestTimeSeconds>\n<Thread>\n<Target>\n<Path>x.dat</Path>\n<BytesCount>{2}</BytesCount>\n<IOCount>{3}</IOCount>\n<ReadBytes>{4}</ReadBytes>\n<ReadCount>{reads}</ReadCount>\n<WriteBytes>{5}</WriteBytes>\n<WriteCount>{writes}</WriteCount>\n{6}\n{7}\n</Target>\n</Thread>\n</TimeSpan>\n</Results>\n",
        l.block,
        l.seconds,
        l.ios() * l.block,
        l.ios(),
        reads * l.block,
        writes * l.block,
        average("Read"),
        average("Write"),
    )
}

fn iometer(l: &Load) -> String {
    let (reads, writes) = if l.write { (0.0, l.iops) } else { (l.iops, 0.0) };
    let mib = l.bandwidth() / 1048576.0;
    format!(
        "'Test Type,Test Description\n0,\n'Access specifications\n'Access specification name,default assignment\nmine,0\n'size,% of size,% reads,% random,delay,burst,align,reply\n{0},100,100,100,0,1,0,0\n'End access specifications\n'Results\n'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MiBps (Binary),Read MiBps (Binary),Write MiBps (Binary),MBps (Decimal),Average Response Time,Maximum Response Time,Queue Depth\nALL,All,mine,1,1,1,{1:.6},{reads:.6},{writes:.6},{mib:.6},0,0,{2:.6},{3:.6},{4:.6},\nMANAGER,box,,,1,1,{1:.6},{reads:.6},{writes:.6},{mib:.6},0,0,{2:.6},{3:.6},{4:.6},\nWORKER,Worker 1,mine,,,1,{1:.6},{reads:.6},{writes:.6},{mib:.6},0,0,{2:.6},{3:.6},{4:.6},16\n'End Results\n",
        l.block,
        l.iops,
        l.bandwidth() / 1e6,
        l.mean_us / 1e3,
        l.mean_us / 1e2,
    )
}

fn elbencho(l: &Load) -> String {
    let word = if l.write { "WRITE" } else { "READ" };
    let rate = (l.bandwidth() / 1048576.0).round();
    format!(
        "$ elbencho -t 4 --iodepth 8 -b {0} --direct --rand -s 1g /data/x\n\nOPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n=========== ================    ==========   =========\n{word:<11} Elapsed time     :  {1:>11}s {1:>11}s\n            IOPS             :  {2:>11.0} {2:>11.0}\n            Throughput MiB/s :  {rate:>11} {rate:>11}\n            Total MiB        :  {3:>11.0} {3:>11.0}\n            IO latency       : [ min=1us avg={4:.0}us max=999ms ]\n---\n",
        l.block,
        l.seconds,
        l.iops,
        rate * l.seconds,
        l.mean_us,
    )
}

fn elbencho_csv(l: &Load) -> String {
    let word = if l.write { "WRITE" } else { "READ" };
    format!(
        "ISO date,operation,threads,block size,direct IO,random,IO depth,time ms [first],time ms [last],IOPS [first],IOPS [last],MiB/s [first],MiB/s [last],IO lat us [min],IO lat us [avg],IO lat us [max],version,command\n2026-01-01,{word},4,{0},1,1,8,{1:.0},{1:.0},{2:.0},{2:.0},{3:.0},{3:.0},1,{4:.0},999999,3.0,\"elbencho -t 4, x\"\n",
        l.block,
        l.seconds * 1e3,
        l.iops,
        l.bandwidth() / 1048576.0,
        l.mean_us
    )
}

fn vdbench(l: &Load) -> String {
    let reads = if l.write { 0.0 } else { 100.0 };
    let queue = l.iops * l.mean_us / 1e6;
    format!(
        "10:00:00.000 Starting RD=run1; I/O rate: Uncontrolled MAX; elapsed=30\n\nJan 01, 2026  interval        i/o   MB/sec   bytes   read     resp     read    write     resp     resp queue  cpu%  cpu%\n                             rate  1024**2     i/o    pct     time     resp     resp      max   stddev depth sys+u   sys\n10:00:01.000         1    {0:.2}    {1:.2}   {2} {reads:.2}    {3:.3}    {3:.3}    0.000    99.000    1.000   {4:.1}   5.0   3.0\n10:00:02.000         2    {0:.2}    {1:.2}   {2} {reads:.2}    {3:.3}    {3:.3}    0.000    99.000    1.000   {4:.1}   5.0   3.0\n10:00:30.000  avg_2-30    {0:.2}    {1:.2}   {2} {reads:.2}    {3:.3}    {3:.3}    0.000    99.000    1.000   {4:.1}   5.0   3.0\n",
        l.iops,
        l.bandwidth() / 1048576.0,
        l.block,
        l.mean_us / 1e3,
        queue,
    )
}

/// A format with its writer, the tool, and the number of results of one load.
type Format = (&'static str, fn(&Load) -> String, BenchmarkTool, usize);

const FORMATS: [Format; 20] = [
    ("fio 3", fio3, BenchmarkTool::Fio, 1),
    ("fio 2", fio2, BenchmarkTool::Fio, 1),
    ("dd", dd, BenchmarkTool::Dd, 1),
    ("hdparm", hdparm, BenchmarkTool::Hdparm, 1),
    ("ioping", ioping, BenchmarkTool::Ioping, 1),
    ("sysbench", sysbench, BenchmarkTool::Sysbench, 1),
    ("pg_test_fsync", pg_test_fsync, BenchmarkTool::PgTestFsync, 1),
    ("bonnie++", bonnie, BenchmarkTool::Bonnie, 4),
    ("CrystalDiskMark", crystaldiskmark, BenchmarkTool::CrystalDiskMark, 1),
    ("AS SSD", as_ssd, BenchmarkTool::AsSsd, 2),
    ("diskspd", diskspd, BenchmarkTool::Diskspd, 1),
    ("diskspd XML", diskspd_xml, BenchmarkTool::Diskspd, 1),
    ("Iometer", iometer, BenchmarkTool::Iometer, 1),
    ("elbencho", elbencho, BenchmarkTool::Elbencho, 1),
    ("elbencho CSV", elbencho_csv, BenchmarkTool::Elbencho, 1),
    ("vdbench", vdbench, BenchmarkTool::Vdbench, 1),
    ("iostat", iostat, BenchmarkTool::Iostat, 1),
    ("rados bench", rados, BenchmarkTool::Rados, 1),
    ("winsat", winsat, BenchmarkTool::Winsat, 1),
    ("table", table, BenchmarkTool::Typed, 1),
];

fn rados(l: &Load) -> String {
    let made = if l.write { "writes" } else { "reads" };
    let seconds = l.ios() as f64 / l.iops;
    format!(
        "Total time run:         {seconds:.6}\nTotal {made} made:      {}\nWrite size:             {}\nObject size:            {1}\nBandwidth (MB/sec):     {:.3}\nAverage IOPS:           {}\nAverage Latency(s):     {:.6}\n",
        l.ios(),
        l.block,
        l.bandwidth() / 1048576.0,
        l.iops.floor(),
        l.mean_us / 1e6,
    )
}

fn winsat(l: &Load) -> String {
    let side = if l.write { "Write" } else { "Read" };
    format!(
        "> Disk  Random {:.1} {side}                       {:.2} MB/s          8.0\n",
        l.block as f64 / 1024.0,
        l.bandwidth() / 1e6,
    )
}

/// Table whose units stand in the header only.
fn table(l: &Load) -> String {
    let side = if l.write { "write" } else { "read" };
    format!(
        "| test | bs | IOPS | MB/s | lat (us) |\n|---|---|---|---|---|\n| rand{side} | {} | {} | {:.3} | {:.2} |\n",
        l.block,
        l.iops,
        l.bandwidth() / 1e6,
        l.mean_us,
    )
}

fn iostat(l: &Load) -> String {
    let kib = l.block as f64 / 1024.0;
    let one = |on: bool| if on { (l.iops, l.iops * kib, l.mean_us / 1e3, kib) } else { (0.0, 0.0, 0.0, 0.0) };
    let ((r, rkb, ra, rs), (w, wkb, wa, ws)) = (one(!l.write), one(l.write));
    format!(
        "$ iostat -x -y 1 1\nLinux 6.1 (box)\n\nDevice            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\nsda {r:.2} {rkb:.2} 0.00 0.00 {ra:.2} {rs:.2} {w:.2} {wkb:.2} 0.00 0.00 {wa:.2} {ws:.2} 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 {:.2} 50.00\n",
        l.iops * l.mean_us / 1e6
    )
}

/// Returns whether a printed number holds a value.
fn holds(number: Option<PrintedNumber>, value: f64) -> bool {
    number.is_none_or(|n| (n.value - value).abs() <= 1.01 * n.half + 0.02 * value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn printed_load_is_read_back(load in load()) {
        for (name, write, tool, count) in FORMATS {
            let text = write(&load);
            let results = read(&text);
            prop_assert_eq!(results.len(), count, "{} {:?}\n{}", name, load, text);
            for result in results.iter().filter(|r| r.tool != BenchmarkTool::Bonnie) {
                prop_assert_eq!(result.tool, tool, "{}", name);
                let reads_only = matches!(tool, BenchmarkTool::Hdparm | BenchmarkTool::Ioping);
                let kind = match tool {
                    BenchmarkTool::PgTestFsync => IoKind::SyncedWrite,
                    _ if load.write && !reads_only => IoKind::Write,
                    _ => IoKind::Read,
                };
                prop_assert_eq!(result.kind, kind, "{}\n{}", name, text);
                let alone = 1e6 / load.mean_us;
                let iops = if tool == BenchmarkTool::Ioping { alone } else { load.iops };
                let of_block = matches!(tool, BenchmarkTool::Hdparm | BenchmarkTool::AsSsd);
                prop_assert!(of_block || holds(result.iops, iops), "{} iops {:?} {}\n{}", name, result.iops, iops, text);
                let block = if tool == BenchmarkTool::PgTestFsync { 8192.0 } else { load.block as f64 };
                prop_assert!(holds(result.bandwidth, iops * if of_block { load.block as f64 } else { block }) , "{} rate {:?}\n{}", name, result.bandwidth, text);
                prop_assert!(of_block || holds(result.block, block) || tool == BenchmarkTool::Ioping && result.block.is_none(), "{} block {:?}\n{}", name, result.block, text);
                let mean = match tool {
                    BenchmarkTool::PgTestFsync => 1e9 / load.iops,
                    _ => load.mean_us * 1e3,
                };
                prop_assert!(tool == BenchmarkTool::AsSsd || holds(result.latency.mean, mean), "{} mean {:?}\n{}", name, result.latency.mean, text);
                prop_assert!(result.lines[0] >= 1 && result.lines[1] >= result.lines[0], "{} {:?}", name, result.lines);
            }
        }
    }

    #[test]
    fn text_of_pages_and_terminals_reads_the_same(load in load(), which in 0..FORMATS.len()) {
        let (name, write, _, _) = FORMATS[which];
        let text = write(&load);
        let expected: Vec<_> = read(&text).iter().map(|r| (r.tool, r.kind, r.iops, r.bandwidth, r.latency.mean)).collect();
        let crlf = text.replace('\n', "\r\n");
        let coloured: String = text.lines().map(|line| format!("\u{1b}[1;32m{line}\u{1b}[0m\n")).collect();
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        let logged: String = text.lines().map(|line| format!("Nov 24 12:00:01 host bench[7]: {line}\n")).collect();
        let stamped: String = text.lines().map(|line| format!("[2026-11-24 12:00] {line}\n")).collect();
        let page = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let spaced = text.replace(" us", "\u{a0}\u{b5}s");
        for (how, variant) in [("CRLF", crlf), ("colours", coloured), ("quote marks", quoted), ("syslog", logged), ("time stamps", stamped), ("HTML", page), ("blanks", spaced)] {
            // A quoted or escaped XML or CSV starts its lines with other characters.
            let seen: Vec<_> = read(&variant).iter().map(|r| (r.tool, r.kind, r.iops, r.bandwidth, r.latency.mean)).collect();
            prop_assert_eq!(&seen, &expected, "{} {}\n{}", name, how, variant);
        }
        let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        prop_assert_eq!(read_bytes(&wide).results.len(), expected.len(), "{} UTF-16", name);
    }

    #[test]
    fn damaged_text_does_not_panic(load in load(), which in 0..FORMATS.len(), cut in 0.0f64..1.0, seed in any::<u64>(), noise in "\\PC{0,40}") {
        let (_, write, _, _) = FORMATS[which];
        let text = write(&load);
        let at = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).nth((cut * text.len() as f64) as usize).unwrap_or(0);
        let mut lines: Vec<&str> = text.lines().collect();
        let mut state = seed | 1;
        for at in (1..lines.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            lines.swap(at, (state >> 33) as usize % (at + 1));
        }
        let shuffled = lines.join("\n");
        let mixed = format!("{}{noise}{}", &text[..at], &text[at..]);
        for damaged in [&text[..at], &shuffled, &mixed, &text.replace(' ', ""), &text.replace('.', ",")] {
            for result in read(damaged) {
                let numbers = [result.iops, result.bandwidth, result.amount, result.seconds, result.latency.mean];
                prop_assert!(numbers.iter().flatten().all(|n| n.value.is_finite() && n.half.is_finite()));
            }
        }
    }

    #[test]
    fn any_text_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_bytes(&bytes);
    }
}

#[test]
fn decimal_commas_and_languages_of_dd_are_read() {
    let texts = [
        "64+0 Datensätze ein\n64+0 Datensätze aus\n67108864 Bytes (67 MB, 64 MiB) kopiert, 0,0357 s, 1,9 GB/s\n",
        "64+0 enregistrements lus\n64+0 enregistrements écrits\n67108864 octets (67 MB, 64 MiB) copiés, 0,0357 s, 1,9 GB/s\n",
        "输入了 64+0 块记录\n输出了 64+0 块记录\n67108864 字节 (67 MB, 64 MiB) 已复制，0.0357 s，1.9 GB/s\n",
        "64+0 records in\n64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 0,0357 s, 1,9 GB/s\n",
        "64+0 records in\n64+0 records out\n67108864 bytes transferred in 0.035700 secs (1879800112 bytes/sec)\n",
        "64+0 records in\n64+0 records out\n67108864 bytes (64.0MB) copied, 0.035700 seconds, 1.8GB/s\n",
        "67108864 bytes (67 MB) copied, 0.0357 s, 1.9 GB/s\n",
    ];
    for text in texts {
        let results = read(text);
        assert_eq!(results.len(), 1, "{text}");
        assert!(results[0].seconds.is_some_and(|s| (s.value - 0.0357).abs() < 1e-9), "{text}");
        assert!(
            results[0].checks.iter().all(|c| c.printed.agrees(c.computed, 0.02)),
            "{text} {:?}",
            results[0].checks
        );
    }
}

#[test]
fn format_strings_and_prose_are_no_results() {
    let texts = [
        "printf(\"%lld bytes (%s) copied, %g s, %s/s\\n\", n, s, t, r);",
        "We ran fio and dd on our disks, and they were fast: the link runs at 10 Gb/s.",
        "read: IOPS=%llu, BW=%s",
        "total: 5 files\nThroughput: good\n",
        "Already read 5 of 7 chapters at 30 pages/s",
    ];
    for text in texts {
        assert!(read(text).is_empty(), "{text}: {:?}", read(text));
    }
}
