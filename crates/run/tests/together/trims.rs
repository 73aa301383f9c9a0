//! Trims of several ranges (`num_range`) on a simulated device.

use job::files::NoFiles;
use job::{Dialect, Parsed};
use run::consent::Policy;
use run::prepare::Host;
use run::{Silent, run};

/// Returns the number of trims of a job of 256 blocks of 4 KiB, their bytes, and the runtime in milliseconds.
fn trims(options: &str) -> (u64, u64, u64) {
    let args = format!(
        "--name=a --ioengine=model --model_law=constant:1ms --rw=randtrim --bs=4k --size=1m {options}"
    );
    let args: Vec<_> = args.split_whitespace().map(Into::into).collect();
    let line = match job::command_line(&args, "fio", Dialect::Fio, &mut NoFiles) {
        Ok(Parsed::Run(line)) => line,
        other => panic!("{other:?}"),
    };
    let result =
        run(&job::plan(line.jobs, &mut Host).unwrap(), &crate::plans::setup(Policy::Own), &mut Silent)
            .unwrap();
    let [_, _, trims] = &result.jobs[0].directions;
    assert_eq!(result.jobs[0].error, None, "{options}");
    (trims.ios, trims.bytes, trims.runtime_ms)
}

/// A trim of n ranges is one I/O of n blocks and takes the time of one.
#[test]
fn trims_of_ranges_are_one_io_each_of_all_bytes() {
    assert_eq!(trims(""), (256, 1 << 20, 256));
    assert_eq!(trims("--num_range=16"), (16, 1 << 20, 16));
    // 36 trims of 7 ranges and one of 4, in each pass.
    assert_eq!(trims("--num_range=7 --loops=2"), (74, 2 << 20, 74));
    assert_eq!(trims("--num_range=256"), (1, 1 << 20, 1));
    assert_eq!(trims("--num_range=8 --number_ios=5"), (5, 5 * 8 * 4096, 5));
    assert_eq!(trims("--num_range=8 --io_size=64k"), (2, 65536, 2));
    // A rate in IOPS is one of trims.
    assert_eq!(trims("--num_range=8 --rate_iops=,,100"), (32, 1 << 20, 320));
    assert_eq!(trims("--num_range=4 --time_based --runtime=50ms").0, 50);
    assert_eq!(trims("--num_range=4 --time_based --runtime=50ms --ramp_time=50ms").0, 50);
}
