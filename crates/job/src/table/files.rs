//! Rows of the options for files and devices.

use crate::bad_value::BadValue;
use crate::distribution::law_of_files;
use crate::option::*;
use crate::spec::*;
use crate::value::Value;

const FILE_SERVICE: &[Choice] = &[
    choice("random", "any file, equally likely"),
    choice("zipf", "Zipf's law"),
    choice("pareto", "Pareto's law"),
    choice("normal", "Gauss's law"),
    choice("gauss", "the same as normal"),
    choice("roundrobin", "in turn"),
    choice("sequential", "one to its end, then the next"),
];
const FILE_TYPES: &[Choice] = &[
    choice("none", "what the file system says"),
    choice("file", "regular files"),
    choice("block", "block devices"),
    choice("char", "character devices"),
];
const LOCKS: &[Choice] = &[
    choice("none", "No file locking"),
    choice("exclusive", "Exclusive file lock"),
    choice("readwrite", "Read vs write lock"),
];

const FALLOCATE: &[Choice] = &[
    choice("none", "not at all"),
    choice("native", "by the file system, if it can"),
    choice("posix", "posix_fallocate"),
    choice("keep", "beyond the end, size unchanged"),
    choice("truncate", "set the size, reserve nothing"),
    choice("0", "none"),
    choice("1", "posix"),
];
const FADVISE: &[Choice] = &[
    choice("0", "say nothing"),
    choice("1", "say what the pattern is"),
    choice("random", "say random"),
    choice("sequential", "say sequential"),
    choice("noreuse", "say used once"),
];
const LIFETIMES: &[Choice] = &[
    choice("none", "none in particular"),
    choice("short", "short"),
    choice("medium", "medium"),
    choice("long", "long"),
    choice("extreme", "very long"),
];

