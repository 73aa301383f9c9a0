//! `fathom dd` beside dd of coreutils: drawn and wrong command lines, signals, consent, and the lines that dd lacks.

use crate::common::{draws, fresh_seed};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testbed::bounded::wait_within;
use testbed::child::{Ran, run};
use testbed::loopdev::Setup;
use testbed::{Bounded, Cap, CappedLoop, LoopDevice, Need, Sandbox, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(60);
const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");

/// The original and ours, which prints nothing else.
fn both() -> [Vec<String>; 2] {
    [vec!["dd".into()], vec![FATHOM.into(), "dd".into(), "--plain".into()]]
}

fn ours(args: &[&str]) -> Command {
    let mut command = Command::new(FATHOM);
    command.arg("dd").args(args).env("LC_ALL", "C");
    command
}

/// Replaces time and rate, which differ from run to run.
fn masked(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines = text.split('\n').map(|line| match line.split_once(" copied, ") {
        Some((bytes, rest)) if rest.ends_with("B/s") && rest.contains(" s, ") => {
            format!("{bytes} copied, T s, R B/s")
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Kinds of input.
#[derive(Clone, Copy, Debug, PartialEq)]
enum From {
    Name,
    Stdin,
    Pipe,
    Nothing,
}

/// Kinds of output.
#[derive(Clone, Copy, Debug, PartialEq)]
enum To {
    Name,
    Stdout,
    Pipe,
}

/// A command line with its input.
#[derive(Clone, Debug)]
struct Case {
    args: Vec<String>,
    data: Vec<u8>,
    from: From,
    to: To,
    /// Contents of the output file before; `None` if it does not exist.
    before: Option<Vec<u8>>,
}

/// What a command line leaves: status or signal, standard error, pipe, output file.
type Left = (Option<i32>, String, Vec<u8>, Option<Vec<u8>>);

/// Runs `program` with the case in a new directory.
fn left(program: &[String], case: &Case) -> Left {
    let sandbox = Sandbox::in_memory().unwrap();
    std::fs::write(sandbox.join("in"), &case.data).unwrap();
    if let Some(before) = &case.before {
        std::fs::write(sandbox.join("out"), before).unwrap();
    }
    let mut command = Command::new(&program[0]);
    command.args(&program[1..]).args(&case.args).current_dir(sandbox.path()).env("LC_ALL", "C");
    command.stdin(match case.from {
        From::Name | From::Nothing => Stdio::null(),
        From::Stdin => File::open(sandbox.join("in")).unwrap().into(),
        From::Pipe => {
            // The data fit into the pipe, so that every read finds all of them.
            let (reader, mut writer) = std::io::pipe().unwrap();
            writer.write_all(&case.data).unwrap();
            reader.into()
        }
    });
    let mut from_pipe = None;
    command.stdout(match case.to {
        To::Name => Stdio::null(),
        To::Stdout => File::create(sandbox.join("out")).unwrap().into(),
        To::Pipe => {
            let (mut reader, writer) = std::io::pipe().unwrap();
            from_pipe = Some(std::thread::spawn(move || {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).map(|_| bytes)
            }));
            Stdio::from(writer)
        }
    });
    command.stderr(File::create(sandbox.join("err")).unwrap());
    let mut child = command.with_default_signals().spawn().unwrap();
    // The ends of the pipes in `command` would keep the readers waiting.
    drop(command);
    let status = wait_within(&mut child, LIMIT).unwrap_or_else(|e| panic!("{e}: {case:?}"));
    let piped = from_pipe.map(|thread| thread.join().unwrap().unwrap()).unwrap_or_default();
    let err = std::fs::read(sandbox.join("err")).unwrap();
    (status.code(), masked(&err), piped, std::fs::read(sandbox.join("out")).ok())
}

#[track_caller]
fn same(case: &Case, note: &str) {
    let [original, ours] = both().map(|program| left(&program, case));
    assert!(
        original == ours,
        "{note} {:?} ({} bytes, {:?} to {:?})\n{}\n{}\nsame output: {} {}",
        case.args,
        case.data.len(),
        case.from,
        case.to,
        original.1,
        ours.1,
        original.2 == ours.2,
        original.3 == ours.3
    );
}

const SIZES: &str = "1 2 3 7 16 64 100 512 513 1k 1kB 2b 3w 4096 600 1c 5x3 2xb 10B 1KiB 0 4k 1Bx7";
const AMOUNTS: &str = "0 1 2 3 5 9 10 40 3B 100B 512B 700B 1000B 5000B 1kB 1x2 2Bx5 0x1 1KB";
const FLAGS: &str = "append direct directory dsync sync noatime nocache noctty nofollow nonblock fullblock count_bytes \
                     skip_bytes seek_bytes";
const CONVERSIONS: &str = "ascii ebcdic ibm block unblock lcase ucase sparse swab sync excl nocreat notrunc noerror \
                           fdatasync fsync";
const STATUS: &str = "none noxfer progress";
const LENGTHS: [usize; 13] = [0, 1, 5, 511, 512, 513, 1000, 1024, 3000, 4096, 5000, 9999, 10_240];

/// Draws the contents of an input: noise, zeros, lines, or blocks of both.
fn contents(draw: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let length = LENGTHS[draw(LENGTHS.len())];
    let kind = draw(4);
    let mut bytes = Vec::new();
    while bytes.len() < length {
        match kind {
            0 => bytes.push(draw(256) as u8),
            1 => bytes.push(0),
            2 if draw(8) == 0 => bytes.push(b'\n'),
            2 => bytes.push(b"abcXYZ 012"[draw(10)]),
            _ => {
                let byte = if draw(2) == 0 { 0 } else { draw(256) as u8 };
                bytes.extend(std::iter::repeat_n(byte, [3, 64, 512, 600][draw(4)]));
            }
        }
    }
    bytes.truncate(length);
    bytes
}

fn drawn(draw: &mut impl FnMut(usize) -> usize) -> Case {
    let mut args: Vec<String> = Vec::new();
    let one = |draw: &mut dyn FnMut(usize) -> usize, words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        words[draw(words.len())].to_owned()
    };
    let list = |draw: &mut dyn FnMut(usize) -> usize, words: &str| {
        let length = 1 + draw(3) / 2 + draw(3) / 2;
        (0..length).map(|_| one(draw, words)).collect::<Vec<_>>().join(",")
    };
    let from = [From::Name, From::Name, From::Stdin, From::Pipe, From::Pipe, From::Nothing][draw(6)];
    let mut count = draw(5) < 2;
    match from {
        From::Name => args.push("if=in".into()),
        From::Nothing => {
            let name = ["/dev/null", "/dev/zero", "."][draw(3)];
            count |= name == "/dev/zero";
            args.push(format!("if={name}"));
        }
        From::Stdin | From::Pipe => {}
    }
    let to = [To::Name, To::Name, To::Name, To::Stdout, To::Pipe][draw(5)];
    if to == To::Name {
        args.push(format!("of={}", ["out", "out", "out", "out", "/dev/full", "/dev/null"][draw(6)]));
    }
    if draw(2) == 0 {
        args.push(format!("bs={}", one(draw, SIZES)));
    } else {
        for name in ["ibs", "obs"] {
            if draw(5) < 3 {
                args.push(format!("{name}={}", one(draw, SIZES)));
            }
        }
    }
    if count {
        args.push(format!("count={}", one(draw, AMOUNTS)));
    }
    for names in [["skip", "iseek"], ["seek", "oseek"]] {
        if draw(3) == 0 {
            args.push(format!("{}={}", names[draw(2)], one(draw, AMOUNTS)));
        }
    }
    if draw(3) == 0 {
        args.push(format!("cbs={}", one(draw, SIZES)));
    }
    if draw(2) == 0 {
        let conversions = list(draw, CONVERSIONS);
        // With noerror, the read of a directory fails for ever.
        let endless = args.iter().any(|arg| arg == "if=.") && conversions.contains("noerror");
        args.push(format!("conv={}", if endless { "sync" } else { &conversions }));
    }
    for name in ["iflag", "oflag"] {
        if draw(4) == 0 {
            args.push(format!("{name}={}", list(draw, FLAGS)));
        }
    }
    if draw(6) == 0 {
        args.push(format!("status={}", list(draw, STATUS)));
    }
    let before = (to == To::Name && draw(2) == 0).then(|| vec![b'#'; 4000]);
    Case { args, data: contents(draw), from, to, before }
}

fn drawn_lines(lines: usize, seed: u64) {
    let mut draw = draws(seed);
    for nth in 0..lines {
        let case = drawn(&mut draw);
        same(&case, &format!("seed {seed}, line {nth}:"));
    }
}

#[test]
fn drawn_command_lines_equal_dd() {
    skip_without!(Need::Program("dd"));
    drawn_lines(150, fresh_seed("drawn_command_lines_equal_dd"));
}

#[test]
#[ignore = "takes a minute: 2,000 drawn command lines"]
fn two_thousand_drawn_command_lines_equal_dd() {
    skip_without!(Need::Program("dd"));
    drawn_lines(2000, fresh_seed("two_thousand_drawn_command_lines_equal_dd"));
}

#[test]
fn wrong_command_lines_equal_dd() {
    skip_without!(Need::Program("dd"));
    let lines = [
        "foo",
        "=5",
        "Bs=3",
        "bs=",
        "bs=0",
        "bs=1m",
        "bs=-1",
        "bs=x5",
        "bs=5x",
        "bs=1GG",
        "bs=1Ki",
        "bs=1Q",
        "bs=99999999999999999999",
        "bs=9223372036854775807",
        "ibs=0",
        "obs=q",
        "cbs=0",
        "count=-1",
        "count=8E",
        "count=1x1B",
        "count=2x3x4",
        "count=99999999999999999999q",
        "skip=4Ex4",
        "seek=0.5",
        "conv=",
        "conv=foo",
        "conv=ascii,ibm",
        "conv=block,unblock cbs=3",
        "conv=lcase,ucase",
        "conv=excl,nocreat",
        "iflag=foo,",
        "iflag=direct,nocache",
        "oflag=fullblock",
        "oflag=nolinks",
        "status=foo",
        "-x",
        "--foo",
        "--version=3",
        "if=nope",
        "of=nope/x",
        "if=in of=in/",
        "if=in of=. count=1",
        "if=in of=out bs=1E",
        "if=in ibs=1 obs=4E",
        "if=in of=out seek=9223372036854775807",
        "if=in of=out seek=1EB",
        "if=in count=0x5 conv=nocreat of=out",
        "conv=excl of=in",
        "if=in oflag=directory of=out",
        "if=it's",
        "if=a$b",
        "if=a\\b",
        "if=#x",
        "if=~ of=y:z",
    ];
    for line in lines {
        let args = line.split(' ').map(str::to_owned).collect();
        let case = Case { args, data: b"data".to_vec(), from: From::Nothing, to: To::Pipe, before: None };
        same(&case, "");
    }
}

/// A copy that waits for input, its standard error in a file.
struct Waiting {
    child: std::process::Child,
    input: std::process::ChildStdin,
    err: PathBuf,
}

impl Waiting {
    fn start(sandbox: &Sandbox, program: &[String], args: &[&str]) -> Waiting {
        let err = sandbox.join("err");
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]).args(args).env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::null());
        command.stderr(File::create(&err).unwrap());
        let mut child = command.with_default_signals().spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let mut waiting = Waiting { child, input, err };
        waiting.input.write_all(&[7; 700]).unwrap();
        waiting
    }

    /// Sends a signal until standard error has a line with `text`: before the handler is there, a signal could end it.
    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).output_within(TOOL_LIMIT).unwrap();
        assert!(sent.status.success());
    }

    /// Waits until `done` of: whether the process handles SIGUSR1, whether it sleeps, and the bytes that it wrote.
    fn until(&self, done: impl Fn(bool, bool, u64) -> bool) {
        let end = Instant::now() + LIMIT;
        let process = PathBuf::from(format!("/proc/{}", self.child.id()));
        let field = |file: &str, name: &str| {
            let text = std::fs::read_to_string(process.join(file)).unwrap_or_default();
            text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned()
        };
        loop {
            let mask = u64::from_str_radix(&field("status", "SigCgt:"), 16).unwrap_or(0);
            let written = field("io", "wchar:").parse().unwrap_or(0);
            if done(mask & (1 << 9) != 0, field("status", "State:").starts_with('S'), written) {
                return;
            }
            assert!(Instant::now() < end, "not ready");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the process handles SIGUSR1 and has read everything.
    fn ready(&self) {
        self.until(|caught, _, written| caught && written >= 512);
    }

    fn wait_for(&self, text: &str) {
        let end = Instant::now() + LIMIT;
        while !self.said().contains(text) {
            assert!(Instant::now() < end, "{text}: {}", self.said());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn said(&self) -> String {
        masked(&std::fs::read(&self.err).unwrap())
    }

    fn end(mut self) -> (std::process::ExitStatus, String) {
        drop(self.input);
        let status = wait_within(&mut self.child, LIMIT).unwrap();
        (status, masked(&std::fs::read(&self.err).unwrap()))
    }
}

#[test]
fn signals_print_statistics_as_dd_does() {
    use std::os::unix::process::ExitStatusExt;
    skip_without!(Need::Program("dd"));
    let said = both().map(|program| {
        let sandbox = Sandbox::in_memory().unwrap();
        let waiting = Waiting::start(&sandbox, &program, &["bs=1000"]);
        waiting.ready();
        waiting.signal("USR1");
        waiting.wait_for("copied, T s");
        let (status, usr1) = waiting.end();
        let waiting = Waiting::start(&sandbox, &program, &["bs=1000"]);
        waiting.ready();
        waiting.signal("INT");
        waiting.wait_for("copied, T s");
        let (killed, int) = waiting.end();
        (status.code(), usr1, killed.signal(), int)
    });
    assert_eq!(said[0], said[1]);
    assert_eq!((said[1].0, said[1].2), (Some(0), Some(2)));
    assert_eq!(said[1].1.matches("0+1 records in\n0+1 records out\n700 bytes copied").count(), 2, "{said:?}");
}

/// The open of a named pipe waits for its other end: SIGUSR1 prints statistics meanwhile, SIGINT ends it.
#[test]
fn a_signal_ends_the_wait_for_a_named_pipe_as_with_dd() {
    use std::os::unix::process::ExitStatusExt;
    skip_without!(Need::Program("dd"), Need::Program("mkfifo"));
    for side in ["if", "of"] {
        let ends = both().map(|program| {
            let sandbox = Sandbox::in_memory().unwrap();
            let pipe = sandbox.join("pipe");
            let made = Command::new("mkfifo").arg(&pipe).output_within(TOOL_LIMIT).unwrap();
            assert!(made.status.success());
            let waiting = Waiting::start(&sandbox, &program, &[&format!("{side}={}", pipe.display())]);
            waiting.until(|caught, asleep, _| caught && asleep);
            waiting.signal("USR1");
            waiting.wait_for("copied, T s");
            waiting.until(|caught, asleep, _| caught && asleep);
            waiting.signal("INT");
            let (status, said) = waiting.end();
            (status.signal(), said)
        });
        assert_eq!(ends[0], ends[1], "{side}");
        assert_eq!((ends[1].0, ends[1].1.matches("0+0 records in").count()), (Some(2), 2), "{ends:?}");
    }
}

#[test]
fn a_closed_pipe_ends_the_copy_as_it_ends_dd() {
    use std::os::unix::process::ExitStatusExt;
    skip_without!(Need::Program("dd"));
    for ignored in ["", "trap '' PIPE; "] {
        let ends = both().map(|program| {
            let mut command = Command::new("sh");
            let script = format!("{ignored}exec \"$@\" if=/dev/zero bs=4k count=1000");
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let sandbox = Sandbox::in_memory().unwrap();
            command.args(["-c", &script, "sh"]).args(&program).env("LC_ALL", "C").stdout(writer);
            command.stdin(Stdio::null()).stderr(File::create(sandbox.join("err")).unwrap());
            let mut child = command.with_default_signals().spawn().unwrap();
            let status = wait_within(&mut child, LIMIT).unwrap();
            (status.code(), status.signal(), masked(&std::fs::read(sandbox.join("err")).unwrap()))
        });
        assert_eq!(ends[0], ends[1], "{ignored}");
    }
}

#[test]
fn closed_descriptors_fail_as_with_dd() {
    skip_without!(Need::Program("dd"));
    for script in [
        "if=/dev/zero count=1 <&- >&-",
        "count=1 of=out <&-",
        "if=in >&-",
        "if=in of=out 2>&-",
        "if=in of=out 2>/dev/full",
        "if=in of=out status=none 2>/dev/full",
        "if=in of=/dev/full",
    ] {
        let ends = both().map(|program| {
            let sandbox = Sandbox::in_memory().unwrap();
            std::fs::write(sandbox.join("in"), [7; 700]).unwrap();
            let mut command = Command::new("sh");
            command
                .args(["-c", &format!("exec \"$@\" {script}"), "sh"])
                .args(&program)
                .current_dir(sandbox.path());
            let ran = command.env("LC_ALL", "C").output_within(TOOL_LIMIT).unwrap();
            (ran.status.code(), masked(&ran.stderr), std::fs::read(sandbox.join("out")).ok())
        });
        assert_eq!(ends[0], ends[1], "{script}");
    }
}

#[test]
fn a_link_named_dd_speaks_under_its_name() {
    let sandbox = Sandbox::in_memory().unwrap();
    let link = sandbox.join("dd");
    std::os::unix::fs::symlink(FATHOM, &link).unwrap();
    let ran = run(Command::new(&link).arg("foo"), LIMIT).unwrap();
    let name = link.display();
    assert_eq!(
        ran.stderr,
        format!("{name}: unrecognized operand 'foo'\nTry '{name} --help' for more information.\n")
    );
    assert_eq!(ran.code, Some(1));
    let ran =
        run(ours(&["if=/dev/zero", "of=/dev/null", "count=1"]).current_dir(sandbox.path()), LIMIT).unwrap();
    assert!(
        ran.stderr.contains("1+0 records out\n") && ran.stderr.contains("\nfathom: input: /dev/zero"),
        "{ran:#?}"
    );
}

#[test]
fn a_device_with_data_and_files_in_use_are_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let device = LoopDevice::sparse(8 << 20, Setup::default()).unwrap();
    let to = format!("of={}", device.path().display());
    let sandbox = Sandbox::in_memory().unwrap();
    let zero = |more: &[&str]| {
        run(
            ours(&[&["if=/dev/zero", "bs=64k", "count=2", &to], more].concat()).current_dir(sandbox.path()),
            LIMIT,
        )
        .unwrap()
    };
    assert_eq!(zero(&["--plain"]).code, Some(0), "an empty device");
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let mut mkfs = Command::new("mkfs.ext4");
    assert!(
        mkfs.args(["-q", "-F"])
            .arg(device.path())
            .env("PATH", path)
            .output_within(TOOL_LIMIT)
            .unwrap()
            .status
            .success()
    );
    let before = std::fs::read(device.path()).unwrap();
    let refused = |ran: &Ran, found: &str| {
        let line = ran.stderr.lines().count() == 1 && ran.stderr.starts_with("refused: dd would overwrite ");
        assert!(ran.code == Some(3) && line && ran.stderr.contains(found), "{ran:#?}");
        assert!(ran.stderr.contains("--allow-destroy=") && !ran.stderr.contains("UNGUARDED"), "{ran:#?}");
    };
    refused(&zero(&[]), "ext4");
    let by_stdout = format!("exec \"$0\" dd if=/dev/zero count=1 > {}", device.path().display());
    refused(&run(Command::new("sh").args(["-c", &by_stdout, FATHOM]), LIMIT).unwrap(), "ext4");
    let backing = format!("of={}", device.backing().display());
    refused(&run(&mut ours(&["if=/dev/zero", "count=1", &backing]), LIMIT).unwrap(), "loop");
    // Standard output may be a file that has no name any more.
    let backing = sandbox.join("backing");
    std::fs::write(&backing, [7; 4096]).unwrap();
    let unnamed = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    let script = "exec 1<>\"$1\"; rm \"$1\"; exec \"$0\" dd if=/dev/zero count=1 conv=notrunc";
    let mut by_descriptor = Command::new("sh");
    by_descriptor.args(["-c", script, FATHOM]).arg(&backing);
    refused(&run(&mut by_descriptor, LIMIT).unwrap(), "loop");
    assert!(std::fs::read(unnamed.path()).unwrap() == [7; 4096], "the file without a name changed");
    assert!(std::fs::read(device.path()).unwrap() == before, "the device changed");
    let allow = format!("--allow-destroy={}", device.path().display());
    let ran = zero(&[&allow]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(std::fs::read(device.path()).unwrap()[..128 << 10].iter().all(|byte| *byte == 0));
}

/// A wrapper between the shell and `fathom dd` has the device open as its standard output, too.
#[test]
fn a_wrapper_that_passes_standard_output_on_is_no_writer() {
    skip_without!(Need::Loop, Need::Program("timeout"), Need::Program("nice"));
    let device = LoopDevice::sparse(8 << 20, Setup::default()).unwrap();
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script, FATHOM]).arg(device.path()).env("LC_ALL", "C");
        run(&mut command, LIMIT).unwrap()
    };
    let dd = "\"$0\" dd if=/dev/zero bs=64k count=2";
    for wrapper in ["timeout 60", "timeout 60 nice", "nice timeout 60"] {
        let ran = shell(&format!("{wrapper} {dd} > \"$1\""));
        assert_eq!(ran.code, Some(0), "{wrapper}: {ran:#?}");
    }
    let ran = shell(&format!("exec 1>\"$1\"; {dd}; exit $?"));
    assert_eq!(ran.code, Some(0), "the shell: {ran:#?}");
    // A second open of the shell, and the same open in a process that is no ancestor.
    for script in [
        format!("exec 5<>\"$1\"; timeout 60 {dd} > \"$1\"; exit $?"),
        format!("exec 1>\"$1\"; sleep 60 & timeout 60 {dd}; code=$?; kill $!; exit $code"),
    ] {
        let ran = shell(&script);
        assert!(ran.code == Some(3) && ran.stderr.contains("has it open for writing"), "{script}: {ran:#?}");
    }
}

