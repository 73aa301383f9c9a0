//! Outputs go to regular files, pipes, terminals and /dev/null: never over anything else; and an output that could not be
//! written is told in one line and by the exit status.

use crate::common::words;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME, Ran};
use testbed::{Bounded, FileSystem, LoopDevice, Mount, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const JOB: &str = "--name=a --filename=f --size=64k --rw=randrw --bs=4k --ioengine=psync";
const LIMIT: Duration = Duration::from_secs(30);

/// A shell that replaces itself by the program, whose standard streams go where `streams` says.
fn fathom(args: &str, streams: &str, dir: &Path) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec \"$0\" \"$@\" {streams}"), FATHOM]).args(words(args));
    child::run(command.current_dir(dir).env(DATA_HOME, dir.join("data")), LIMIT).unwrap()
}

fn one_line(ran: &Ran, status: i32, part: &str) {
    assert!(
        ran.code == Some(status) && ran.stderr.lines().count() == 1 && ran.stderr.contains(part),
        "status {status}, {part:?}: {ran:?}"
    );
}

/// Every output onto devices (also mounted ones, also through a symbolic link) and onto files that the kernel uses.
#[test]
fn an_output_never_overwrites_a_device_or_a_file_in_use() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), "", dir).code, Some(0));
    sandbox.file("read", 2 << 20).unwrap();
    let backing = sandbox.file("backing", 1 << 20).unwrap();
    let device = LoopDevice::from_file(&backing, testbed::loopdev::Setup::default()).unwrap();
    let mounted = Mount::new(FileSystem::Ext4, 8 << 20).unwrap();
    // Read-only: a mounted ext4 writes late.
    let mut remount = Command::new("mount");
    remount.args(["-o", "remount,ro"]).arg(mounted.path());
    assert_eq!(child::run(&mut remount, LIMIT).unwrap().code, Some(0));
    let mounted = mounted.device().unwrap().path().to_path_buf();
    symlink(device.path(), dir.join("link")).unwrap();
    let before = (std::fs::read(&backing).unwrap(), std::fs::read(&mounted).unwrap());
    let outputs = [
        format!("fio {JOB} --output="),
        format!("run {JOB} --output="),
        format!("run {JOB} --json --output="),
        "report R1 -o".into(),
        format!("run {JOB} --store="),
        "read --seconds=1 --store=".into(),
        "explore read --budget=1s --no-store --job=".into(),
        "explore read --budget=1s --store=".into(),
    ];
    let onto = [
        device.path().to_path_buf(),
        mounted.clone(),
        dir.join("link"),
        backing.clone(),
        "/dev/urandom".into(),
    ];
    crate::common::side_by_side(&outputs, |output| {
        for path in &onto {
            let ran = fathom(&format!("{output}{}", path.display()), "", dir);
            one_line(&ran, 3, "refused: the output ");
        }
    });
    one_line(&fathom(&format!("list --store={}", device.path().display()), "", dir), 1, "is a block device");
    assert!(
        before == (std::fs::read(&backing).unwrap(), std::fs::read(&mounted).unwrap()),
        "something was written"
    );
}

