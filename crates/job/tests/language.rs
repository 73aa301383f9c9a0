//! The language: sections, globals, groups, mending, echo, notes, speed; the corpus of the fuzz targets replayed.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on should stop")]

mod common;
#[path = "common/ours.rs"]
mod ours;
#[path = "common/whatever.rs"]
mod whatever;
use common::{Memory, file, parse, run, words};
use job::job::*;
use job::{Dialect, Parsed, command_line};
use ours::ours;
use proptest::prelude::*;
use stats::note::NoteFact;
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::Path;
use std::time::Duration;

#[test]
fn defaults_are_fios() {
    let job = &run("--name=a", &mut Memory::default()).jobs[0];
    assert_eq!((job.numjobs, job.group, job.stonewall), (1, 0, false));
    assert_eq!(job.engine, EngineChoice::Psync);
    assert_eq!(job.pattern.block, [(4096, 4096); 3]);
    assert_eq!(
        (job.pattern.mix, job.pattern.order, job.pattern.random_map, job.pattern.seed),
        (Mix::Read, Order::Sequential { skip: 0 }, false, 0x89)
    );
    assert_eq!(job.queue, Queue { iodepth: 1, effective: 1, serialize: false, batch: None });
    assert_eq!(
        job.limits,
        Limits {
            max_latency: [None; 3],
            runtime: None,
            time_based: false,
            ramp_time: 0,
            ramp_size: None,
            startdelay: 0,
            startdelay_most: 0,
            loops: 1,
            number_ios: None
        }
    );
    assert_eq!(job.payload, PayloadSpec::NOISE);
    let t = &job.target;
    assert!(
        t.invalidate
            && t.overwrite
            && t.fadvise == Fadvise::Pattern
            && t.allow_file_create
            && t.create_fsync
            && !t.direct
            && !t.unlink
    );
    assert_eq!(
        (t.fallocate, t.file_service.clone(), t.nrfiles, t.openfiles),
        (Fallocate::Native, FileService::RoundRobin(1), 1, None)
    );
    assert_eq!(job.measure.shown.percentiles.len(), 17);
    assert!(
        !job.measure.shown.slat && job.measure.shown.clat_percentiles && !job.measure.shown.lat_percentiles
    );
    assert_eq!(job.options, [("name".to_owned(), "a".to_owned())]);
}