/// Lines of standard error that are fathom's.
fn own_lines(ran: &Ran) -> Vec<&str> {
    ran.stderr.lines().filter_map(|line| line.strip_prefix("fathom: ")).collect()
}

#[test]
fn the_lines_below_say_where_the_data_were() {
    let sandbox = Sandbox::new().unwrap();
    std::fs::write(sandbox.join("cached"), vec![7; 1 << 20]).unwrap();
    sandbox.sparse("hole", 1 << 20).unwrap();
    let copy = |args: &[&str]| run(ours(args).current_dir(sandbox.path()), LIMIT).unwrap();
    let ran = copy(&["if=cached", "of=out", "bs=64k"]);
    let lines = own_lines(&ran);
    assert!(lines[0].starts_with("input: 100 % of 1.05 MB needed no read of a device"), "{ran:#?}");
    assert!(lines[0].contains("1.05 MB in the page cache") && lines[1].starts_with("output: "), "{ran:#?}");
    assert_eq!(lines.len(), 2, "no claim about zeros: {ran:#?}");
    let ran = copy(&["if=hole", "of=out", "bs=64k"]);
    // Of a file system in memory, no rate is that of storage.
    let in_memory = ran.stderr.contains("has no block device");
    let lines = own_lines(&ran);
    assert!(
        lines[0].contains("1.05 MB in holes")
            && (ran.stderr.contains("all bytes copied are zeros") || in_memory),
        "{ran:#?}"
    );
    let ran = copy(&["if=hole", "of=out", "bs=64k", "conv=fsync"]);
    assert!(
        own_lines(&ran)[1].contains("within the time") || own_lines(&ran)[1].contains("no block device"),
        "{ran:#?}"
    );
    let ran = copy(&["if=cached", "of=out", "bs=64k", "--sync-after"]);
    assert!(own_lines(&ran).iter().any(|line| line.contains("with a flush of")), "{ran:#?}");
    for quiet in ["status=none", "status=noxfer", "--plain"] {
        assert_eq!(own_lines(&copy(&["if=cached", "of=out", quiet])), [""; 0], "{quiet}");
    }
}

