//! Files and devices of a job.

use super::{MOST_FILES, Refusal, ResolveContext, bounded, chosen, refuse};
use crate::defaults::default_text;
use crate::inspect::FileKind;
use crate::job::*;
use crate::job_fault::JobFault;
use crate::spec::{Chosen, JobSpec};
use crate::{distribution, unit};
use stats::Direction;
use std::num::NonZeroU32;
use std::path::PathBuf;

pub(super) fn target(
    spec: &JobSpec,
    around: &ResolveContext,
    pattern: &PatternSpec,
) -> Result<Target, Refusal> {
    let on = |field: Option<bool>, default: bool| field.unwrap_or(default);
    let paths = |list: &Option<Vec<String>>| list.iter().flatten().map(PathBuf::from).collect::<Vec<_>>();
    let mut filenames = paths(&spec.filename);
    if filenames.iter().any(|path| path.as_os_str() == "-") {
        return Err(refuse(spec, "filename", JobFault::StandardStream));
    }
    let given = |size: Option<Size>| size.filter(|size| !matches!(size, Size::Bytes(0) | Size::Percent(0)));
    let size = given(spec.size);
    let block = pattern.smallest_block();
    if let Some(Size::Bytes(size)) = size.filter(|size| matches!(size, Size::Bytes(n) if *n < block)) {
        return Err(refuse(spec, "size", JobFault::SizeBelowBlock { size, block }));
    }
    let asked = bounded(spec, "nrfiles", spec.nrfiles, 1, MOST_FILES)?;
    // An empty file counts where it is said how large it will be.
    let sized = spec.size.is_some() || spec.filesize.is_some();
    let (full, empty): (Vec<_>, Vec<_>) = spec.found.iter().partition(|(_, size)| sized || *size > 0);
    let mut found: Vec<PathBuf> = full.into_iter().map(|(path, _)| path.clone()).collect();
    let names = filenames.len() + found.len();
    // The later one counts: nrfiles behind the names cuts them short, before them it is overruled.
    let typed = |name: &str| spec.typed.iter().rposition(|typed| typed.name == name);
    let cut = typed("nrfiles") > typed("filename").max(typed("opendir"));
    let nrfiles = match names {
        0 => asked,
        names if cut => asked.min(names as u32),
        names => names as u32,
    };
    filenames.truncate(nrfiles as usize);
    found.truncate(nrfiles as usize - filenames.len());
    let openfiles = bounded(spec, "openfiles", spec.openfiles, 0, i64::from(u32::MAX))?;
    let per_file = |chosen: &Chosen| match chosen.tail.as_deref().map(|n| unit::integer(n, 1024)) {
        Some(Ok(n)) => n.value.clamp(1, i64::from(u32::MAX)) as u32,
        _ => 1,
    };
    // What could not be read was refused where it was typed.
    let law =
        spec.file_service_type.as_ref().and_then(|chosen| distribution::law_of_files(chosen).ok().flatten());
    let file_service = match &spec.file_service_type {
        _ if law.is_some() => FileService::Law(law.unwrap_or_default()),
        Some(chosen) if chosen.name == "random" => FileService::Random(per_file(chosen)),
        Some(chosen) if chosen.name == "sequential" => FileService::Sequential,
        Some(chosen) => FileService::RoundRobin(per_file(chosen)),
        None => FileService::RoundRobin(1),
    };
    let fallocate = match chosen(&spec.fallocate) {
        Some("none" | "0") => Fallocate::None,
        Some("posix" | "1") => Fallocate::Posix,
        Some("keep") => Fallocate::Keep,
        Some("truncate") => Fallocate::Truncate,
        _ => Fallocate::Native,
    };
    let sync = match chosen(&spec.sync) {
        Some("sync" | "1") => SyncMode::Sync,
        Some("dsync") => SyncMode::Dsync,
        _ => SyncMode::None,
    };
    let pre_read = on(spec.pre_read, false);
    let fill = on(spec.fill_device, false);
    let zero = Size::Bytes(0);
    Ok(Target {
        directories: paths(&spec.directory),
        filenames,
        found,
        empty: empty.into_iter().map(|(path, _)| path.clone()).collect(),
        kind: match chosen(&spec.filetype) {
            Some("file") => Some(FileKind::Regular),
            Some("block") => Some(FileKind::Block),
            Some("char") => Some(FileKind::Char),
            _ => None,
        },
        filename_format: spec
            .filename_format
            .clone()
            .filter(|f| !f.is_empty())
            .unwrap_or_else(|| default_text("filename_format").into()),
        nrfiles,
        openfiles: NonZeroU32::new(openfiles).filter(|most| most.get() < nrfiles),
        filesize: spec.filesize.filter(|(_, high)| *high > 0),
        size,
        io_size: given(spec.io_size),
        offset: spec.offset.unwrap_or(zero),
        offset_align: spec.offset_align.unwrap_or(0).max(0) as u64,
        offset_increment: spec.offset_increment.unwrap_or(zero),
        clones_before: 0,
        direct: on(spec.direct, false) || on(spec.atomic, false),
        sync,
        // What was read for its sake should stay in the cache.
        invalidate: on(spec.invalidate, true) && !pre_read,
        fallocate,
        // What is read must have been written.
        overwrite: on(spec.overwrite, false) || pattern.mix.has(Direction::Read),
        fadvise: match chosen(&spec.fadvise_hint) {
            Some("0") => Fadvise::Nothing,
            Some("random") => Fadvise::Random,
            Some("sequential") => Fadvise::Sequential,
            Some("noreuse") => Fadvise::NoReuse,
            _ => Fadvise::Pattern,
        },
        pre_read,
        write_hint: chosen(&spec.write_hint).map(|hint| match hint {
            "short" => 2,
            "medium" => 3,
            "long" => 4,
            "extreme" => 5,
            _ => 1,
        }),
        append: on(spec.file_append, false),
        fill,
        mounted: on(spec.allow_mounted_write, false),
        file_service,
        lock: match chosen(&spec.lockfile) {
            Some("exclusive") => Lock::Exclusive,
            Some("readwrite") => Lock::ReadWrite,
            _ => Lock::None,
        },
        allow_file_create: on(spec.allow_file_create, true),
        create_only: on(spec.create_only, false),
        create_on_open: on(spec.create_on_open, false),
        serial: on(spec.create_serialize, true),
        create_fsync: on(spec.create_fsync, true),
        unlink: on(spec.unlink, false) && !around.readonly,
        unlink_each_loop: on(spec.unlink_each_loop, false) && !around.readonly,
        readonly: around.readonly,
    })
}
