//! Every kind of error, refusal and note of `lab`.

use crate::claims::complete;
use facts::extents::RangesError;
use job::Diagnostic;
use lab::explore::job_runner::AxisError;
use lab::objects::{AccessError, ObjectLoadError};
use lab::prefill::{PrefillError, PrefillRefusal};
use lab::target_fault::TargetFault;
use report::Lang;
use run::refusal::{Refusal, RefusalReason};
use rustix::io::Errno;
use stats::contents::{Contents, ContentsClass};
use stats::job_error::{ErrorCause, TargetChange, TargetChangeKind};
use stats::note::NoteFact;
use stats::output_fault::OutputFault;
use stats::plan_error::{PlanError, PlanFault};
use stats::{JobError, PrefillNote, QuickCaveat, RecordedIn};
use std::path::PathBuf;

kinds!(of_fault, FAULTS, TargetFault; System, NotMeasurable, Simulated, Directory, NotFillable, TooSmall, JobFile, ServerName, Password, NotOnServer, OnServer, OtherEngine, NoAccess, Objects, ModelSize, ModelOption, Job, Plan,
    ScratchNotFilled, Failed, ScratchTooSlow, ReadOnly, NoRoomForScratch, NoScratch, UnknownDevice, NoRoomToFill);
kinds!(of_axis, AXIS, AxisError; Unknown, NoQueueSettings, Unreadable, OneValue);
kinds!(of_error, ERRORS, PrefillError; Target, Ranges, Unaligned, AfterEnd, Unreadable, Refused, Unchecked, Fill);
kinds!(of_refusal, REFUSALS, PrefillRefusal; WrittenMeanwhile, OpenedMeanwhile, NoConsent, Changed, Replaced, NoLease,
    OpenElsewhere, WritableElsewhere, Carries, InUse, NotAllowed, HeldExclusively);
kinds!(of_note, NOTES, PrefillNote; HoldsZeros, DiscardedSince, StillUnwritten, NoStateDirectory, NotRecorded, Text);
kinds!(of_caveat, CAVEATS, QuickCaveat; NoDirectIo, Interrupted, Note, Text);
kinds!(of_run_note, RUN_NOTES, NoteFact; NumberEnds, DepthOfOne, NotReadBack, OnlyFiles, OnlyDirectories, DirectoryUnderReadonly,
    FileUnderReadonly, CreationDisallowed, NoDirectory, NotReserved, LayoutFull, SpaceShort, CgroupLimit, SettingNotRestored,
    SettingRestored, SettingChangedSince, MemoryNotLocked, LogWaits, LogIntervalShort, FlashTraffic, WearBudgetReached, Unanswered, PosixaioOnKernelAio, MeasuredWithLibaio, MeasuredWithPsync, NoRegisteredFiles,
    NoRegisteredBuffer, NoWorkerLimit, NoDeferredTaskWork, Text);
kinds!(of_place, PLACES, RecordedIn; Attribute, Text);

kinds!(of_output, OUTPUTS, OutputFault; NotRegular, BlockDevice, CharacterDevice, NoTerminal, NamedPipe, Socket, Holds, Database,
    BackingFile, Swap, JobFile, FileOfJob, ReportSource, Store, OtherText, HoldsData, NoReader, Directory, NotASocket, NotWritable, System, Other);
kinds!(of_cause, CAUSES, ErrorCause; EngineSetup, Remote, StateFile, LibaioSetup, PosixaioSetup, ModelWithOthers, Nice, FileName, Buffers, NoWeight,
    NoBlkioHierarchy, Output, Program, NoCpuload, NoProgram, NoDonor, Panicked, NoAnswer, NoZoneSize, NoPlacement, PlacementId, PlacementScheme, OtherZoneSize, OpenZonesAboveLimit, AppendWithoutZones, BelowZone,
    NoWholeZone, FlashTooLarge, Changed);
kinds!(of_change, CHANGES, TargetChangeKind; Appeared, Content, Replaced, Resized, OtherFile, BackingFile, Swap, Mounted);

fn path() -> PathBuf {
    "/data/f1".into()
}