/// strace lets the flush fail: no line claims that the data are on the device.
#[test]
fn a_failed_flush_is_an_error_and_never_claimed() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    std::fs::write(sandbox.join("in"), [7; 5000]).unwrap();
    let cases = [
        ("fsync", "--sync-after"),
        ("fsync", "--sync-after status=none"),
        ("fsync", "--sync-after --plain"),
        ("fsync", "conv=fsync"),
        ("fdatasync", "conv=fdatasync"),
        // Its second flush would succeed.
        ("fdatasync", "conv=fdatasync --sync-after"),
    ];
    for (call, operands) in cases {
        let mut command = Command::new("strace");
        command.args(["-qq", "-o", "trace", "-e", &format!("trace={call}")]);
        command.args(["-e", &format!("inject={call}:error=EIO")]).args([FATHOM, "dd", "if=in", "of=out"]);
        command.args(operands.split(' ')).current_dir(sandbox.path()).env("LC_ALL", "C");
        let ran = run(&mut command, LIMIT).unwrap();
        assert_eq!(ran.code, Some(1), "{operands}: {ran:#?}");
        let error = format!("{call} failed for 'out': Input/output error");
        assert_eq!(ran.stderr.matches(&error).count(), 1, "{operands}: {ran:#?}");
        let quiet = operands.contains("=none") || operands.contains("--plain");
        let told = own_lines(&ran).iter().any(|line| line.starts_with("output: the flush failed"));
        assert_eq!(told, !quiet, "{operands}: {ran:#?}");
        for claim in ["within the time", "with a flush of", "left the page cache"] {
            assert!(!ran.stderr.contains(claim), "{operands}: {ran:#?}");
        }
    }
}

