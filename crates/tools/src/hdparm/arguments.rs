//! hdparm's command line: flags and devices are taken in order, and flags apply to the devices behind them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Timings that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions {
    /// Time cached reads (`-T`).
    pub cached: bool,
    /// Time device reads (`-t`).
    pub disk: bool,
    /// Identify the device (`-I`).
    pub identify: bool,
    /// Read with O_DIRECT (`--direct`).
    pub direct: bool,
    /// First GiB of `-t` (`--offset`).
    pub offset: Option<u64>,
}

impl Actions {
    /// Returns whether nothing that fathom does is asked for: hdparm would show settings of the device.
    pub fn is_empty(&self) -> bool {
        !(self.cached || self.disk || self.identify) && self.offset.is_none()
    }
}

/// One step of the program, in the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Time a device.
    Device(PathBuf, Actions),
    /// Print the help (`-h`) and end.
    Help,
    /// Print the version (`-V`) and end.
    Version,
    /// The command line is wrong from here on.
    Fault(HdparmFault),
}

/// Reason why a command line is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HdparmFault {
    /// hdparm prints its usage with this number.
    Usage(u32),
    /// No flag has this name.
    UnknownFlag(String),
    /// The value of `--offset` is no number.
    Offset,
    /// An option of hdparm that fathom does not have.
    NotSupported(String),
}

/// Letters of hdparm's flags.
const LETTERS: &[u8] = b"aAbBcCdDEfFgHiJkKLmMnNpPqQrRsSuUvwWxXyYzZ";

/// Long flags of hdparm beside `--direct` and `--offset`.
const LONG: [&str; 38] = [
    "dco-freeze",
    "dco-identify",
    "dco-restore",
    "dco-setmax",
    "drq-hsm-error",
    "fallocate",
    "fibmap",
    "fwdownload",
    "fwdownload-mode3",
    "fwdownload-mode3-max",
    "fwdownload-mode7",
    "fwdownload-modee",
    "fwdownload-modee-max",
    "idle-immediate",
    "idle-unload",
    "Iraw",
    "Istdin",
    "Istdout",
    "make-bad-sector",
    "please-destroy-my-drive",
    "prefer-ata12",
    "read-sector",
    "repair-sector",
    "sanitize-antifreeze-lock",
    "sanitize-block-erase",
    "sanitize-crypto-scramble",
    "sanitize-freeze-lock",
    "sanitize-overwrite",
    "sanitize-overwrite-passes",
    "sanitize-status",
    "security-erase",
    "security-help",
    "set-sector-size",
    "trim-sector-ranges",
    "trim-sector-ranges-stdin",
    "verbose",
    "write-sector",
    "yes-i-know-what-i-am-doing",
];

/// Reads the words behind the program's name.
pub fn steps(args: &[OsString]) -> Vec<Step> {
    let mut reader = Reader::default();
    let mut rest = args.iter();
    if args.is_empty() {
        return vec![Step::Fault(HdparmFault::Usage(6))];
    }
    let mut flags_end = false;
    while let Some(arg) = rest.next() {
        let bytes = arg.as_bytes();
        if flags_end || bytes.first() != Some(&b'-') {
            reader.device(arg.into());
        } else if bytes == b"-" {
            reader.fault(HdparmFault::Usage(8));
        } else if bytes == b"--" {
            flags_end = true;
        } else if let Some(name) = bytes.strip_prefix(b"--") {
            reader.long(&String::from_utf8_lossy(name), &mut rest);
        } else {
            bytes[1..].iter().for_each(|letter| reader.letter(*letter));
        }
        if reader.ended {
            return reader.steps;
        }
    }
    if reader.pending {
        reader.fault(HdparmFault::Usage(11));
    }
    reader.steps
}

#[derive(Default)]
struct Reader {
    steps: Vec<Step>,
    actions: Actions,
    /// Whether flags have no device yet.
    pending: bool,
    /// Whether a flag was taken after which long flags of unknown names are reported in another way.
    taken: bool,
    /// Whether the steps end here.
    ended: bool,
}

impl Reader {
    fn end(&mut self, step: Step) {
        if !self.ended {
            self.steps.push(step);
            self.ended = true;
        }
    }

    fn fault(&mut self, fault: HdparmFault) {
        self.end(Step::Fault(fault));
    }

    fn device(&mut self, path: PathBuf) {
        self.pending = false;
        self.steps.push(Step::Device(path, self.actions.clone()));
    }

    fn letter(&mut self, letter: u8) {
        (self.pending, self.taken) = (true, true);
        match letter {
            b't' => self.actions.disk = true,
            b'T' => self.actions.cached = true,
            b'I' => self.actions.identify = true,
            b'h' => self.end(Step::Help),
            b'V' => self.end(Step::Version),
            letter if LETTERS.contains(&letter) => {
                self.fault(HdparmFault::NotSupported(format!("-{}", char::from(letter))));
            }
            _ => self.fault(HdparmFault::Usage(10)),
        }
    }

    fn long<'a>(&mut self, name: &str, rest: &mut impl Iterator<Item = &'a OsString>) {
        self.pending = true;
        if name.eq_ignore_ascii_case("direct") {
            self.actions.direct = true;
        } else if name.eq_ignore_ascii_case("offset") {
            self.taken = true;
            match rest.next().and_then(|value| gib(&value.to_string_lossy())) {
                Some(gib) => self.actions.offset = Some(gib),
                None => self.fault(HdparmFault::Offset),
            }
        } else if LONG.iter().any(|long| long.eq_ignore_ascii_case(name)) {
            self.fault(HdparmFault::NotSupported(format!("--{name}")));
        } else if self.taken {
            self.fault(HdparmFault::Usage(1));
        } else {
            self.fault(HdparmFault::UnknownFlag(name.to_owned()));
        }
    }
}

/// Reads the value of `--offset`, decimal or hexadecimal.
fn gib(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None if text.bytes().all(|c| c.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}