/// Why a target cannot be used.
pub fn faults() -> Vec<TargetFault> {
    let error = JobError { errno: 28, function: "write".into(), text: "E28".into(), cause: None };
    let room = |image| TargetFault::NoRoomForScratch { free: 100 << 20, memory: 90 << 20, image };
    let little_memory = TargetFault::NoRoomForScratch { free: 1 << 40, memory: 90 << 20, image: None };
    let fill = |under| TargetFault::NoRoomToFill { needed: 100 << 20, free: 90 << 20, under };
    let all = vec![
        TargetFault::System(Errno::ACCESS),
        TargetFault::NotMeasurable,
        TargetFault::Simulated,
        TargetFault::Directory,
        TargetFault::NotFillable,
        TargetFault::TooSmall { bytes: 4096 },
        TargetFault::JobFile,
        TargetFault::ServerName,
        TargetFault::Password,
        TargetFault::NotOnServer,
        TargetFault::OnServer,
        TargetFault::OtherEngine { engine: "nbd".into() },
        TargetFault::NoAccess(AccessError::Endpoint { url: "http://x1/y".into() }),
        TargetFault::Objects(ObjectLoadError::NoBucket { bucket: "x1".into() }),
        TargetFault::ModelSize { option: "size=x1".into() },
        TargetFault::ModelOption { name: "x1".into() },
        TargetFault::Job { diagnostics: vec![Diagnostic::ProfileSize { value: "x1".into() }] },
        TargetFault::Plan(PlanError { job: "j1".into(), fault: PlanFault::FillWithoutSize }),
        TargetFault::ScratchNotFilled(error.clone()),
        TargetFault::Failed(error),
        TargetFault::ScratchTooSlow,
        TargetFault::ReadOnly,
        room(None),
        room(Some(path())),
        little_memory,
        TargetFault::NoScratch(Errno::ACCESS),
        TargetFault::UnknownDevice,
        fill(None),
        fill(Some(path())),
    ];
    complete(all, of_fault, FAULTS)
}

/// Why a setting cannot be varied.
pub fn axes() -> Vec<AxisError> {
    let all = vec![
        AxisError::Unknown { name: "x1".into() },
        AxisError::NoQueueSettings,
        AxisError::Unreadable { path: path(), errno: Errno::ACCESS },
        AxisError::OneValue { path: path(), value: "128".into() },
    ];
    complete(all, of_axis, AXIS)
}

fn refusals() -> Vec<PrefillRefusal> {
    let signature =
        facts::signature::Signature { what: Contents::new(ContentsClass::FileSystem, "xfs"), offset: 0 };
    let uses = vec![facts::usage::Use::Carries(signature.clone())];
    let all = vec![
        PrefillRefusal::WrittenMeanwhile { filled: 4096, of: 8192 },
        PrefillRefusal::OpenedMeanwhile { filled: 4096, of: 8192 },
        PrefillRefusal::NoConsent { bytes: 8192 },
        PrefillRefusal::Changed,
        PrefillRefusal::Replaced,
        PrefillRefusal::NoLease(Errno::ACCESS),
        PrefillRefusal::OpenElsewhere,
        PrefillRefusal::WritableElsewhere,
        PrefillRefusal::Carries(signature),
        PrefillRefusal::InUse(uses),
        PrefillRefusal::NotAllowed { bytes: 8192 },
        PrefillRefusal::HeldExclusively,
    ];
    complete(all, of_refusal, REFUSALS)
}

/// Why a target was not filled. What the run refuses and the system reports comes as text.
pub fn prefill_errors() -> Vec<PrefillError> {
    let refusal = Refusal { path: path(), reason: RefusalReason::Changed(TargetChangeKind::Content) };
    let source = run::filler::FillError { call: "write", source: Errno::NOSPC.into() };
    let mut all = vec![
        PrefillError::Target { path: path(), fault: TargetFault::Directory },
        PrefillError::Ranges { path: path(), source: RangesError::TooMany { zeros: true, most: 4096 } },
        PrefillError::Unaligned { option: "offset", value: 100 },
        PrefillError::AfterEnd { path: path(), offset: 8192, size: 4096 },
        PrefillError::Unreadable { path: path(), failed: 107, of: 320 },
        PrefillError::Unchecked(refusal),
        PrefillError::Fill { path: path(), source },
    ];
    all.extend(refusals().into_iter().map(|reason| PrefillError::Refused { path: path(), reason }));
    complete(all, of_error, ERRORS)
}