/// The file below a loop device has no space left: the writes fail after the copy, in the page cache's writeback.
#[test]
fn sync_after_reports_writes_that_a_full_file_system_lost() {
    skip_without!(Need::Loop, Need::Root);
    let sandbox = Sandbox::new().unwrap();
    let at = sandbox.join("small");
    std::fs::create_dir(&at).unwrap();
    let mount = |options: &[&str]| {
        let mut command = Command::new("mount");
        command.args(options).arg(&at).output_within(TOOL_LIMIT).unwrap().status.success()
    };
    if !mount(&["-t", "tmpfs", "-o", "size=4m", "tmpfs"]) {
        println!("SKIP sync_after_reports_writes_that_a_full_file_system_lost: no tmpfs can be mounted");
        return;
    }
    std::fs::File::create(at.join("backing")).unwrap().set_len(16 << 20).unwrap();
    let device = LoopDevice::from_file(&at.join("backing"), Setup::default()).unwrap();
    let output = format!("of={}", device.path().display());
    let allow = format!("--allow-destroy={}", device.path().display());
    let args = ["if=/dev/urandom", &output, "bs=1M", "count=12", &allow, "--sync-after"];
    let ran = run(&mut ours(&args), LIMIT).unwrap();
    // A copy of fewer bytes than are written back at once, and one that the kernel begins to write back meanwhile.
    let unsynced = ["count=1", "count=12"]
        .map(|count| run(&mut ours(&["if=/dev/urandom", &output, "bs=1M", count, &allow]), LIMIT).unwrap());
    drop(device);
    let unmounted = Command::new("umount").arg(&at).output_within(TOOL_LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("fsync failed for '/dev/loop"), "{ran:#?}");
    assert!(!ran.stderr.contains("left the page cache") && !ran.stderr.contains("with a flush"), "{ran:#?}");
    for ran in unsynced {
        let claims = ran.stderr.contains("left the page cache for the device");
        assert!(!claims, "{ran:#?}");
    }
    assert!(unmounted.status.success(), "{unmounted:?}");
}