#[test]
fn an_output_that_cannot_be_opened_is_one_line() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), "", dir).code, Some(0));
    std::fs::create_dir(dir.join("directory")).unwrap();
    let _socket = UnixListener::bind(dir.join("socket")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        dir.join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let cases = [
        ("directory", "it is a directory"),
        ("socket", "it is a socket"),
        ("pipe", "no process reads from this named pipe"),
        ("absent/file", "No such file or directory"),
    ];
    crate::common::side_by_side(&cases, |(path, part)| {
        // fio's own answer comes before anything is measured.
        one_line(&fathom(&format!("fio {JOB} --output={path}"), "", dir), 1, part);
        one_line(&fathom(&format!("report R1 -o {path}"), "", dir), 5, part);
    });
    // A reader that comes gets it, and a link to a file is a file; what it held before is gone.
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat pipe > got & exec \"$0\" report R1 -o pipe", FATHOM]).current_dir(dir);
    let ran = child::run(shell.env(DATA_HOME, dir.join("data")), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let got = || std::fs::read_to_string(dir.join("got")).unwrap_or_default();
    let began = std::time::Instant::now();
    while !got().trim_end().ends_with("</html>") && began.elapsed() < LIMIT {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(got().starts_with("<!doctype html>") && got().trim_end().ends_with("</html>"), "{}", got().len());
    std::fs::write(dir.join("old"), vec![b'x'; 1 << 20]).unwrap();
    symlink("old", dir.join("name")).unwrap();
    assert_eq!(fathom(&format!("fio {JOB} --output=name"), "", dir).code, Some(0));
    let text = std::fs::read_to_string(dir.join("old")).unwrap();
    assert!(text.starts_with("a: (g=0)") && !text.contains("xx"), "{text}");
    assert!(dir.join("name").is_symlink());
}

/// Full disks and readers that went away; the result is stored all the same.
#[test]
fn an_output_that_was_not_written_has_status_5() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), "", dir).code, Some(0));
    sandbox.file("read", 2 << 20).unwrap();
    let said = "could not be written";
    for args in [
        format!("fio {JOB}"),
        format!("fio {JOB} --output-format=json"),
        format!("fio {JOB} --output-format=json --output=/dev/full"),
        format!("run {JOB}"),
        format!("run {JOB} --json"),
        format!("run {JOB} --output=/dev/full"),
        "list".into(),
        "show R1".into(),
        "export R1 --json".into(),
        "report R1 --charts".into(),
        "report R1 -o /dev/full".into(),
        "compare R1 R1".into(),
        "doctor .".into(),
        "--help".into(),
        "read --seconds=1".into(),
        "explore read --budget=0.2s --questions=depth --patterns=4k-randread".into(),
        "explore model:servers=8;law=constant:10ms --questions=depth --patterns=4k-randread --job=/dev/full"
            .into(),
    ] {
        let to = if args.contains("/dev/full") { "" } else { "> /dev/full" };
        let ran = fathom(&args, to, dir);
        let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(said)).collect();
        assert!(ran.code == Some(5) && lines.len() == 1, "{args}: {ran:?}");
    }
    let runs = fathom("list", "", dir).stdout;
    assert!(runs.contains("R5 ") && runs.contains("S2 "), "not all results are stored: {runs}");
    // A reader that went away.
    let mut shell = Command::new("sh");
    let script = "{ \"$0\" fio \"$@\" --runtime=20 --time_based; echo $? > status; } | true";
    shell.args(["-c", script, FATHOM]).args(words(JOB)).current_dir(dir);
    let ran = child::run(&mut shell, LIMIT).unwrap();
    assert!(!ran.overran && !ran.stderr.contains("Broken pipe"), "{ran:?}");
    assert!(ran.wall < Duration::from_secs(15), "it ran on without a reader: {ran:?}");
    assert_eq!(std::fs::read_to_string(dir.join("status")).unwrap().trim(), "141");
}

/// Standard error is where failures are told: that it is full, closed or unread is none, and no panic.
#[test]
fn standard_streams_that_are_closed_or_full_change_no_status() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), "", dir).code, Some(0));
    let cases = [
        // Beside the run that has `f` open.
        (format!("fio {JOB}").replace("=f ", "=g "), 0),
        (format!("run {JOB}"), 0),
        ("fio --name=a --rw=nonsense".into(), 1),
        ("list".into(), 0),
        ("show R99".into(), 1),
        ("nonsense --nonsense".into(), 2),
        ("absent-target".into(), 1),
    ];
    crate::common::side_by_side(&cases, |(args, status)| {
        for streams in ["2>/dev/full", "2>&-", "<&-", ">&-", "<&- >&- 2>&-", "<&- 2>&-"] {
            let ran = fathom(args, streams, dir);
            assert!(ran.code == Some(*status), "{args} {streams}: {ran:?}");
            assert!(!ran.stderr.contains("panicked"), "{args} {streams}: {ran:?}");
        }
    });
}

/// Layout would remove what is in its way and make a file.
#[test]
fn a_pipe_or_socket_is_no_target() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let _socket = UnixListener::bind(dir.join("socket")).unwrap();
    let made =
        Command::new("mkfifo").arg(dir.join("pipe")).output_within(testbed::TOOL_LIMIT).unwrap().status;
    assert!(made.success());
    for command in ["fio", "run", "run --allow-destroy=pipe"] {
        for rw in ["read", "randwrite", "trim"] {
            for name in ["pipe", "socket"] {
                let ran =
                    fathom(&format!("{command} --name=a --filename={name} --size=64k --rw={rw}"), "", dir);
                let kind = if name == "pipe" { "is a named pipe" } else { "is a socket" };
                assert!(ran.code == Some(3) && ran.stderr.contains(kind), "{command} {rw} {name}: {ran:?}");
            }
        }
    }
    let kind = |name: &str| dir.join(name).symlink_metadata().unwrap().file_type();
    assert!(kind("pipe").is_fifo() && kind("socket").is_socket());
}

