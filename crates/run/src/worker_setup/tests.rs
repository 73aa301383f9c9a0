use super::*;
use crate::Control;
use crate::assignment::PhaseSync;
use crate::prepare::Host;
use crate::targets::Targets;
use engine::{Op, SharedBlocks};
use job::Dialect;
use job::files::NoFiles;
use job::host_share::HostShare;
use job::plan::Plan;
use proptest::prelude::*;
use std::collections::BTreeSet;

struct Alone;

impl PhaseSync for Alone {
    fn wait_for_start(&self) {}
}

fn plan_of(options: &str) -> Plan {
    let line = format!("--name=a --ioengine=model {options}");
    let args: Vec<_> = line.split_whitespace().map(Into::into).collect();
    let Ok(job::Parsed::Run(line)) = job::command_line(&args, "fio", Dialect::Run, &mut NoFiles) else {
        panic!("{options}");
    };
    job::plan(line.jobs, &mut Host).unwrap()
}

/// Returns all operations of the plan's first clone, at most `most`.
fn operations(plan: &Plan, most: usize) -> Vec<Op> {
    let (blocks, control) = (SharedBlocks::new(1).unwrap(), Control::default());
    let a = Assignment {
        plan,
        clone: &plan.clones[0],
        targets: &Targets::unchecked(),
        records: &crate::verify::Records::default(),
        counters: &blocks,
        shared: &blocks[0].now,
        baseline: &blocks[0].baseline,
        priorities: None,
        steady: None,
        logs: None,
        allowance: None,
        control: &control,
        all_histograms: false,
        phase: &Alone,
        began: std::time::Instant::now(),
    };
    let mut pattern = pattern(&a, Vec::new());
    let mut all = Vec::new();
    let mut ops = [Op::NONE; 8];
    ops.iter_mut().zip(0..).for_each(|(op, slot)| op.slot = slot);
    loop {
        let n = pattern.fill(&mut ops);
        if n == 0 || all.len() >= most {
            return all;
        }
        ops[..n].iter().for_each(|op| pattern.completed(op));
        all.extend(
            ops[..n].iter().filter(|op| matches!(op.kind, Kind::Read | Kind::Write | Kind::Trim)).copied(),
        );
    }
}

/// Jobs, and whether they visit each block of the region; BS stands for the block size.
const JOBS: [(&str, bool); 24] = [
    ("--rw=read", true),
    ("--rw=write", true),
    ("--rw=randread", true),
    ("--rw=randwrite", true),
    ("--rw=randwrite --norandommap", false),
    ("--rw=rw", false),
    ("--rw=randrw --rwmixread=30", true),
    ("--rw=randrw --norandommap", false),
    ("--rw=trim", true),
    ("--rw=randtrim", true),
    ("--rw=trimwrite", true),
    ("--rw=randtrimwrite", true),
    ("--rw=write --fsync=3", true),
    ("--rw=write:BS", false),
    ("--rw=read:-BS", false),
    ("--rw=randread:4", false),
    ("--rw=randwrite --random_generator=lfsr", true),
    ("--rw=randwrite --serialize_overlap=1 --iodepth=8", true),
    ("--rw=randread --norandommap --random_distribution=zipf:1.2", false),
    ("--rw=randread --norandommap --random_distribution=zoned:60/10:40/90", false),
    ("--rw=randwrite --norandommap --percentage_random=40", false),
    ("--rw=randread --norandommap --blockalign=BS", false),
    ("--rw=write --loops=3", true),
    ("--rw=randwrite --nrfiles=3", true),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    /// Each I/O of a host is one whole block of the region which has its turn, and together the hosts visit all blocks, but less
    /// than one for each host.
    #[test]
    fn interleaved_hosts_have_disjoint_blocks_of_the_whole_region(
        job in prop::sample::select(&JOBS[..]), hosts in 2u64..7, block in 1u64..40, rows in 1u64..40, more in 0u64..40,
        tail in 0u64..4096, offset in 0u64..100_000, seed in 0u32..1000,
    ) {
        let block = block * 512;
        let files = if job.0.contains("nrfiles") { 3 } else { 1 };
        let length = rows * hosts * block + more % hosts * block + tail % block;
        let options = job.0.replace("BS", &block.to_string());
        let line = format!("{options} --bs={block} --offset={offset} --size={} --randseed={seed}", length * files);
        let mut visited: BTreeSet<(u32, u64)> = BTreeSet::new();
        for number in 0..hosts {
            let mut plan = plan_of(&line);
            plan.keep_share(HostShare::Interleave, &[(number, hosts)]).unwrap();
            let own = operations(&plan, 100_000);
            prop_assert!(!own.is_empty(), "{}", line);
            let mut mine: BTreeSet<(u32, u64)> = BTreeSet::new();
            for op in own {
                let file = &plan.clones[0].files[op.file as usize];
                let start = file.start;
                prop_assert_eq!((u64::from(op.len), (op.offset - start) % block), (block, 0), "{}: {:?}", line, op);
                let index = (op.offset - start) / block;
                prop_assert_eq!(index % hosts, number, "{}: {:?}", line, op);
                prop_assert!(op.offset + block <= start + length, "{}: {:?}", line, op);
                mine.insert((op.file, index));
            }
            prop_assert!(mine.is_disjoint(&visited));
            visited.extend(mine);
        }
        if job.1 {
            let all: BTreeSet<_> = (0..files as u32).flat_map(|f| (0..rows * hosts).map(move |index| (f, index))).collect();
            prop_assert_eq!(visited, all, "{}", line);
        }
    }
}