#[test]
fn one_block_is_one_read_and_one_write() {
    skip_without!(Need::Program("strace"), Need::Program("dd"));
    let traces = both().map(|program| {
        let sandbox = Sandbox::in_memory().unwrap();
        std::fs::write(sandbox.join("in"), [7; 10_000]).unwrap();
        // strace finds the path when it starts.
        std::fs::write(sandbox.join("out"), "").unwrap();
        let mut command = Command::new("strace");
        let calls = "trace=read,write,lseek,ftruncate,fsync,fdatasync,fadvise64";
        command.args(["-qq", "-P", "in", "-P", "out", "-o", "trace", "-e", calls]).args(&program);
        command
            .args(["if=in", "of=out", "bs=3000", "skip=1", "seek=2", "conv=fdatasync"])
            .current_dir(sandbox.path());
        assert!(command.env("LC_ALL", "C").output_within(TOOL_LIMIT).unwrap().status.success());
        let trace = std::fs::read_to_string(sandbox.join("trace")).unwrap();
        // Name of the call and its result; the numbers of the descriptors differ.
        let brief = |line: &str| Some(format!("{} {}", line.split_once('(')?.0, line.rsplit_once("= ")?.1));
        trace.lines().filter_map(brief).collect::<Vec<_>>()
    });
    assert_eq!(traces[0], traces[1]);
    assert_eq!(traces[0].iter().filter(|call| call.starts_with("write ")).count(), 3, "{:?}", traces[0]);
}

