//! The command line of `fathom stat`: iostat's, read as iostat reads it, and fathom's own options.

use crate::lang;
use facts::SysRoot;
use report::Lang;
use report::stat::{Format, Unit};
use std::path::PathBuf;
use tools::stat::{CounterSource, Listed, Naming, Selection, persistent_names_exist, resolve};

/// What the command line asks for.
#[derive(Debug, Default)]
pub struct Request {
    /// Which devices.
    pub selection: Selection,
    /// How reports look.
    pub format: Format,
    /// Seconds between two reports; `None` for one report since boot.
    pub interval: Option<u64>,
    /// Number of reports; `None` for no limit.
    pub count: Option<u64>,
    /// Leave out the report since boot (`-y`).
    pub omit_first: bool,
    /// Only what iostat prints.
    pub plain: bool,
    /// File to which each report is appended.
    pub history: Option<PathBuf>,
    /// History to show instead of this machine.
    pub from: Option<PathBuf>,
    /// The full-screen view.
    pub watch: bool,
    /// Language of what fathom adds.
    pub lang: Option<Lang>,
}

/// Why a command line is not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// iostat prints its usage.
    Usage,
    /// `/dev/disk` does not have this kind of names.
    NoSuchNames,
    /// One of fathom's options has no value.
    NeedsValue(String),
    /// Two options exclude each other.
    Excluded(&'static str, &'static str),
    /// The value of `--top` is no number above 0.
    BadTop,
    /// `--lang` names an unknown language.
    BadLanguage,
    /// The version is wanted.
    Version,
    /// fathom's help is wanted.
    Help,
}

/// Number of processes that `--top` shows without a value.
const TOP: usize = 10;

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a number of seconds or reports; one that does not fit is as large as possible.
fn number(word: &str) -> u64 {
    if word.is_empty() { 0 } else { word.parse().unwrap_or(u64::MAX) }
}

/// Words that were not read yet.
struct Words<'a>(std::iter::Peekable<std::slice::Iter<'a, String>>);

impl Words<'_> {
    fn value(&mut self) -> Result<String, Refusal> {
        self.0.next().cloned().ok_or(Refusal::Usage)
    }
}

/// State of the reading.
struct Reading<'a> {
    request: Request,
    root: &'a SysRoot,
    unit: Option<Unit>,
    cpu: bool,
    devices: bool,
    /// Options and devices that show devices also beside `-c`.
    about_devices: bool,
    interval: Option<u64>,
    source_given: bool,
}

/// Reads the words of a command line; `own` permits fathom's options, which a link named iostat does not have.
///
/// # Errors
/// The reason why nothing is measured.
pub fn read(words: &[String], root: &SysRoot, own: bool) -> Result<Request, Refusal> {
    let mut reading = Reading {
        request: Request::default(),
        root,
        unit: None,
        cpu: false,
        devices: false,
        about_devices: false,
        interval: None,
        source_given: false,
    };
    let mut words = Words(words.iter().peekable());
    while let Some(word) = words.0.next() {
        if !(own && reading.own_option(word, &mut words)?) {
            reading.word(word, &mut words)?;
        }
    }
    reading.finish()
}