#[test]
fn options_reach_the_job() {
    let job = |line: &str| run(&format!("--name=a --size=1m {line}"), &mut Memory::default()).jobs.remove(0);
    assert_eq!(job("--rw=randrw:8 --rwmixwrite=30").pattern.mix, Mix::ReadWrite { reads: 70 });
    assert_eq!(job("--rw=randrw:8").pattern.order, Order::Random { run: 8 });
    assert_eq!(job("--rw=write:-8k").pattern.order, Order::Sequential { skip: -8192 });
    assert_eq!(job("--rw=readwrite").pattern.rw, "rw");
    assert_eq!(job("--bs=8k,16k,").pattern.block, [(8192, 8192), (16384, 16384), (4096, 4096)]);
    assert_eq!(job("--bs=8k --bsrange=,1k-2k").pattern.block, [(8192, 8192), (1024, 2048), (1024, 2048)]);
    assert_eq!(job("--bs=4k-8k").pattern.block, [(4096, 4096), (8192, 8192), (8192, 8192)]);
    assert!(job("--buffered=0").target.direct);
    assert!(!job("--direct=1 --buffered=1").target.direct);
    assert_eq!(job("--kb_base=1000 --bs=1k").pattern.block[0], (1000, 1000));
    // As it stands where a size is typed, also in a list that is read again later.
    let split = |options: &str| job(options).pattern.sizes.split[0].clone();
    assert_eq!(split("--bssplit=4k/60:16k/40 --kb_base=1000"), [(16384, 40), (4096, 60)]);
    assert_eq!(split("--kb_base=1000 --bssplit=4k/60:16k/40"), [(16000, 40), (4000, 60)]);
    assert_eq!(
        job("--ioengine=libaio --iodepth=8 --iodepth_batch=0 --iodepth_low=9").queue.batch,
        Some(Batch { submit: 8, complete_min: 1, complete_max: 1, low: 8 })
    );
    assert_eq!(
        job("--ioengine=io_uring --iodepth=8 --iodepth_batch_complete=4 --iodepth_batch_complete_max=2")
            .queue
            .batch,
        Some(Batch { submit: 1, complete_min: 4, complete_max: 4, low: 8 })
    );
    let sync = job("--iodepth=8");
    assert_eq!((sync.queue.iodepth, sync.queue.effective), (8, 1));
    assert!(sync.notes.iter().any(|note| note.fact == NoteFact::DepthOfOne));
    assert_eq!(job("--runtime=2m").limits.runtime.map(NonZeroU64::get), Some(120_000_000_000));
    let made = |args: &str| {
        let payload = job(args).payload;
        (payload.percent, payload.renewal, payload.pattern)
    };
    assert_eq!(made("--buffer_compress_percentage=30"), (30, Renewal::Refill, vec![]));
    assert_eq!(made("--buffer_compress_percentage=30 --refill_buffers=0"), (30, Renewal::Never, vec![]));
    assert_eq!(made("--buffer_compress_percentage=30 --zero_buffers"), (30, Renewal::Refill, vec![]));
    assert_eq!(made("--buffer_compress_percentage=100").0, 100);
    assert_eq!(made("--zero_buffers"), (100, Renewal::Never, vec![]));
    assert_eq!(made("--scramble_buffers=1 --zero_buffers"), (100, Renewal::Scramble, vec![]));
    assert_eq!(made("--refill_buffers"), (0, Renewal::Refill, vec![]));
    let ab = vec![0xab];
    assert_eq!(made("--buffer_pattern=0xab"), (100, Renewal::Never, ab.clone()));
    assert_eq!(made("--scramble_buffers=1 --buffer_pattern=0xab"), (100, Renewal::Never, ab.clone()));
    assert_eq!(made("--buffer_pattern=0xab --scramble_buffers=1"), (100, Renewal::Scramble, ab.clone()));
    assert_eq!(made("--buffer_compress_percentage=30 --buffer_pattern=0xab"), (30, Renewal::Refill, ab));
    let errnos = |args: &str| job(args).tolerance.errnos;
    let usual = Some(vec![5, 84]);
    assert_eq!(errnos("--continue_on_error=write"), [None, usual.clone(), None]);
    assert_eq!(errnos("--continue_on_error=1"), [usual.clone(), usual.clone(), usual.clone()]);
    assert_eq!(errnos("--ignore_error=EIO:28,,5x"), [Some(vec![5, 28]), None, Some(vec![5])]);
    assert_eq!(errnos("--continue_on_error=io --ignore_error=ENOSPC"), [Some(vec![28]), usual, None]);
    assert_eq!(errnos("--ignore_error=ENOSPC --continue_on_error=none"), [None, None, None]);
    let reduced = job("--gtod_reduce=1").measure;
    assert!(
        !reduced.slat && !reduced.clat && !reduced.lat && !reduced.samples && !reduced.shown.clat_percentiles
    );
    assert_eq!(job("--ioengine=null --null_jitter=1").engine, EngineChoice::Null { jitter: true });
    let law = ServiceLaw::Mixture(vec![(900_000, 10_000_000), (100_000, 100_000_000)]);
    assert_eq!(
        job("--ioengine=model --model_servers=8 --model_law=mixture:90/10ms:10/100ms").engine,
        EngineChoice::Model(ModelSpec { servers: 8, law, ..ModelSpec::default() })
    );
    assert_eq!(
        job("--ioengine=model --model_law=uniform:1ms-2ms").engine,
        EngineChoice::Model(ModelSpec {
            law: ServiceLaw::Uniform(1_000_000, 2_000_000),
            ..ModelSpec::default()
        })
    );
    assert_eq!(
        job("--ioengine=model --model_iops=500 --model_bw=32m --model_transfer=200m --model_burst=5000:100 --model_cache=1g:200m --model_cliff=10g:2.5 --model_drift=0.5 --model_step=60:0.4 --model_stall=5:200ms --model_disk=16ms:8300us --model_cpu=2us --model_cores=2 --model_contention=1 --model_hit=30:20000").engine,
        EngineChoice::Model(ModelSpec {
            iops: NonZeroU64::new(500),
            bandwidth: NonZeroU64::new(32 << 20),
            transfer: NonZeroU64::new(200 << 20),
            burst: Some(Burst { ios: 5000, base: 100 }),
            cache: Some(WriteCache { bytes: 1 << 30, drain: 200 << 20, nanos: 50_000 }),
            cliff: Some((10 << 30, 2.5)),
            drift: 0.5,
            step: Some(Box::new((60_000_000_000, 0.4))),
            stall: Some((5_000_000_000, 200_000_000)),
            disk: Some(DiskSpec { seek: 16_000_000, rotation: 8_300_000, queue: 32, size: None }),
            cpu: 2000,
            cores: std::num::NonZeroU32::new(2),
            contention: 1.0,
            hit: Some(Box::new((30.0, 20_000))),
            ..ModelSpec::default()
        })
    );
    assert_eq!(
        job("--ioengine=model --model_surface=200m:100m:8:1ms --model_slc=1g:1g:100m --model_read_cache=1m")
            .engine,
        EngineChoice::Model(ModelSpec {
            surface: Some(Box::new(SurfaceSpec {
                rates: [200 << 20, 100 << 20],
                zones: 8,
                settle: 1_000_000
            })),
            slc: Some(Box::new(SlcSpec { bytes: 1 << 30, rates: [1 << 30, 100 << 20, 100 << 20] })),
            read_cache: Some(Box::new(ReadCacheSpec { bytes: 1 << 20, nanos: 50_000, line: 4096 })),
            ..ModelSpec::default()
        })
    );
    let EngineChoice::Model(spec) =
        job("--ioengine=model --kb_base=1000 --model_disk=1:2:1:1t --model_cache=1k:1:7").engine
    else {
        panic!("another engine");
    };
    assert_eq!(
        spec.disk,
        Some(DiskSpec { seek: 1, rotation: 2, queue: 1, size: NonZeroU64::new(1_000_000_000_000) })
    );
    assert_eq!(spec.cache, Some(WriteCache { bytes: 1000, drain: 1, nanos: 7 }));
    // A number with something behind it is read as fio reads it, and the report says so.
    assert_eq!(
        job("--iodepth=1x").notes[0].fact,
        NoteFact::NumberEnds { place: None, typed: "iodepth=1x".into(), value: "1".into(), rest: "x".into() }
    );
}

