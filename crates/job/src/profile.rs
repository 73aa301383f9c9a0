//! `--profile`: jobs that imitate another benchmark.

use crate::spec::JobSpec;

/// Returns the options, as name and value, that fio 3.33 adds to the command line for `--profile=tiobench`. `size_mib`
/// is the size per file in MiB, `memory_mb` the memory of the machine in MiB.
pub(crate) fn tiobench(
    global: &JobSpec,
    size_mib: Option<u64>,
    memory_mb: u64,
) -> Vec<(&'static str, String)> {
    let number = |field: Option<i64>, default: i64| field.filter(|n| *n > 0).unwrap_or(default).to_string();
    // fio's own default: as many pages of 4 KiB as the machine has MiB of memory.
    let size = size_mib.map_or(memory_mb.saturating_mul(4096), |mib| mib << 20);
    let mut words = vec![
        ("buffered", "0".to_owned()),
        ("size", size.to_string()),
        ("bs", number(global.block_of_profile, 4096)),
        ("loops", number(global.numruns, 1)),
        ("directory", global.dir.clone().unwrap_or_else(|| "./".into())),
        ("numjobs", number(global.threads, 1)),
        ("runtime", "600".into()),
        ("overwrite", "1".into()),
        ("filename", ".fio.tio.1:.fio.tio.2:.fio.tio.3:.fio.tio.4".into()),
        ("ioengine", "sync".into()),
    ];
    for (job, rw) in
        [("seqwrite", "write"), ("randwrite", "randwrite"), ("seqread", "read"), ("randread", "randread")]
    {
        words.extend([("name", job.to_owned()), ("rw", rw.to_owned()), ("stonewall", "1".to_owned())]);
        if rw.ends_with("write") {
            words.push(("end_fsync", "1".into()));
        }
    }
    words
}