/// fio's command line removes an empty directory that was there, as fio does; `fathom run` removes only its own.
#[test]
fn a_directory_is_removed_only_by_the_run_that_made_it() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let foreign = dir.join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    let job = "--name=d --filename=foreign --size=4k --bs=4k --rw=read";
    for args in [
        format!("run {job} --ioengine=dirdelete"),
        format!("run {job} --ioengine=dirstat --unlink=1"),
        format!("run {job} --ioengine=dircreate --unlink=1"),
    ] {
        let ran = fathom(&args, "", dir);
        assert!(
            ran.code == Some(3) && ran.stderr.contains("is a directory that this run did not make"),
            "{args}: {ran:?}"
        );
        assert!(foreign.is_dir(), "{args}");
    }
    std::fs::write(foreign.join("letter"), "Dear reader").unwrap();
    fathom(&format!("fio {job} --ioengine=dirdelete"), "", dir);
    assert!(foreign.join("letter").is_file());
    std::fs::remove_file(foreign.join("letter")).unwrap();
    assert_eq!(fathom(&format!("fio {job} --ioengine=dirdelete"), "", dir).code, Some(0));
    assert!(!foreign.exists());
    let own = "run --name=d --ioengine=dirdelete --nrfiles=8 --filesize=4k --bs=4k --rw=read --directory=.";
    let ran = fathom(own, "", dir);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Inputs, the store and files of another kind are no place for an output, and a refused job leaves its output as it was.
#[test]
fn an_output_replaces_neither_its_inputs_nor_a_store_nor_an_image() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let image = sandbox.sparse("image", 4 << 20).unwrap();
    let mut mkfs = Command::new("mkfs.ext4");
    assert_eq!(child::run(mkfs.arg("-q").arg(&image), LIMIT).unwrap().code, Some(0));
    let made = fathom(&format!("run {JOB} --json --store=st --output=r.json"), "", dir);
    assert_eq!(made.code, Some(0), "{made:?}");
    std::fs::hard_link(dir.join("r.json"), dir.join("same.json")).unwrap();
    std::fs::write(dir.join("job.fio"), "[a]\nfilename=f\nsize=64k\nrw=read\n").unwrap();
    std::fs::write(dir.join("letter"), b"Dear Ada, ").unwrap();
    let all = || {
        ["image", "r.json", "job.fio", "letter", "f"]
            .map(|name| (name, std::fs::read(dir.join(name)).unwrap()))
    };
    let before = all();
    let cases = [
        ("report r.json -o r.json", "is an input of this report"),
        ("report r.json -o same.json", "is an input of this report"),
        ("report --store=st R1 -o st", "SQLite database"),
        ("report r.json -o image", "ext"),
        ("run job.fio --output=job.fio --no-store", "is a job file"),
        ("fio job.fio --output job.fio", "is a job file"),
        ("fio job.fio --output=image", "ext"),
        ("run job.fio --no-store --output=f", "is a file of a job"),
        ("run job.fio --store=new --output=new", "is the store"),
        ("run --name=a --filename=letter --rw=write --bs=4k --size=4k --no-store --output=r.json", "letter"),
    ];
    for (args, part) in cases {
        one_line(&fathom(args, "", dir), 3, part);
    }
    for (then, now) in before.iter().zip(all()) {
        assert!(*then == now, "{} was written", now.0);
    }
    assert_eq!(fathom("list --store=st", "", dir).code, Some(0));
    assert!(!dir.join("new").exists());
    let store = dir.join("data/fathom");
    let _ = std::fs::remove_dir_all(&store);
    std::fs::create_dir_all(&store).unwrap();
    let device = LoopDevice::from_file(&image, testbed::loopdev::Setup::default()).unwrap();
    symlink(device.path(), store.join("store.sqlite")).unwrap();
    let ran = fathom(&format!("run {JOB}"), "", dir);
    assert!(ran.code == Some(0) && ran.stderr.contains("is a block device"), "{ran:?}");
    drop(device);
    assert!(before[0].1 == std::fs::read(&image).unwrap(), "the store was written to a device");
    std::fs::write(dir.join("empty"), b"").unwrap();
    assert_ne!(fathom("list --store=empty", "", dir).code, Some(0));
    assert_eq!(std::fs::metadata(dir.join("empty")).unwrap().len(), 0);
}