/// strace lets system calls on the files fail: both programs continue, or end, in the same way.
#[test]
fn injected_errors_end_as_with_dd() {
    skip_without!(Need::Program("strace"), Need::Program("dd"));
    let cases = [
        ("read:error=EIO:when=3", "bs=512"),
        ("read:error=EIO:when=2..4", "bs=512 conv=noerror"),
        ("read:error=EIO:when=2..4", "ibs=500 obs=700 conv=noerror,sync"),
        ("read:error=EINTR:when=2", "bs=512 conv=noerror,sync iflag=fullblock"),
        ("write:error=EIO:when=2", "bs=512"),
        ("write:retval=0:when=2", "ibs=512 obs=100"),
        ("fsync:error=EIO", "bs=512 conv=fsync"),
        ("fdatasync:error=ENOSYS", "bs=512 conv=fdatasync"),
        ("ftruncate:error=EFBIG", "bs=512 seek=1"),
        ("close:error=EIO", "bs=512 status=noxfer"),
    ];
    for (injection, operands) in cases {
        let ends = both().map(|program| {
            let sandbox = Sandbox::in_memory().unwrap();
            std::fs::write(sandbox.join("in"), [7; 5000]).unwrap();
            std::fs::write(sandbox.join("out"), "").unwrap();
            let mut command = Command::new("strace");
            let inject = format!("inject={injection}");
            command.args(["-qq", "-o", "trace", "-P", "in", "-P", "out", "-e", &inject]).args(&program);
            command.args(["if=in", "of=out"]).args(operands.split(' ')).current_dir(sandbox.path());
            let ran = command.env("LC_ALL", "C").output_within(TOOL_LIMIT).unwrap();
            // strace mentions how it resolved a path.
            let err = masked(&ran.stderr);
            let err: Vec<&str> = err.lines().filter(|line| !line.starts_with("strace: ")).collect();
            (ran.status.code(), err.join("\n"), std::fs::read(sandbox.join("out")).unwrap())
        });
        assert!(ends[0] == ends[1], "{injection} {operands}\n{}\n{}", ends[0].1, ends[1].1);
    }
}