#[test]
fn sections_globals_and_groups() {
    let command = file(
        "[global]\nbs=8k\nthread\nsize=1m\n[a]\nrw=read\n[global]\nbs=16k\n[globalx]\niodepth=4\n[b]\nstonewall\nrw=write\n[c]\nnew_group\nname=d\n",
    );
    let of = |f: fn(&Job) -> String| command.jobs.iter().map(f).collect::<Vec<_>>();
    assert_eq!(
        of(|job| format!("{} g{} {} {}", job.name, job.group, job.stonewall, job.pattern.block[0].0)),
        ["a g0 false 8192", "b g1 true 16384", "d g2 false 16384"]
    );
    assert_eq!(command.jobs[1].queue.iodepth, 4);
    let text = |list: &[(String, String)]| {
        list.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(text(&command.global_options), "bs=8k thread= size=1m bs=16k iodepth=4");
    assert_eq!(text(&command.jobs[1].options), "stonewall= rw=write");

    let mut memory = Memory::with("a.fio", "[a]\nsize=1m\n[b]\nsize=1m\n");
    memory.files.insert("c.fio".into(), b"[c]\nsize=1m\n[d]\nsize=1m\n".to_vec());
    let command = run("--bs=2k --name=z --size=1m --readwrite=read a.fio c.fio", &mut memory);
    let seen: Vec<_> = command
        .jobs
        .iter()
        .map(|job| (job.name.as_str(), job.group, job.stonewall, job.pattern.block[0].0))
        .collect();
    // Options before the first --name hold for the first file only; a further file waits, in a group of its own.
    assert_eq!(
        seen,
        [
            ("z", 0, false, 2048),
            ("a", 0, false, 2048),
            ("b", 0, false, 2048),
            ("c", 1, true, 4096),
            ("d", 1, false, 4096)
        ]
    );
    assert_eq!(text(&command.jobs[0].options), "name=z size=1m rw=read");
    assert_eq!(run("--section=b a.fio c.fio", &mut memory).jobs.len(), 1);
}

/// Seen with fio 3.33: `--name=global` is no job.
#[test]
fn options_after_name_global_are_defaults_of_the_next_jobs() {
    let words =
        "--name=x --size=1m --name=global --rw=write --bs=64k --name=global --bs=8k --name=y --size=2m";
    let run = run(words, &mut Memory::default());
    let read: Vec<_> = run.jobs.iter().map(|job| format!("{} {:?}", job.name, job.pattern.mix)).collect();
    assert_eq!(read, ["x Read", "y Write"]);
    let shared = [("name", "global"), ("rw", "write"), ("bs", "64k"), ("bs", "8k")];
    assert!(
        shared
            .iter()
            .all(|(name, value)| run.global_options.contains(&(name.to_string(), value.to_string())))
    );
}

#[test]
fn includes_variables_and_keywords() {
    let mut memory =
        Memory::with("dir/j.fio", "[a]\ninclude part.inc\nsize=${SIZE}m\nbs=$pagesize\niodepth=$ncpus*2\n");
    memory.files.insert("dir/part.inc".into(), b"rw=randwrite\ninclude other.inc\n".to_vec());
    memory.files.insert("other.inc".into(), b"direct=1\n".to_vec());
    memory.env.insert("SIZE".into(), "7".into());
    let job = run("dir/j.fio", &mut memory).jobs.remove(0);
    assert_eq!(
        (
            job.pattern.rw.as_str(),
            job.target.direct,
            job.target.size,
            job.pattern.block[0].0,
            job.queue.iodepth
        ),
        ("randwrite", true, Some(Size::Bytes(7 << 20)), 4096, 8)
    );
    memory.files.insert("other.inc".into(), b"include other.inc\n".to_vec());
    let seen = ours(&["dir/j.fio".into()], &mut memory, Path::new("/"));
    assert!(seen.code == 1 && seen.stderr.contains("files deep"), "{seen:?}");
    memory.files.insert("other.inc".into(), b"bs=0\n".to_vec());
    let seen = ours(&["dir/j.fio".into()], &mut memory, Path::new("/"));
    assert!(seen.stderr.contains("other.inc:1: bs=0: must be at least 1\n"), "{seen:?}");
}

/// As printed in seed 002 the commands fail as with fio, and say what was meant; that, typed, runs.
#[test]
fn printed_commands_are_mended() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/argv");
    let mut mended = 0;
    for entry in std::fs::read_dir(corpus).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("seed") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let args: Vec<OsString> = text.lines().map(OsString::from).collect();
        match parse(&args, &mut Memory::default()) {
            Ok(Parsed::Run(_)) => assert!(!name.starts_with("seed002"), "{name}"),
            Err(error) if name.starts_with("seed002") => {
                assert_eq!(error.code, 1);
                let stderr = ours(&args, &mut Memory::default(), Path::new("/")).stderr;
                assert!(stderr.starts_with("fio: option direct requires an argument\n"), "{stderr}");
                let said = stderr.lines().last().unwrap();
                let line = said.strip_prefix("did you mean: fio ").unwrap_or_else(|| panic!("{said}"));
                assert!(
                    line.starts_with("-direct=1 -iodepth=")
                        && !line.contains('*')
                        && line.contains(" -ioengine=libaio "),
                    "{line}"
                );
                let job = run(line, &mut Memory::default()).jobs.remove(0);
                assert!(
                    job.target.direct
                        && job.engine == EngineChoice::Libaio(Default::default())
                        && job.target.filenames == [Path::new("/opt/fiotest/fiotest.txt")]
                );
                mended += 1;
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert_eq!(mended, 5);
    let stray = ours(&words("--name=a --size=4k --thread 1"), &mut Memory::default(), Path::new("/"));
    assert!(stray.stderr.ends_with("did you mean: fio --name=a --size=4k --thread=1\n"), "{}", stray.stderr);
}

/// `fathom run` makes one job per target of the command line, unless an option says how one job serves its files; they
/// start together. fio's command line and job files keep fio's meaning.
#[test]
fn several_targets_are_jobs_of_fathom_run() {
    let read = |dialect, line: &str| {
        let mut files = Memory::with("j", "[a]\nfilename=x:y\nrw=read\nsize=1m\n");
        let Ok(Parsed::Run(command)) = command_line(&words(line), "fathom", dialect, &mut files) else {
            panic!("{line}")
        };
        let paths = |job: &Job| job.target.filenames.iter().map(|path| path.display().to_string()).collect();
        let jobs = command.jobs.iter().map(|job| (job.name.clone(), paths(job)));
        let jobs: Vec<(String, Vec<String>)> = jobs.collect();
        let text: Vec<String> =
            jobs.iter().map(|(name, files)| format!("{name}={}", files.join("+"))).collect();
        (text.join(" "), command.jobs.iter().map(|job| job.stonewall).collect::<Vec<_>>())
    };
    for (line, expected) in [
        ("--name=a --size=1m --filename=x:y", "a-x=x a-y=y"),
        ("--name=a --size=1m --filename=d/x:e/x", "a-d/x=d/x a-e/x=e/x"),
        ("--name=a --size=1m --filename=x\\:y", "a=x:y"),
        ("--name=a --size=1m --filename=x:x", "a=x+x"),
        ("--name=a --size=1m --filename=x:y --file_service_type=random", "a=x+y"),
        ("--name=a --size=1m --filename=x:y --nrfiles=2", "a=x+y"),
        ("--size=1m dev/sda dev/sdb", "sda=dev/sda sdb=dev/sdb"),
        ("--size=1m dev/sda", "sda=dev/sda"),
        ("--name=a --size=1m dev/sda dev/sdb --rw=randread", "a-sda=dev/sda a-sdb=dev/sdb"),
        ("--name=a --size=1m --filename=x -- dev/sda", "a-x=x a-sda=dev/sda"),
        ("j", "a=x+y"),
    ] {
        assert_eq!(read(Dialect::Run, line).0, expected, "{line}");
    }
    let late = "--name=a --size=1m --filename=z --name=b --stonewall --size=1m --filename=x:y";
    assert_eq!(read(Dialect::Run, late), ("a=z b-x=x b-y=y".into(), vec![false, true, false]));
    assert_eq!(read(Dialect::Fio, "--name=a --size=1m --filename=x:y").0, "a=x+y");
}

#[test]
fn version_is_fios_under_its_name() {
    let print = |dialect| match command_line(&["--version".into()], "fio", dialect, &mut Memory::default()) {
        Ok(Parsed::Print { stdout, code: 0, .. }) => stdout,
        other => panic!("{other:?}"),
    };
    assert_eq!(print(Dialect::Fio), "fio-3.33\n");
    assert_eq!(print(Dialect::Run), "fathom 0.1.0\n");
}

#[test]
fn messages_name_file_line_option_and_what_is_right() {
    for (text, line) in [
        ("[a]\nsize=4k\niodepth=0\n", "j.fio:3: iodepth=0: must be at least 1"),
        (
            "[a]\nrw=randraed\n",
            "j.fio:2: rw=randraed: must be one of read, write, trim, randread, randwrite, randtrim, rw, readwrite, randrw, trimwrite, randtrimwrite; did you mean randread?",
        ),
        ("[a]\n\nsize=4x%\nsize=101%\n", "j.fio:4: size=101%: percent must be 1 to 100"),
        ("[a]\nioengine=rbd\n", "job a: pool: the engine needs pool=, e.g. pool=rbd"),
        (
            "[a]\nioengine=model\nmodel_law=constant:1.5ms\n",
            "j.fio:3: model_law=constant:1.5ms: must be constant:T, uniform:A-B, exponential:MEAN or mixture:PERCENT/T:PERCENT/T:..., e.g. mixture:90/10ms:10/100ms",
        ),
        (
            "[a]\nioengine=model\nmodel_burst=0:100\n",
            "j.fio:3: model_burst=0:100: must be IOS:IOS_PER_SECOND, both at least 1, e.g. 5000:100",
        ),
        (
            "[a]\nioengine=model\nmodel_cache=1g\n",
            "j.fio:3: model_cache=1g: must be BYTES:BYTES_PER_SECOND or BYTES:BYTES_PER_SECOND:TIME, e.g. 1g:200m:50us",
        ),
        (
            "[a]\nioengine=model\nmodel_cliff=1g:0\n",
            "j.fio:3: model_cliff=1g:0: must be BYTES:FACTOR, the factor above 0 and at most 1000000, e.g. 10g:4",
        ),
        (
            "[a]\nioengine=model\nmodel_stall=1s:1s\n",
            "j.fio:3: model_stall=1s:1s: must be EVERY:FOR, the second shorter than the first, e.g. 5s:200ms",
        ),
        (
            "[a]\nioengine=model\nmodel_disk=16ms\n",
            "j.fio:3: model_disk=16ms: must be FULL_SEEK:ROTATION, behind them QUEUE and BYTES if wanted, e.g. 16ms:8300us:32:1t",
        ),
        (
            "[a]\nioengine=model\nmodel_disk=1:2:3:4:5\n",
            "j.fio:3: model_disk=1:2:3:4:5: must be FULL_SEEK:ROTATION, behind them QUEUE and BYTES if wanted, e.g. 16ms:8300us:32:1t",
        ),
        (
            "[a]\nioengine=model\nmodel_hit=101:1us\n",
            "j.fio:3: model_hit=101:1us: must be PERCENT:TIME, e.g. 30:20us",
        ),
        ("[a]\nioengine=model\nmodel_drift=-1\n", "j.fio:3: model_drift=-1: each must be at least 0"),
        (
            "[a]\nioengine=model\nmodel_disk=1:1\nmodel_servers=2\nsize=4k\n",
            "j.fio:4: model_servers=2: must be 1 with model_disk, which has one head",
        ),
        ("[a]\nsprandom=1\n", "j.fio:2: sprandom=1: needs rw=randwrite"),
        (
            "[a]\nrw=randwrite\nsprandom=1\nrandom_generator=tausworthe\n",
            "j.fio:4: random_generator=tausworthe: must be lfsr with sprandom",
        ),
        ("[a]\nrw=randwrite\nsprandom=1\nspr_op=1\n", "j.fio:4: spr_op=1: must be above 0 and below 1"),
        (
            "[a]\nrw=randwrite\nsprandom=1\nbssplit=4k/50:8k\n",
            "j.fio:3: sprandom=1: needs one block size, e.g. bs=4k",
        ),
        ("[a]\nrw=randwrite\nsprandom=1\nfilename=a:b\n", "j.fio:3: sprandom=1: needs one file or device"),
        (
            "[a]\nioengine=model\nmodel_ftl=0.15:64:4k:1\n",
            "j.fio:3: model_ftl=0.15:64:4k:1: must be OP[:PAGES[:PAGE]], with OP from 0 to 10 and PAGE at least 512, e.g. 0.15:256:4k",
        ),
        (
            "[a]\nioengine=model\nmodel_surface=200m\n",
            "j.fio:3: model_surface=200m: must be OUTER:INNER[:ZONES[:SETTLE]], e.g. 250m:120m:16:1ms",
        ),
        (
            "[a]\nioengine=model\nmodel_slc=1g:1g\n",
            "j.fio:3: model_slc=1g:1g: must be BYTES:FAST:FOLDING[:RECOVERY], e.g. 40g:4g:1g:500m",
        ),
        (
            "[a]\nioengine=model\nmodel_read_cache=x\n",
            "j.fio:3: model_read_cache=x: must be BYTES[:TIME[:LINE]], e.g. 64m:60us:4k",
        ),
        (
            "[a]\nioengine=model\nmodel_ftl_times=1:2:3:4\n",
            "j.fio:3: model_ftl_times=1:2:3:4: must be PROGRAM[:READ[:ERASE]], e.g. 500us:50us:3ms",
        ),
        (
            "[a]\nioengine=io_uring_cmd\nwrite_mode=append\n",
            "j.fio:3: write_mode=append: must be one of write, uncor, zeroes, verify, zone_append",
        ),
        (
            "[a]\nioengine=io_uring_cmd\nwrite_mode=write/50:zeroes/60\n",
            "j.fio:3: write_mode=write/50:zeroes/60: percentages of write commands must add up to 100, e.g. write/70:zone_append/30",
        ),
        (
            "[a]\nioengine=io_uring_cmd\nrw=write\nwrite_mode=write/50:zone_append/50\n",
            "j.fio:4: write_mode=write/50:zone_append/50: Zone Append needs zonemode=zbd",
        ),
        (
            "[a]\nrw=write\nzonemode=zbd\nrecover_zbd_write_error=1\ncontinue_on_error=read\n",
            "j.fio:4: recover_zbd_write_error=1: needs continue_on_error for writes, e.g. continue_on_error=write",
        ),
        (
            "[a]\nrw=write\nzonemode=zbd\nrecover_zbd_write_error=1\ncontinue_on_error=all\nverify=crc32c\n",
            "j.fio:4: recover_zbd_write_error=1: cannot be combined with verify",
        ),
        (
            "[a]\nioengine=io_uring_cmd\ncmd_type=bsg\n",
            "j.fio:3: cmd_type=bsg: needs io_uring commands on bsg nodes (no Linux up to 6.18 has them), which fathom does not use; must be one of nvme",
        ),
        ("[a]\nbs=4k,foo\n", "j.fio:2: bs=4k,foo: not a number; right would be e.g. 16k"),
        ("[a]\niodepth=70000\nioengine=libaio\n", "j.fio:2: iodepth=70000: must be at most 65535"),
        ("[a]\nnumjobs=1m\n", "j.fio:2: numjobs=1m: must be at most 65536"),
        ("[a]\nbs=64k\nsize=4k\n", "j.fio:3: size=4k: must be at least one block (65536 bytes)"),
        (
            "[a]\nfixedbufs\n",
            "j.fio:2: fixedbufs belongs to ioengine=io_uring or io_uring_cmd, which must be set first",
        ),
        ("size=4k\n[a]\n", "j.fio:1: size=4k: must follow a line like [global] or [jobname]"),
        ("[a]\niodepht=1\n", "j.fio:2: iodepht: no option has this name"),
    ] {
        let seen = ours(&["j.fio".into()], &mut Memory::with("j.fio", text), Path::new("/"));
        assert!(
            seen.code == 1 && seen.stderr.lines().any(|l| l == line),
            "{text:?}: wanted {line}\n{}",
            seen.stderr
        );
    }
}

#[test]
fn measures_ten_thousand_jobs_are_read_in_no_time() {
    let mut text =
        String::from("[global]\nioengine=null\nsize=4k\nrw=randread\nbs=4k\niodepth=32\nruntime=10\n");
    for n in 0..10_000 {
        text += &format!("[job{n}]\nfilename=/tmp/f{n}\noffset={n}k\n");
    }
    let mut memory = Memory::with("j.fio", &text);
    // Time on the processor: the machine may be busy with other things.
    let spent = || -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    };
    let best = (0..3).map(|_| {
        let start = spent();
        assert_eq!(run("j.fio", &mut memory).jobs.len(), 10_000);
        Duration::from_nanos(spent() - start)
    });
    let best = best.min().unwrap();
    assert!(best < Duration::from_millis(200), "{best:?}");
}

#[test]
fn the_corpus_is_harmless() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (kind, check) in [("job_file", whatever::job_file as fn(&[u8])), ("argv", whatever::argv)] {
        let mut replayed = 0;
        for entry in std::fs::read_dir(corpus.join(kind)).unwrap() {
            check(&std::fs::read(entry.unwrap().path()).unwrap());
            replayed += 1;
        }
        assert!(replayed >= 60, "{kind}: only {replayed} inputs");
    }
}