/// An output replaces an earlier one of its kind, and no other text of the user, under any of its names.
#[test]
fn output_replaces_only_earlier_outputs_of_its_kind() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let job = "run --name=a --ioengine=null --rw=randread --bs=4k --size=1g --number_ios=2000 --store=st";
    let made = fathom(job, "", dir);
    assert_eq!(made.code, Some(0), "{made:?}");
    std::fs::write(dir.join("t.log"), "fio version 3 iolog\n0 f add\n0 f open\n5 f read 0 4096\n").unwrap();
    std::fs::write(dir.join("notes.txt"), "Dear Ada, \n").unwrap();
    std::fs::hard_link(dir.join("notes.txt"), dir.join("hard")).unwrap();
    symlink("notes.txt", dir.join("soft")).unwrap();
    let cases =
        ["report R1 --store=st -o", "rank R1 --store=st -o", "trace t.log --iolog", "trace t.log --job"];
    for command in cases {
        for name in ["notes.txt", "hard", "soft"] {
            one_line(
                &fathom(&format!("{command} {name}"), "", dir),
                3,
                "holds a text that fathom did not write",
            );
        }
        for _ in 0..2 {
            let ran = fathom(&format!("{command} new"), "", dir);
            assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
        }
        std::fs::remove_file(dir.join("new")).unwrap();
    }
    for (form, ending) in [("--svg", "svg"), ("--png", "png")] {
        let command = format!("report R1 --store=st {form} {ending}");
        for _ in 0..2 {
            assert_eq!(fathom(&command, "", dir).code, Some(0));
        }
        let chart = std::fs::read_dir(dir.join(ending)).unwrap().next().unwrap().unwrap().path();
        std::fs::copy(dir.join("notes.txt"), &chart).unwrap();
        one_line(&fathom(&command, "", dir), 3, "holds a text that fathom did not write");
        assert_eq!(std::fs::read_to_string(chart).unwrap(), "Dear Ada, \n");
        one_line(&fathom(&format!("report R1 --store=st {form} notes.txt"), "", dir), 1, "directory");
    }
    assert_eq!(std::fs::read_to_string(dir.join("notes.txt")).unwrap(), "Dear Ada, \n");
}

/// Traces and logs of a job, and the result of `fathom fio`, leave the data and the job file of a run alone.
#[test]
fn side_outputs_never_overwrite_a_file_of_a_job_or_a_job_file() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    std::fs::create_dir(dir.join("sub")).unwrap();
    let data = vec![b'd'; 64 << 10];
    let job = "[a]\nfilename=user.dat\nrw=read\nbs=4k\nsize=64k\n";
    std::fs::write(dir.join("user.dat"), &data).unwrap();
    std::fs::hard_link(dir.join("user.dat"), dir.join("hard")).unwrap();
    std::fs::write(dir.join("j.fio"), job).unwrap();
    std::fs::write(dir.join("top.fio"), "[a]\nfilename=user.dat\nrw=read\nsize=64k\ninclude inc.fio\n")
        .unwrap();
    std::fs::write(dir.join("inc.fio"), "bs=4k\n").unwrap();
    std::fs::copy(dir.join("j.fio"), dir.join("j_bw.1.log")).unwrap();
    std::fs::copy(dir.join("j.fio"), dir.join("agg-read_bw.log")).unwrap();
    let one = "--name=a --filename=user.dat --rw=read --bs=4k --size=64k";
    let mut cases = Vec::new();
    for command in ["run --no-store", "fio"] {
        for path in ["user.dat", "./sub/../user.dat", "hard"] {
            cases.push((format!("{command} {one} --write_iolog={path}"), "is a file of a job"));
            cases.push((format!("{command} {one} --output={path}"), "is a file of a job"));
        }
        cases.push((format!("{command} j.fio --write_iolog=j.fio"), "is a job file"));
        cases.push((format!("{command} j_bw.1.log --write_bw_log=j"), "is a job file"));
        cases.push((format!("{command} agg-read_bw.log --bandwidth-log"), "is a job file"));
        cases.push((format!("{command} top.fio --output=inc.fio"), "is a job file"));
    }
    for (command, part) in cases {
        let ran = fathom(&command, "", dir);
        one_line(&ran, 3, part);
        assert!(std::fs::read(dir.join("user.dat")).unwrap() == data, "{command}");
        for name in ["j.fio", "j_bw.1.log", "agg-read_bw.log"] {
            assert_eq!(std::fs::read_to_string(dir.join(name)).unwrap(), job, "{command}: {name}");
        }
        assert_eq!(std::fs::read_to_string(dir.join("inc.fio")).unwrap(), "bs=4k\n", "{command}");
    }
    // A trace beside the data is appended to, as in fio.
    for lines in [1, 2] {
        assert_eq!(fathom(&format!("run --no-store {one} --write_iolog=t.log"), "", dir).code, Some(0));
        let text = std::fs::read_to_string(dir.join("t.log")).unwrap();
        assert_eq!(text.matches("fio version 3 iolog").count(), lines);
    }
}

