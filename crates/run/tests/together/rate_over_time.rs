//! The rate over time of a job on a real file system.

use crate::plans::{file, job, plan, setup};
use job::job::{EngineChoice, Mix, Queue};
use run::Silent;
use run::consent::Policy;
use std::num::NonZeroU64;
use std::time::Duration;
use testbed::fuse::{Faults, FuseDisk, Model, Rule};
use testbed::{Need, skip_without};

/// One I/O completes two seconds after the runtime: the wait for it is in no window but the last, which may end a quarter of its
/// length after the runtime.
#[test]
fn windows_end_with_the_runtime() {
    skip_without!(Need::Fuse);
    let size_bytes = 8 << 20;
    let faults = Faults { hang: Some(Rule::Nth(50)), ..Faults::default() };
    let disk = FuseDisk::new(Model { servers: 8, faults, size_bytes, ..Model::default() }).unwrap();
    let mut reader = job("a", Mix::Read);
    reader.engine = EngineChoice::Libaio(Default::default());
    reader.queue = Queue { iodepth: 4, effective: 4, serialize: false, batch: None };
    (reader.target.direct, reader.limits.time_based) = (true, true);
    reader.limits.runtime = NonZeroU64::new(1_000_000_000);
    let files = vec![file(&reader, disk.path(), size_bytes)];
    let plan = plan(reader, files);
    let result = std::thread::scope(|scope| {
        let ran = scope.spawn(|| run::run(&plan, &setup(Policy::Own), &mut Silent));
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(disk.held(), 1, "the job waits");
        disk.release();
        ran.join().unwrap().unwrap()
    });
    assert!(result.jobs[0].runtime_ms > 2000, "{}", result.jobs[0].runtime_ms);
    let covered_ns: u64 = result.series[0].1.windows.iter().map(|window| window.nanos).sum();
    assert!((900_000_000..=1_012_500_000).contains(&covered_ns), "{covered_ns}");
}