impl Reading<'_> {
    /// Reads an option of fathom; returns whether `word` is one.
    fn own_option(&mut self, word: &str, words: &mut Words<'_>) -> Result<bool, Refusal> {
        let (name, inline) =
            word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value.to_owned())));
        let mut value = || {
            let next = || words.0.next().cloned();
            inline.clone().or_else(next).ok_or_else(|| Refusal::NeedsValue(name.to_owned()))
        };
        match name {
            "--help" if inline.is_none() => return Err(Refusal::Help),
            "--plain" if inline.is_none() => self.request.plain = true,
            "--watch" if inline.is_none() => self.request.watch = true,
            "--cgroup" if inline.is_none() => self.request.selection.cgroups = true,
            "--top" => {
                let most = inline.as_ref().map_or(Ok(TOP), |value| value.parse());
                self.request.selection.processes =
                    most.ok().filter(|most| *most > 0).ok_or(Refusal::BadTop)?;
            }
            "--history" => self.request.history = Some(value()?.into()),
            "--from" => self.request.from = Some(value()?.into()),
            "--lang" => {
                self.request.lang = Some(lang::parse(&value()?).map_err(|_| Refusal::BadLanguage)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn device(&mut self, word: &str, partitions: bool) {
        let name = resolve(self.root, &self.request.selection.naming, word);
        self.request.selection.listed.push(Listed::Device { name, given: word.to_owned(), partitions });
        self.about_devices = true;
    }

    fn word(&mut self, word: &str, words: &mut Words<'_>) -> Result<(), Refusal> {
        match word {
            "--human" => self.request.format.human = true,
            "--pretty" => self.request.format.pretty = true,
            "--compact" => self.request.format.compact = true,
            "--dec=0" => self.request.format.decimals = 0,
            "--dec=1" => self.request.format.decimals = 1,
            "--dec=2" => self.request.format.decimals = 2,
            "-f" | "+f" => {
                let dir = PathBuf::from(words.value()?);
                if self.source_given || !dir.is_dir() {
                    return Err(Refusal::Usage);
                }
                self.source_given = true;
                self.request.selection.source = match word {
                    "-f" => CounterSource::Directory(dir),
                    _ => CounterSource::Both(dir),
                };
            }
            "-g" => {
                let name = words.value()?;
                self.request.selection.listed.push(Listed::Group(name));
            }
            "-j" => {
                let kind = words.value()?;
                if !persistent_names_exist(self.root, &kind) {
                    return Err(Refusal::NoSuchNames);
                }
                self.request.selection.naming = Naming::Persistent(kind);
                self.request.format.pretty = true;
            }
            "-o" => {
                if words.value()? != "JSON" {
                    return Err(Refusal::Usage);
                }
                self.request.format.json = true;
            }
            "-p" => self.partitions(words),
            "ALL" => {
                self.request.selection.all = true;
                self.about_devices = true;
            }
            _ if word.starts_with('-') => word[1..].chars().try_for_each(|letter| self.letter(letter))?,
            _ if is_number(word) => match (self.interval, self.request.count) {
                (None, _) => self.interval = Some(number(word)),
                (Some(0), _) | (_, Some(_)) => return Err(Refusal::Usage),
                (Some(_), None) if number(word) == 0 => return Err(Refusal::Usage),
                (Some(_), None) => self.request.count = Some(number(word)),
            },
            _ => self.device(word, false),
        }
        Ok(())
    }

    /// Reads the value of `-p`, which may have none.
    fn partitions(&mut self, words: &mut Words<'_>) {
        self.about_devices = true;
        let value = words.0.next_if(|next| !next.starts_with('-') && !is_number(next));
        let Some(value) = value else {
            self.request.selection.with_partitions = true;
            return;
        };
        for name in value.split(',').filter(|name| !name.is_empty()) {
            if name == "ALL" {
                self.request.selection.with_partitions = true;
                self.request.selection.all = true;
            } else {
                self.device(name, true);
            }
        }
    }

    fn letter(&mut self, letter: char) -> Result<(), Refusal> {
        let format = &mut self.request.format;
        match letter {
            'c' => self.cpu = true,
            'd' => self.devices = true,
            'h' => (format.human, format.pretty) = (true, true),
            'H' => self.request.selection.groups_only = true,
            'k' if self.unit != Some(Unit::Megabytes) => self.unit = Some(Unit::Kilobytes),
            'm' if self.unit != Some(Unit::Kilobytes) => self.unit = Some(Unit::Megabytes),
            'N' => {
                if !matches!(self.request.selection.naming, Naming::Persistent(_)) {
                    self.request.selection.naming = Naming::Mapper;
                }
            }
            'p' => {
                self.request.selection.with_partitions = true;
                self.about_devices = true;
            }
            's' => format.short = true,
            't' => format.timestamps = true,
            'x' => {
                format.extended = true;
                self.about_devices = true;
            }
            'y' => self.request.omit_first = true,
            'z' => self.request.selection.omit_idle = true,
            'V' => return Err(Refusal::Version),
            _ => return Err(Refusal::Usage),
        }
        Ok(())
    }

    fn finish(self) -> Result<Request, Refusal> {
        let mut request = self.request;
        let grouped = request.selection.listed.iter().any(|listed| matches!(listed, Listed::Group(_)));
        if request.selection.groups_only && !grouped {
            return Err(Refusal::Usage);
        }
        let excluding = [
            (request.watch, "--watch", request.from.is_some(), "--from"),
            (request.watch, "--watch", request.history.is_some(), "--history"),
            (request.watch, "--watch", request.format.json, "-o JSON"),
            (request.from.is_some(), "--from", request.history.is_some(), "--history"),
        ];
        if let Some((_, first, _, second)) = excluding.into_iter().find(|(a, _, b, _)| *a && *b) {
            return Err(Refusal::Excluded(first, second));
        }
        let sectors = std::env::var_os("POSIXLY_CORRECT").is_some();
        let default = if sectors { Unit::Sectors } else { Unit::Kilobytes };
        request.format.unit = self.unit.unwrap_or(default);
        request.format.cpu = self.cpu || !self.devices;
        request.format.devices = self.devices || !self.cpu || self.about_devices;
        request.interval = self.interval.filter(|seconds| *seconds > 0);
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str, own: bool) -> Result<Request, Refusal> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&words, &SysRoot::at("/nonexistent"), own)
    }

    #[test]
    fn command_lines_are_read_as_iostat_reads_them() {
        for line in [
            "-q",
            "--help",
            "--dec",
            "--dec=3",
            "--dec 1",
            "1 0",
            "0 1",
            "0 0",
            "1 2 3",
            "-g",
            "-H",
            "-T",
            "-o",
            "-o XML",
            "-o json",
            "-oJSON",
            "-xo JSON",
            "-k -m",
            "-km",
            "-f",
            "-f /nonexistent",
            "-f /tmp +f /tmp",
            "-df /tmp",
            "--version",
            "--",
            "-j",
            "-psda",
            "-gG sda",
            "--human=1",
            "-1",
        ] {
            assert_eq!(request(line, false).map(|_| ()), Err(Refusal::Usage), "{line}");
        }
        assert_eq!(request("-j ID", false).unwrap_err(), Refusal::NoSuchNames);
        assert_eq!(request("-Vq", false).unwrap_err(), Refusal::Version);
        assert_eq!(request("-qV", false).unwrap_err(), Refusal::Usage);
        for line in
            ["", "-", "0", "1 1x", "1.5", "+x", "-k -k", "-H -g G", "-g G sda -H", "99999999999999999999 1"]
        {
            assert!(request(line, false).is_ok(), "{line}");
        }
    }

    #[test]
    fn options_decide_what_is_shown() {
        let shown = |line: &str| request(line, false).map(|r| (r.format.cpu, r.format.devices)).unwrap();
        for line in ["", "-x", "-p", "sda", "-cd", "-c -x", "-c sda", "-c -p", "-c ALL"] {
            assert_eq!(shown(line), (true, true), "{line}");
        }
        for line in ["-c", "-c -k", "-c -s", "-c -g G", "-c -z", "-c -h"] {
            assert_eq!(shown(line), (true, false), "{line}");
        }
        assert_eq!(shown("-d"), (false, true));
        let timed = request("1 sda 5 -p 3", false).map(|r| (r.interval, r.count));
        assert_eq!(timed.unwrap_err(), Refusal::Usage);
        let timed = request("-p 1 5 sda", false).unwrap();
        assert_eq!((timed.interval, timed.count), (Some(1), Some(5)));
        assert!(timed.selection.with_partitions);
    }

    #[test]
    fn own_options_are_unknown_to_iostat() {
        for line in ["--plain", "--watch", "--top", "--cgroup", "--history f", "--from f", "--lang de"] {
            assert_eq!(request(line, false).map(|_| ()), Err(Refusal::Usage), "{line}");
            assert!(request(line, true).is_ok(), "{line}");
        }
        assert_eq!(request("--top=3 -x", true).unwrap().selection.processes, 3);
        assert_eq!(request("--top=0", true).unwrap_err(), Refusal::BadTop);
        assert_eq!(request("--history", true).unwrap_err(), Refusal::NeedsValue("--history".into()));
        let excluded = |line| match request(line, true) {
            Err(Refusal::Excluded(first, second)) => format!("{first} {second}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(excluded("--history f --watch"), "--watch --history");
        assert_eq!(excluded("--from f --watch"), "--watch --from");
        assert_eq!(excluded("-o JSON --watch"), "--watch -o JSON");
        assert_eq!(excluded("--history=f --from=g"), "--from --history");
        assert_eq!(request("--lang=xx", true).unwrap_err(), Refusal::BadLanguage);
        assert_eq!(request("--help", true).unwrap_err(), Refusal::Help);
    }
}