/// An option that can be typed on either side without changing what the others mean.
fn option() -> impl Strategy<Value = String> {
    prop_oneof![
        (1u32..70).prop_map(|n| format!("iodepth={n}")),
        (0u32..20).prop_map(|n| format!("bs={}", 512u32 << (n % 12))),
        prop::sample::select(vec![
            "rw=read",
            "rw=randrw:8",
            "rw=write:4k",
            "rw=randwrite",
            "readwrite=rw",
            "direct=1",
            "buffered=1",
            "thread",
            "group_reporting",
            "norandommap=0",
            "sync=dsync",
            "invalidate=0",
            "kb_base=1000",
            "unit_base=1",
            "gtod_reduce=1",
            "zero_buffers",
            "stonewall",
            "percentile_list=50:99",
            "description=some text",
            "filename=/tmp/x:/tmp/y",
            "ioengine=libaio",
            "ioengine=io_uring",
            "ioengine=null",
            "time_based",
            "continue_on_error=io",
            "file_service_type=random:4",
            "startdelay=2"
        ])
        .prop_map(str::to_owned),
        (1u64..1 << 40).prop_map(|n| format!("size={}", n.max(1 << 20))),
        (0u64..100).prop_map(|n| format!("offset={n}%")),
        (0u64..100_000).prop_map(|n| format!("runtime={n}ms")),
        (0u64..1000).prop_map(|n| format!("randseed={n}")),
        (1u64..9).prop_map(|n| format!("numjobs={n}")),
        (0u64..101).prop_map(|n| format!("rwmixread={n}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// `--showcmd` of a file, typed as a command line, is the same jobs.
    #[test]
    fn showcmd_says_the_same(globals in prop::collection::vec(option(), 0..4), jobs in prop::collection::vec(prop::collection::vec(option(), 0..8), 1..4)) {
        let mut text = format!("[global]\nsize=16m\n{}\n", globals.join("\n"));
        for (n, options) in jobs.iter().enumerate() {
            text += &format!("[job{n}]\n{}\n", options.join("\n"));
        }
        let mut memory = Memory::with("j.fio", &text);
        let shown = match parse(&words("--showcmd j.fio"), &mut memory) {
            Ok(Parsed::Print { stdout, code: 0, .. }) => stdout,
            other => panic!("{text}: {other:?}"),
        };
        // A description is the one value that is quoted.
        let line = shown.strip_prefix("fio ").unwrap().replace("\"some text\"", "some\u{a0}text");
        let args: Vec<OsString> = line.split_ascii_whitespace().map(|word| OsString::from(word.replace('\u{a0}', " "))).collect();
        let typed = parse(&args, &mut memory);
        let filed = parse(&words("j.fio"), &mut memory);
        match (filed, typed) {
            (Ok(Parsed::Run(filed)), Ok(Parsed::Run(typed))) => {
                let bare = |mut job: Job| { job.options.retain(|(name, _)| name != "name"); job.notes.clear(); job };
                let (filed, typed): (Vec<Job>, Vec<Job>) = (filed.jobs.into_iter().map(bare).collect(), typed.jobs.into_iter().map(bare).collect());
                prop_assert_eq!(filed, typed);
            }
            (Err(filed), Err(typed)) => prop_assert_eq!(filed.code, typed.code),
            other => prop_assert!(false, "{} {:?}", text, other),
        }
    }

    #[test]
    fn any_text_is_harmless(text in "(\\[[a-z]{0,3}\\]?|[a-z_]{1,8}|=|[0-9]{1,20}|[%:,kmgx.-]|\\$\\{?[a-z]*\\}?|\n| |#|include|\\PC){0,60}") {
        whatever::job_file(text.as_bytes());
        whatever::argv(text.as_bytes());
    }
}
