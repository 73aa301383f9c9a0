//! Plans made by hand, so that these tests do not lean on the parser.
#![allow(dead_code)]

use facts::SysRoot;
use job::job::*;
use job::plan::{FileKind, Inspect, Layout, Plan, PlannedFile, PlannedJob};
use run::Setup;
use run::consent::{Consent, Policy};
use run::prepare::Host;
use std::path::Path;
use std::time::Duration;

/// A psync job of 4k blocks with fio's defaults.
pub fn job(name: &str, mix: Mix) -> Job {
    Job {
        name: name.into(),
        description: None,
        numjobs: 1,
        group: 0,
        stonewall: false,
        ties: Ties::default(),
        target: Target {
            directories: Vec::new(),
            filenames: Vec::new(),
            found: Vec::new(),
            empty: Vec::new(),
            kind: None,
            filename_format: "$jobname.$jobnum.$filenum".into(),
            nrfiles: 1,
            openfiles: 0,
            filesize: None,
            size: None,
            io_size: None,
            offset: Size::Bytes(0),
            offset_align: 0,
            offset_increment: Size::Bytes(0),
            direct: false,
            sync: SyncMode::None,
            invalidate: true,
            fallocate: Fallocate::Native,
            overwrite: false,
            fadvise: Fadvise::Pattern,
            pre_read: false,
            write_hint: None,
            append: false,
            fill: false,
            mounted: false,
            file_service: FileService::RoundRobin(1),
            lock: Lock::None,
            allow_file_create: true,
            create_only: false,
            serial: true,
            create_on_open: false,
            create_fsync: true,
            unlink: false,
            unlink_each_loop: false,
            readonly: false,
        },
        engine: EngineChoice::Psync,
        pattern: PatternSpec {
            rw: "x".into(),
            mix,
            order: Order::Sequential { skip: 0 },
            block: [(4096, 4096); 3],
            sizes: Default::default(),
            places: Default::default(),
            random_map: true,
            seed: 1,
        },
        queue: Queue { iodepth: 1, effective: 1, serialize: false, batch: None },
        rate: None,
        limits: Limits {
            max_latency: [0; 3],
            runtime: 0,
            time_based: false,
            ramp_time: 0,
            ramp_size: 0,
            startdelay: 0,
            startdelay_most: 0,
            loops: 1,
            number_ios: 0,
        },
        priorities: [Vec::new(), Vec::new()],
        memory: MemorySpec::default(),
        payload: PayloadSpec::NOISE,
        durability: Durability {
            fsync: 0,
            fdatasync: 0,
            range: 0,
            range_flags: 0,
            end_fsync: false,
            end_syncfs: false,
            fsync_on_close: false,
        },
        measure: Measure {
            clock: ClockSource::default(),
            slat: false,
            clat: true,
            lat: true,
            samples: true,
            disks: true,
            start_clock: None,
            bw_period: 500_000_000,
            iops_period: 500_000_000,
            shown: stats::Shown {
                slat: false,
                clat: true,
                lat: true,
                ranges: true,
                samples: true,
                slat_percentiles: false,
                clat_percentiles: true,
                lat_percentiles: false,
                percentiles: vec![99.0],
                group_reporting: false,
                kb_base: 1024,
                unit_base: 8,
                significant_figures: 4,
                errors: false,
                unified: stats::Unified::None,
            },
        },
        tolerance: Tolerance::default(),
        host: HostSpec::default(),
        options: Vec::new(),
        notes: Vec::new(),
    }
}

/// A file of `size` bytes with the layout that fio's rules give it.
pub fn file(job: &Job, path: &Path, size: u64) -> PlannedFile {
    let look = Host.inspect(path).unwrap();
    let layout = match look.kind {
        FileKind::Regular if look.size >= size && look.exists => Layout::Keep,
        FileKind::Regular if job.target.create_on_open => Layout::OnOpen,
        FileKind::Regular if job.pattern.mix.has(stats::Direction::Read) || job.target.overwrite => {
            Layout::Write
        }
        FileKind::Regular => Layout::Reserve,
        _ => Layout::Keep,
    };
    let size = if look.kind == FileKind::Block { look.size } else { size };
    PlannedFile { path: path.into(), kind: look.kind, size, start: 0, length: size, layout }
}

/// One job with one clone on these files.
pub fn plan(job: Job, files: Vec<PlannedFile>) -> Plan {
    let io_bytes = files.iter().map(|f| f.length).sum();
    Plan {
        jobs: vec![job],
        clones: vec![PlannedJob { job: 0, clone: 0, seed: 7, files, io_bytes, lays_out_late: false }],
    }
}

/// What a run needs beside its plan: the machine, fio's rules or ours, and five seconds of patience.
pub fn setup(policy: Policy) -> Setup {
    Setup {
        root: SysRoot::machine(),
        consent: Consent { policy, allow_destroy: Vec::new() },
        interrupt: Default::default(),
        all_histograms: false,
        idleness: false,
        patience: Duration::from_secs(5),
        window: stats::Series::WINDOW,
        models: Default::default(),
    }
}