fn set_service(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut chosen = None;
    store(&mut chosen, value)?;
    if let Some(chosen) = &chosen {
        law_of_files(chosen)?;
    }
    job.file_service_type = chosen;
    Ok(())
}

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "filename",
        section: Section::Files,
        kind: Kind::Paths,
        help: "Files or devices to use, separated by `:`",
        doc: "All clones share them. A colon in a name is written `\\:`. Without it, names are made by filename_format.",
        example: "/tmp/a:/tmp/b",
        ..field!(filename)
    },
    Opt {
        name: "directory",
        section: Section::Files,
        kind: Kind::Directories,
        help: "Directories for the files of clones, separated by `:`",
        doc: "Clone i uses entry i modulo their number; with filename only the first is used.",
        example: "/tmp",
        ..field!(directory)
    },
    Opt {
        name: "filename_format",
        section: Section::Files,
        default: "$jobname.$jobnum.$filenum",
        help: "How generated names are made",
        doc: "Keywords: `$jobname`, `$jobnum` (number of the clone), `$filenum`.",
        example: "$jobname.$filenum",
        ..field!(filename_format)
    },
    Opt {
        name: "nrfiles",
        aliases: &["nr_files"],
        section: Section::Files,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Files per clone; size is divided between them",
        example: "4",
        ..field!(nrfiles)
    },
    Opt {
        name: "openfiles",
        section: Section::Files,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Files open at a time",
        example: "2",
        ..field!(openfiles)
    },
    Opt {
        name: "file_service_type",
        section: Section::Files,
        kind: Kind::Choice { choices: FILE_SERVICE, tail: true },
        default: "roundrobin",
        help: "Which file comes next, and after how many I/Os",
        doc: "A law takes parameters as in random_distribution: zipf:THETA[:CENTER], pareto:H[:CENTER], normal:PERCENT[:CENTER]. With a law a file that is used up begins anew.",
        example: "random:8",
        set: set_service,
        get: get!(file_service_type),
        ..OPT
    },
    Opt {
        name: "filesize",
        section: Section::Files,
        kind: Kind::Range,
        help: "Size of each file, or a range of sizes",
        example: "1m",
        ..field!(filesize)
    },
    Opt {
        name: "fallocate",
        section: Section::Files,
        kind: Kind::Choice { choices: FALLOCATE, tail: false },
        default: "native",
        help: "How space is reserved when a file is laid out",
        example: "posix",
        ..field!(fallocate)
    },
    Opt {
        name: "fadvise_hint",
        section: Section::Files,
        kind: Kind::Choice { choices: FADVISE, tail: false },
        default: "1",
        help: "Tell the kernel the pattern when a file is opened",
        example: "0",
        ..field!(fadvise_hint)
    },
    Opt {
        name: "create_serialize",
        section: Section::Files,
        kind: Kind::Bool,
        default: "1",
        help: "Lay out the files of one job after those of another",
        doc: "With 0 each job lays out its own files when its turn comes, beside the I/O of the others. A file that several jobs use is made before the start all the same.",
        example: "0",
        ..field!(create_serialize)
    },
    Opt {
        name: "create_fsync",
        section: Section::Files,
        kind: Kind::Bool,
        default: "1",
        help: "fsync each laid-out file",
        example: "0",
        ..field!(create_fsync)
    },
    Opt {
        name: "create_on_open",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "No layout: a file appears when the job opens it",
        example: "1",
        ..field!(create_on_open)
    },
    Opt {
        name: "create_only",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Lay files out and do nothing else",
        example: "1",
        ..field!(create_only)
    },
    Opt {
        name: "allow_file_create",
        section: Section::Files,
        kind: Kind::Bool,
        default: "1",
        help: "Missing files may be created",
        example: "0",
        ..field!(allow_file_create)
    },
    Opt {
        name: "allow_mounted_write",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Do not mind that a device to write to is mounted",
        example: "1",
        compat: Compat::Differs(
            "a mounted device needs --allow-destroy=DEVICE, with or without it; under FATHOM_FIO_UNGUARDED=1 it is as in fio",
        ),
        ..field!(allow_mounted_write)
    },
    Opt {
        name: "unlink",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Delete the files when the job has ended",
        example: "1",
        ..field!(unlink)
    },
    Opt {
        name: "invalidate",
        section: Section::Files,
        kind: Kind::Bool,
        default: "1",
        help: "Drop cached pages of the files before the start",
        example: "0",
        ..field!(invalidate)
    },
    Opt {
        name: "overwrite",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Write files in full before the job writes to them",
        example: "1",
        ..field!(overwrite)
    },
    Opt {
        name: "unique_filename",
        section: Section::Files,
        kind: Kind::Bool,
        default: "1",
        help: "Prefix generated names with the address of the client",
        doc: "It is for jobs that a client sends to a server; fathom has no such jobs, and others have no prefix in fio either.",
        example: "0",
        ..field!(unique_filename)
    },
    Opt {
        name: "filetype",
        section: Section::Files,
        kind: Kind::Choice { choices: FILE_TYPES, tail: false },
        default: "none",
        help: "What the files are, rather than asking the file system",
        doc: "What turns out to be of another kind when it is opened is an error, and so is a device that is missing: no file is made in its place.",
        example: "block",
        compat: Compat::Newer,
        ..field!(filetype)
    },
    Opt {
        name: "opendir",
        section: Section::Files,
        help: "Recursively add every file below as target",
        doc: "Regular files, hidden ones too, in the order in which the file system names them; links are not followed. They come after those of filename; directory is not put in front of them.",
        example: "/tmp",
        ..field!(opendir)
    },
    Opt {
        name: "lockfile",
        section: Section::Files,
        kind: Kind::Choice { choices: LOCKS, tail: true },
        default: "none",
        help: "Lock around each call on a file, between jobs that set it; the wait is in no latency",
        example: "exclusive",
        compat: Compat::Differs(
            "also where it stands behind filename on the command line, where fio 3.33 takes no lock; jobs with different \
             locks on one file wait for each other, where fio 3.33 is killed. Asynchronous engines wait for nobody, in fio too",
        ),
        ..field!(lockfile)
    },
    Opt {
        name: "file_append",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Start at current EOF and extend",
        doc: "As offset with the size that each file has before the run; a file that is written is not made anew.",
        example: "1",
        ..field!(file_append)
    },
    Opt {
        name: "write_hint",
        section: Section::Files,
        kind: Kind::Choice { choices: LIFETIMES, tail: false },
        help: "Expected lifetime of what is written",
        example: "short",
        ..field!(write_hint)
    },
    Opt {
        name: "pre_read",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Read the files into the cache before the start",
        doc: "Turns invalidate off.",
        example: "1",
        ..field!(pre_read)
    },
    Opt {
        name: "unlink_each_loop",
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Delete the files between loops",
        example: "1",
        ..field!(unlink_each_loop)
    },
    Opt {
        name: "ioscheduler",
        section: Section::Files,
        help: "Scheduler to set for the device below each file",
        doc: "Set for the whole device, and put back when the run ends. A name that the device does not have ends the program with status 1 before the run, and the line lists those that it has.",
        example: "none",
        compat: Compat::Differs(
            "the scheduler that the device had is put back when the run ends; fio leaves the new one",
        ),
        ..field!(ioscheduler)
    },
    Opt {
        name: "fill_device",
        aliases: &["fill_fs"],
        section: Section::Files,
        kind: Kind::Bool,
        default: "0",
        help: "Sequential write until ENOSPC/EDQUOT, which counts as success",
        doc: "Jobs that read fill the file system first, and read what is there then. Without size a file has no end.",
        example: "1",
        ..field!(fill_device)
    },
];