/// `fathom run` replaces earlier outputs of each kind; `fathom fio` replaces what fio does.
#[test]
fn run_replaces_no_foreign_file_by_a_side_output_and_fathom_fio_does() {
    const NOTES: &str = "Dear Ada, \n";
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let job = "--name=a --filename=f --size=64k --bs=4k --ioengine=psync --rw=write";
    let verify = "--verify=crc32c --do_verify=0 --verify_state_save=1";
    let exec = "--name=a --ioengine=exec --program=/bin/true --std_redirect=1";
    let cases = [
        (job, "--output=o", "o", true),
        (job, "--write_bw_log=lg", "lg_bw.1.log", true),
        (job, "--write_hist_log=lg --log_hist_msec=10", "lg_clat_hist.1.log", true),
        (job, "--write_lat_log=lg --log_store_compressed=1 --log_compression=64k", "lg_lat.1.log.fz", true),
        (job, "--bandwidth-log", "agg-write_bw.log", true),
        (job, "--write_iolog=t", "t", true),
        (job, verify, "local-a-0-verify.state", true),
        (exec, "", "a.stdout", false),
        (job, "--exec_prerun=date", "a.prerun.txt", false),
        (job, "--exec_postrun=date", "a.postrun.txt", false),
    ];
    for (job, options, name, again) in cases {
        let path = dir.join(name);
        for linked in [false, true] {
            std::fs::write(dir.join("notes"), NOTES).unwrap();
            match linked {
                true => symlink("notes", &path).unwrap(),
                false => std::fs::write(&path, NOTES).unwrap(),
            }
            let ran = fathom(&format!("run --no-store {job} {options}"), "", dir);
            assert!(ran.code == Some(3) && ran.stderr.contains(name), "{options}: {ran:?}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), NOTES, "{options}");
            std::fs::remove_file(&path).unwrap();
        }
        let ran = fathom(&format!("run --no-store {job} {options}"), "", dir);
        assert!(ran.code == Some(0) && path.exists(), "{options}: {ran:?}");
        if again {
            let ran = fathom(&format!("run --no-store {job} {options}"), "", dir);
            assert_eq!(ran.code, Some(0), "{options}: an earlier output: {ran:?}");
        }
        std::fs::write(&path, NOTES).unwrap();
        let ran = fathom(&format!("fio {job} {options}"), "", dir);
        assert_eq!(ran.code, Some(0), "{options}: {ran:?}");
        assert_ne!(std::fs::read_to_string(&path).unwrap_or_default(), NOTES, "{options}");
        std::fs::remove_file(&path).unwrap();
    }
    for form in ["normal", "json", "json+", "terse", "normal,terse"] {
        let command = format!("run --no-store {job} --output=o --output-format={form}");
        for _ in 0..2 {
            let ran = fathom(&command, "", dir);
            assert_eq!(ran.code, Some(0), "{form}: {ran:?}");
        }
    }
}

/// Data of blocks that fail verification goes to a free name.
#[test]
fn run_dumps_no_block_over_a_file_of_the_user() {
    const NOTES: &str = "Dear Ada, \n";
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let job = "--no-store --name=a --filename=f --size=64k --bs=4k --ioengine=psync --verify=crc32c";
    assert_eq!(fathom(&format!("run {job} --rw=write --do_verify=0"), "", dir).code, Some(0));
    let mut data = std::fs::read(dir.join("f")).unwrap();
    data[2048] ^= 1;
    std::fs::write(dir.join("f"), data).unwrap();
    std::fs::write(dir.join("f.0.received"), NOTES).unwrap();
    let ran = fathom(&format!("run {job} --rw=read --verify_dump=1"), "", dir);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(std::fs::read_to_string(dir.join("f.0.received")).unwrap(), NOTES);
    assert_eq!(std::fs::metadata(dir.join("f.0.received.1")).unwrap().len(), 4096);
}

/// A mistyped path of a store creates no directories.
#[test]
fn store_in_a_directory_that_does_not_exist_is_refused() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for command in ["run --name=a --ioengine=null --size=1m", "sweep model:size=1m --iodepth 1 --runtime 1"] {
        let ran = fathom(&format!("{command} --store=none/x"), "", dir);
        assert!(ran.code == Some(5) && ran.stderr.contains("none/x"), "{ran:?}");
        assert!(ran.stdout.is_empty() && !dir.join("none").exists(), "{ran:?}");
    }
}