/// Notes about a prefill.
pub fn prefill_notes() -> Vec<PrefillNote> {
    let all = vec![
        PrefillNote::HoldsZeros,
        PrefillNote::DiscardedSince,
        PrefillNote::StillUnwritten { bytes: 8192 },
        PrefillNote::NoStateDirectory,
        PrefillNote::NotRecorded { errno: 13 },
        PrefillNote::Text("E1".into()),
    ];
    complete(all, of_note, NOTES)
}

/// Where a filled region is recorded.
pub fn places() -> Vec<RecordedIn> {
    let attribute = RecordedIn::Attribute { name: "user.fathom.filled".into() };
    complete(vec![attribute, RecordedIn::Text("/state/1".into())], of_place, PLACES)
}

/// Caveats of a check.
pub fn caveats() -> Vec<QuickCaveat> {
    let all = vec![
        QuickCaveat::NoDirectIo,
        QuickCaveat::Interrupted,
        QuickCaveat::Note(NoteFact::Unanswered { ios: 3 }),
        QuickCaveat::Text("E1".into()),
    ];
    complete(all, of_caveat, CAVEATS)
}

/// Notes about a run that are not fio's.
pub fn run_notes() -> Vec<NoteFact> {
    let place = |place: Option<&str>| NoteFact::NumberEnds {
        place: place.map(str::to_owned),
        typed: "iodepth=1x".into(),
        value: "1".into(),
        rest: "x".into(),
    };
    let setting = |now: Option<&str>| NoteFact::SettingNotRestored {
        disk: "sda".into(),
        setting: "nr_requests".into(),
        now: now.map(str::to_owned),
        before: "64".into(),
        pid: 1234,
        path: "/sys/x1".into(),
        errno: 13,
    };
    let restored = NoteFact::SettingRestored {
        disk: "sda".into(),
        setting: "nr_requests".into(),
        changed: "32".into(),
        before: "64".into(),
        pid: 1234,
    };
    let since = NoteFact::SettingChangedSince {
        disk: "sda".into(),
        setting: "nr_requests".into(),
        now: "32".into(),
        before: "64".into(),
        pid: 1234,
    };
    let all = vec![
        since,
        place(None),
        place(Some("a.fio:3")),
        NoteFact::DepthOfOne,
        NoteFact::NotReadBack,
        NoteFact::OnlyFiles,
        NoteFact::OnlyDirectories,
        NoteFact::DirectoryUnderReadonly,
        NoteFact::FileUnderReadonly,
        NoteFact::CreationDisallowed,
        NoteFact::NoDirectory { path: "/x1".into(), errno: 13 },
        NoteFact::NotReserved { errno: 28 },
        NoteFact::LayoutFull,
        NoteFact::SpaceShort { wanted: 2 << 20, free: 1 << 20, directory: "/x1".into() },
        NoteFact::CgroupLimit {
            device: "sda".into(),
            iops: [Some(500), Some(400)],
            bytes_per_second: [Some(1 << 20), Some(2 << 20)],
        },
        setting(None),
        setting(Some("32")),
        restored,
        NoteFact::MemoryNotLocked { bytes: 4096, errno: 12 },
        NoteFact::LogWaits { waits: 3, ms: 21 },
        NoteFact::LogIntervalShort { empty: 9, intervals: 10 },
        NoteFact::FlashTraffic { host_pages: 3, nand_pages: 6, erases: 5, trimmed_pages: 7 },
        NoteFact::WearBudgetReached { written: 8192, budget: 9000 },
        NoteFact::Unanswered { ios: 3 },
        NoteFact::PosixaioOnKernelAio { errno: 1 },
        NoteFact::MeasuredWithLibaio { errno: 1 },
        NoteFact::MeasuredWithPsync { uring_errno: 1, libaio_errno: 38 },
        NoteFact::NoRegisteredFiles { errno: 12 },
        NoteFact::NoRegisteredBuffer { bytes: 4096, errno: 12 },
        NoteFact::NoWorkerLimit { errno: 22 },
        NoteFact::NoDeferredTaskWork,
        NoteFact::Text("E1".into()),
    ];
    let fio = |fact: &NoteFact| {
        let (english, german) =
            (report::words::note::note(Lang::En, fact), report::words::note::note(Lang::De, fact));
        english == german && *fact != NoteFact::Text("E1".into())
    };
    let all = complete(all, of_run_note, RUN_NOTES);
    assert_eq!(all.iter().filter(|fact| fio(fact)).count(), 9, "lines of fio");
    all.into_iter().filter(|fact| !fio(fact)).collect()
}