/// Rate in bytes per second of a direct read of the device, from the statistics.
fn rate(capped: &CappedLoop, program: &[String], device: &Path) -> f64 {
    let mut command = capped.command(Path::new(&program[0])).unwrap();
    let input = format!("if={}", device.display());
    command.args(&program[1..]).args([&input, "of=/dev/null", "bs=64k", "count=768", "iflag=direct"]);
    let ran = run(command.env("LC_ALL", "C"), LIMIT).unwrap();
    let (bytes, rest) = ran.stderr.lines().last().and_then(|line| line.split_once(" bytes ")).unwrap();
    let seconds = rest.split(" copied, ").nth(1).unwrap().split(' ').next().unwrap();
    bytes.parse::<f64>().unwrap() / seconds.parse::<f64>().unwrap()
}

#[test]
fn measures_the_rate_of_dd_on_a_capped_device() {
    skip_without!(Need::Loop, Need::BlockCgroup, Need::Program("dd"));
    let capped = CappedLoop::new(64 << 20, Cap::ReadBytes(16 << 20)).unwrap();
    let mut rates = [Vec::new(), Vec::new()];
    // Three seconds each: the kernel grants the first tenth of a second at once.
    for _ in 0..3 {
        for (program, rates) in both().iter().zip(&mut rates) {
            rates.push(rate(&capped, program, capped.device.path()));
        }
    }
    let medians = rates.clone().map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[1]
    });
    assert!((medians[1] / medians[0] - 1.0).abs() < 0.03, "{rates:?}");
}