/// A named pipe without a reader is no output of `explore` either, and is not waited for before anything is measured.
#[test]
fn job_file_of_explore_does_not_wait_for_a_pipe() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let mut mkfifo = Command::new("mkfifo");
    assert_eq!(child::run(mkfifo.arg(dir.join("pipe")), LIMIT).unwrap().code, Some(0));
    // On a simulated device the study always ends in a recommendation.
    let ran = fathom(
        "explore model:servers=8;law=constant:1ms --budget 30s --patterns 4k-randread --questions depth --no-store --job pipe",
        "",
        dir,
    );
    assert!(ran.code == Some(5) && ran.stderr.contains("no process reads from this named pipe"), "{ran:?}");
}

/// A result that does not fit leaves what was there before; one that fits takes its place, with its mode.
#[test]
fn file_that_a_result_replaces_stays_until_all_is_written() {
    skip_without!(Need::Root);
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), "", dir).code, Some(0));
    let small = Mount::new(FileSystem::Tmpfs, 4 << 20).unwrap();
    let page = small.path().join("page.html");
    let old = "<!doctype html>\n<!-- Written by fathom -->\nthe old page";
    std::fs::write(&page, old).unwrap();
    std::fs::set_permissions(&page, std::fs::Permissions::from_mode(0o640)).unwrap();
    let args = format!("report R1 -o {}", page.display());
    let mut filler = std::fs::File::create(small.path().join("filler")).unwrap();
    while std::io::Write::write(&mut filler, &[7; 64 << 10]).is_ok() {}
    let full = fathom(&args, "", dir);
    one_line(&full, 5, "could not be written");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), old);
    filler.set_len(0).unwrap();
    assert_eq!(fathom(&args, "", dir).code, Some(0));
    assert!(std::fs::read_to_string(&page).unwrap().contains("</html>"));
    assert_eq!(std::fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(std::fs::read_dir(small.path()).unwrap().count(), 2, "something was left beside it");
}

/// A store that the user names is an output; one that nobody named may be missing.
#[test]
fn store_that_was_named_and_cannot_be_written_has_status_5() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    sandbox.put("text", "precious").unwrap();
    sandbox.file("read", 2 << 20).unwrap();
    let study = "explore model:law=constant:1ms --budget=20s --questions=depth --patterns=4k-randread";
    for args in [
        format!("run {JOB} --store=text"),
        "read --seconds=1 --store=text".into(),
        format!("{study} --store=text"),
    ] {
        let ran = fathom(&args, "", dir);
        assert!(ran.code == Some(5) && ran.stderr.contains("not stored"), "{args}: {ran:?}");
        assert!(!ran.stdout.is_empty(), "{args}: no result");
    }
    assert_eq!(std::fs::read_to_string(dir.join("text")).unwrap(), "precious");
}

/// A pipe that nobody writes to is no result, and is not waited for.
#[test]
fn named_pipe_is_no_result_to_read() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let pipe = dir.join("pipe.json");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    for args in ["report pipe.json -o page.html", "compare pipe.json pipe.json"] {
        one_line(&fathom(args, "", dir), 1, "not a regular file");
    }
}

/// A run says as much when it is named twice as when it is named once.
#[test]
fn run_named_twice_on_one_side_is_refused() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    assert_eq!(fathom(&format!("run {JOB}"), "", dir).code, Some(0));
    std::fs::write(dir.join("r.json"), fathom("export R1 --json", "", dir).stdout).unwrap();
    for side in ["R1,R1", "r.json,./r.json"] {
        one_line(&fathom(&format!("compare {side} R1"), "", dir), 1, "is named twice");
    }
}