/// Why a file cannot take an output.
pub fn output_faults() -> Vec<OutputFault> {
    let all = vec![
        OutputFault::NotRegular,
        OutputFault::BlockDevice,
        OutputFault::CharacterDevice,
        OutputFault::NoTerminal,
        OutputFault::NamedPipe,
        OutputFault::Socket,
        OutputFault::Holds { contents: Contents::new(ContentsClass::FileSystem, "xfs"), offset: 0 },
        OutputFault::Database,
        OutputFault::BackingFile { device: "loop3".into() },
        OutputFault::Swap,
        OutputFault::JobFile,
        OutputFault::FileOfJob,
        OutputFault::ReportSource,
        OutputFault::Store,
        OutputFault::OtherText,
        OutputFault::HoldsData,
        OutputFault::NoReader,
        OutputFault::Directory,
        OutputFault::NotASocket,
        OutputFault::NotWritable,
        OutputFault::System { errno: 13 },
        OutputFault::Other("E1".into()),
    ];
    complete(all, of_output, OUTPUTS)
}

/// Errors of jobs that are more than an errno; without those that only add a name to it, and without those of fio.
pub fn job_errors() -> Vec<JobError> {
    let change = |kind| ErrorCause::Changed(TargetChange { path: "/x1".into(), kind });
    let changes = vec![
        TargetChangeKind::Appeared,
        TargetChangeKind::Content,
        TargetChangeKind::Replaced,
        TargetChangeKind::Resized,
        TargetChangeKind::OtherFile,
        TargetChangeKind::BackingFile { device: "loop3".into() },
        TargetChangeKind::Swap,
        TargetChangeKind::Mounted { at: "/x2".into() },
    ];
    let mut all = vec![
        ErrorCause::EngineSetup { engine: "splice".into() },
        ErrorCause::StateFile { path: "local-a-0-verify.state".into() },
        ErrorCause::Remote { text: "rbd_open: rbd/img: X1".into() },
        ErrorCause::LibaioSetup,
        ErrorCause::PosixaioSetup,
        ErrorCause::ModelWithOthers,
        ErrorCause::Nice,
        ErrorCause::FileName,
        ErrorCause::Buffers,
        ErrorCause::NoWeight,
        ErrorCause::NoBlkioHierarchy,
        ErrorCause::Output(OutputFault::Directory),
        ErrorCause::Program { program: "/x1".into() },
        ErrorCause::NoCpuload,
        ErrorCause::NoProgram,
        ErrorCause::NoDonor,
        ErrorCause::Panicked,
        ErrorCause::NoAnswer,
        ErrorCause::NoZoneSize,
        ErrorCause::NoPlacement,
        ErrorCause::PlacementId { id: 9, count: 8 },
        ErrorCause::PlacementScheme { path: "/x2".into(), line: 7 },
        ErrorCause::OtherZoneSize { device: 4096 },
        ErrorCause::OpenZonesAboveLimit { limit: 14 },
        ErrorCause::AppendWithoutZones,
        ErrorCause::BelowZone { zone: 4096 },
        ErrorCause::NoWholeZone { zone: 4096 },
        ErrorCause::FlashTooLarge { pages: 9 },
    ];
    all.extend(complete(changes, of_change, CHANGES).into_iter().map(change));
    let own = |cause: &ErrorCause| {
        !matches!(
            cause,
            ErrorCause::Nice
                | ErrorCause::Program { .. }
                | ErrorCause::NoCpuload
                | ErrorCause::NoProgram
                | ErrorCause::NoDonor
        )
    };
    let error = |cause| JobError {
        errno: 22,
        function: "setup".into(),
        text: "E22".into(),
        cause: Some(Box::new(cause)),
    };
    complete(all, of_cause, CAUSES).into_iter().filter(own).map(error).collect()
}
