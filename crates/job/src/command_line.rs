//! Reading of the command line: fio's switches, job options after one or two dashes, job files. Words are parsed as in
//! `getopt_long_only`, which fio uses.

use crate::correction::corrected;
use crate::diagnostic::{Diagnostic, ProfileFault, SwitchFault, WordFault};
use crate::files::Files;
use crate::invocation::{CommandLine, Dialect, Eta, Format, IdleProf, Parsed, UsageError};
use crate::job::Job;
use crate::option::{Compat, Kind, Opt, Section};
use crate::sections::{Sections, foreign};
use crate::spec::{Chosen, JobSpec, Place};
use crate::switches::{Argument, SWITCHES, Switch};
use crate::{doc, profile, suggest, table, targets, unit, wear_budget};
use stats::unit::{MILLISECOND, SECOND};
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// Switch or option named by a word with dashes.
#[derive(Clone, Copy)]
enum Named {
    Switch(&'static Switch),
    Option(&'static Opt),
}

impl Named {
    /// Returns whether fio 3.33 has the switch or option.
    fn is_fios(self) -> bool {
        match self {
            Named::Switch(switch) => !matches!(switch.name, "allow-destroy" | "wear-budget"),
            Named::Option(option) => !option.newer() && option.compat != Compat::Ours,
        }
    }

    fn argument(self) -> Argument {
        match self {
            Named::Switch(switch) => switch.argument,
            Named::Option(option) if option.is_flag() => Argument::Optional,
            Named::Option(_) => Argument::Required,
        }
    }
}

/// Returns whether the option is allowed: every job, the engine or the profile has it. fio accepts options of any
/// profile, without effect unless the profile is chosen.
fn is_of(row: &Opt, of: [&'static str; 2]) -> bool {
    row.engines.is_empty()
        || row.section == Section::Profile
        || of.iter().any(|name| row.engines.contains(name))
}

/// Returns all names that are allowed, given the engine and profile chosen so far, in order.
fn candidates(of: [&'static str; 2]) -> impl Iterator<Item = (&'static str, Named)> {
    let switches = SWITCHES.iter().map(|switch| (switch.name, Named::Switch(switch)));
    let options = table::rows().filter(move |row| is_of(row, of)).flat_map(|row| {
        [&row.name].into_iter().chain(row.aliases).map(move |name| (*name, Named::Option(row)))
    });
    switches.chain(options)
}

/// Reads a command line (without `argv0`) and its job files. Never panics, whatever the words are.
///
/// # Errors
/// A word, an option or a job file is refused; the error contains all diagnostics.
pub fn command_line(
    args: &[OsString],
    argv0: &str,
    dialect: Dialect,
    files: &mut dyn Files,
) -> Result<Parsed, UsageError> {
    let words: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let mut reader = Reader::new(argv0, dialect, files);
    if let Some((_, word)) = args.iter().zip(&words).find(|(arg, _)| arg.to_str().is_none()) {
        return Err(reader.unrecognized(WordFault::NotUtf8, word, ""));
    }
    reader.read(&words).map_err(|mut error| {
        if let Some(corrected) = corrected(&words) {
            error.diagnostics.push(Diagnostic::Corrected { argv0: argv0.to_owned(), line: corrected });
        }
        error
    })
}

/// Largest size of a profile's files in MiB, so that the number of bytes does not overflow.
const MOST_MIB: u64 = 1 << 40;

/// Job of the command line whose options are being read.
struct Open {
    spec: JobSpec,
    inherited: usize,
}

struct Reader<'f> {
    argv0: String,
    dialect: Dialect,
    sections: Sections<'f>,
    open: Option<Open>,
    /// Complete jobs of the command line, of which some may wait for targets.
    complete: Vec<Open>,
    /// Block devices that were typed in place of job files.
    devices: Vec<String>,
    job_files: Vec<String>,
    read_files: bool,
    profile: Option<Profile>,
}

/// Profile chosen with `--profile`.
struct Profile {
    name: &'static str,
    /// Value of `--size` after `--profile`, in MiB.
    size_mib: Option<u64>,
}

/// Reads the time of `switch` in nanoseconds; a number without a unit is in seconds.
fn period(reader: &mut Reader<'_>, switch: &'static str, text: &str) -> Result<u64, UsageError> {
    match unit::time(text, SECOND) {
        Ok(n) if n.value >= 0 => Ok(n.value as u64),
        _ => Err(reader.refuse(switch, text, SwitchFault::NoTime)),
    }
}

impl<'f> Reader<'f> {
    fn new(argv0: &str, dialect: Dialect, files: &'f mut dyn Files) -> Self {
        let mut sections = Sections::new(files);
        sections.switches.eta_interval = SECOND;
        sections.switches.terse_version = 3;
        Reader {
            argv0: argv0.to_owned(),
            dialect,
            sections,
            open: None,
            complete: Vec::new(),
            devices: Vec::new(),
            job_files: Vec::new(),
            read_files: false,
            profile: None,
        }
    }

    fn refuse(&mut self, name: &'static str, value: &str, fault: SwitchFault) -> UsageError {
        self.sections.fail(Diagnostic::Switch { name, value: value.to_owned(), fault })
    }

    fn read(mut self, words: &[String]) -> Result<Parsed, UsageError> {
        // --parse-only applies to the whole command line, wherever it occurs.
        self.sections.switches.parse_only =
            words.iter().any(|word| word.trim_start_matches('-') == "parse-only" && word.starts_with('-'));
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                words.by_ref().for_each(|word| self.plain_word(word));
            } else if word == "-" || !word.starts_with('-') {
                self.plain_word(word);
            } else if let Some(done) = self.word(word, &mut words)? {
                return Ok(done);
            }
        }
        if let Some(profile) = self.profile.take() {
            self.expand(&profile)?;
        }
        self.close()?;
        self.complete_jobs()?;
        self.read_files = !self.job_files.is_empty();
        for path in std::mem::take(&mut self.job_files) {
            self.sections.file(Path::new(&path))?;
        }
        self.done()
    }

    /// Reads one word with dashes, and the next word if that is its value.
    fn word<'w>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'w String>,
    ) -> Result<Option<Parsed>, UsageError> {
        match word {
            "-h" => return Ok(Some(self.help())),
            "-v" => return Ok(Some(self.version())),
            _ => {}
        }
        let body = word.strip_prefix("--").unwrap_or(&word[1..]);
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (body, None),
        };
        let (called, named) = self.named(word, name)?;
        let value = match (named.argument(), value) {
            (Argument::None, Some(_)) => {
                let fault = WordFault::TakesNoValue { name: name.to_owned() };
                return Err(self.unrecognized(fault, word, name));
            }
            (Argument::Required, None) => match rest.next() {
                Some(next) => Some(next.clone()),
                None => return Err(self.unrecognized(WordFault::NeedsValue, word, name)),
            },
            (_, value) => value,
        };
        match named {
            Named::Switch(switch) => self.switch(switch, value),
            Named::Option(option) => self.option(option, called, value).map(|()| None),
        }
    }

    /// Returns the names of the engine and profile chosen so far.
    fn chosen(&self) -> [&'static str; 2] {
        let spec = self.open.as_ref().map_or(&self.sections.global, |open| &open.spec);
        [spec.engine(), self.profile.as_ref().map_or("", |profile| profile.name)]
    }

    /// Returns the switch or option with this name or unique prefix, and its whole name or alias.
    fn named(&mut self, word: &str, name: &str) -> Result<(&'static str, Named), UsageError> {
        let of = self.chosen();
        if let Some(found) = candidates(of).find(|(candidate, _)| *candidate == name) {
            return Ok(found);
        }
        let begins = move |candidate: &str| !name.is_empty() && candidate.starts_with(name);
        let mut fios = candidates(of).filter(|(candidate, named)| begins(candidate) && named.is_fios());
        // Names that fio 3.33 does not have do not make its abbreviations ambiguous.
        if let (Some(only), None) = (fios.next(), fios.next()) {
            return Ok(only);
        }
        let mut possible = candidates(of).filter(|(candidate, _)| begins(candidate));
        match (possible.next(), possible.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(self.unrecognized(WordFault::Unknown, word, name)),
            (Some((first, _)), Some((second, _))) => {
                let names = [first, second].into_iter().chain(possible.map(|(name, _)| name)).collect();
                Err(self.unrecognized(WordFault::Ambiguous { names }, word, name))
            }
        }
    }

    fn unrecognized(&mut self, fault: WordFault, word: &str, name: &str) -> UsageError {
        let of = self.chosen();
        let near = suggest::nearest(name, candidates(of).map(|(name, _)| name));
        let argv0 = self.argv0.clone();
        let mut why = vec![Diagnostic::Word { argv0, word: word.to_owned(), fault, near }];
        why.extend(table::find(name).filter(|row| !is_of(row, of)).map(|row| {
            if let Some(fault) = row.compat.fault() {
                Diagnostic::Option { place: Place::CommandLine, option: name.to_owned(), fault }
            } else {
                foreign(row, &Place::CommandLine)
            }
        }));
        self.sections.fail_of(why)
    }

    /// Reads an option, typed by its name or the alias `called`.
    fn option(
        &mut self,
        option: &'static Opt,
        called: &'static str,
        value: Option<String>,
    ) -> Result<(), UsageError> {
        if value.as_deref() == Some("") && !option.is_flag() {
            let why = Diagnostic::NoValue { option: called, example: option.example };
            return Err(self.sections.fail(why));
        }
        if let Some(profile) = &mut self.profile
            && profile.name == "tiobench"
            && option.name == "size"
        {
            let text = value.unwrap_or_default();
            match text.parse() {
                Ok(mib @ 1..=MOST_MIB) => profile.size_mib = Some(mib),
                _ => return Err(self.sections.fail(Diagnostic::ProfileSize { value: text })),
            }
            return Ok(());
        }
        if option.name == "profile" {
            return self.choose(option, value.as_deref().unwrap_or_default());
        }
        if option.name == "name" {
            self.close()?;
            // As in fio, and as `[global]` in a job file: what follows are defaults of the next jobs.
            if value.as_deref() == Some("global") {
                self.sections.global_options.extend(value.map(|value| (called.to_owned(), value)));
                return Ok(());
            }
            let spec = self.sections.global.clone();
            self.open = Some(Open { inherited: spec.typed.len(), spec });
        }
        let shown = match &value {
            Some(value) => format!("{called}={value}"),
            None => called.to_owned(),
        };
        let mut global = std::mem::take(&mut self.sections.global);
        let spec = self.open.as_mut().map_or(&mut global, |open| &mut open.spec);
        let before = spec.typed.len();
        let read = self.sections.option(spec, option, value.as_deref(), &shown, &Place::CommandLine);
        if self.open.is_none() {
            let echoed = global.typed[before.min(global.typed.len())..].iter().map(crate::secret::echo);
            self.sections.global_options.extend(echoed);
        }
        self.sections.global = global;
        read.map_err(|diagnostic| self.sections.fail(diagnostic))
    }

    /// Chooses the profile of `--profile`; its options may follow.
    fn choose(&mut self, option: &'static Opt, name: &str) -> Result<(), UsageError> {
        let Kind::Choice { choices, .. } = option.kind else { return Ok(()) };
        let fault = match choices.iter().find(|choice| choice.name == name) {
            Some(choice) if choice.built => {
                self.profile = Some(Profile { name: choice.name, size_mib: None });
                return Ok(());
            }
            Some(_) => ProfileFault::NotBuilt,
            None => ProfileFault::Unknown,
        };
        Err(self.sections.fail(Diagnostic::Profile { name: name.to_owned(), fault }))
    }

    /// Adds the jobs of a profile, after all options of the profile have been read.
    fn expand(&mut self, profile: &Profile) -> Result<(), UsageError> {
        if self.open.is_some() || !self.sections.jobs.is_empty() || !self.job_files.is_empty() {
            let (name, fault) = (profile.name.to_owned(), ProfileFault::OtherJobs);
            return Err(self.sections.fail(Diagnostic::Profile { name, fault }));
        }
        let memory = self.sections.files.memory_mb();
        let global = &mut self.sections.global;
        let options = match profile.name {
            "act" => {
                global.profile = Some(Chosen { name: profile.name, tail: None });
                profile::act(global)
            }
            _ => profile::tiobench(global, profile.size_mib, memory),
        };
        if options.is_empty() {
            let (name, fault) = (profile.name.to_owned(), ProfileFault::NoDevices);
            return Err(self.sections.fail(Diagnostic::Profile { name, fault }));
        }
        for (name, value) in options {
            if let Some(option) = table::find(name) {
                self.option(option, name, Some(value))?;
            }
        }
        Ok(())
    }

    /// Reads a word without dashes: a job file, or for `fathom run` a block device.
    fn plain_word(&mut self, word: &str) {
        let device = self.dialect == Dialect::Run && self.sections.files.is_block_device(Path::new(word));
        if device { &mut self.devices } else { &mut self.job_files }.push(word.to_owned());
    }

    /// Completes the job whose options were being read.
    fn close(&mut self) -> Result<(), UsageError> {
        match (self.open.take(), self.dialect) {
            (Some(open), Dialect::Fio) => self.sections.finish(&open.spec, open.inherited, false),
            (open, _) => {
                self.complete.extend(open);
                Ok(())
            }
        }
    }

    /// Makes the jobs of a command line of `fathom run`: one for each of several targets.
    fn complete_jobs(&mut self) -> Result<(), UsageError> {
        let mut jobs = std::mem::take(&mut self.complete);
        let devices = std::mem::take(&mut self.devices);
        if jobs.is_empty() && !devices.is_empty() {
            let mut spec = self.sections.global.clone();
            spec.name = Some(String::new());
            jobs.push(Open { inherited: spec.typed.len(), spec });
        }
        for Open { mut spec, inherited } in jobs {
            targets::add(&mut spec, &devices);
            let parts = targets::parts(&spec);
            for part in &parts {
                self.sections.finish(part, inherited, false)?;
            }
            if parts.len() > 1 {
                let jobs = parts.into_iter().filter_map(|part| part.name).collect();
                self.sections.remarks.push(Diagnostic::JobPerTarget { jobs });
            }
        }
        Ok(())
    }

    fn switch(
        &mut self,
        switch: &'static Switch,
        value: Option<String>,
    ) -> Result<Option<Parsed>, UsageError> {
        let text = value.unwrap_or_default();
        let switches = &mut self.sections.switches;
        match switch.name {
            "output" => switches.output = Some(PathBuf::from(text)),
            "output-format" => return self.formats(&text).map(|()| None),
            "version" => return Ok(Some(self.version())),
            "help" => return Ok(Some(self.help())),
            "cmdhelp" => return Ok(Some(doc::cmdhelp(&text, self.profile.as_ref().map_or("", |p| p.name)))),
            "enghelp" => return Ok(Some(doc::enghelp(&text))),
            "showcmd" => switches.showcmd = true,
            "inflate-log" => return Ok(Some(Parsed::Inflate(PathBuf::from(text)))),
            "bandwidth-log" => {
                switches.bandwidth_log = Some(if text.is_empty() { "agg".into() } else { text });
            }
            "readonly" => switches.readonly = true,
            "parse-only" => switches.parse_only = true,
            "warnings-fatal" => switches.warnings_fatal = true,
            "max-jobs" => {}
            "allow-destroy" => switches.allow_destroy.push(PathBuf::from(text)),
            "wear-budget" => match wear_budget(&text) {
                Some(budget) => switches.wear_budget = Some(budget),
                None => return Err(self.refuse(switch.name, &text, SwitchFault::WearBudget)),
            },
            "eta" => {
                switches.eta = match text.as_str() {
                    "always" => Eta::Always,
                    "never" => Eta::Never,
                    _ => Eta::Auto,
                }
            }
            "idle-prof" => {
                switches.idle_prof = match text.as_str() {
                    "calibrate" => return Ok(Some(Parsed::Calibrate)),
                    "system" => Some(IdleProf::System),
                    "percpu" => Some(IdleProf::PerCpu),
                    _ => return Err(self.refuse(switch.name, &text, SwitchFault::IdleProf)),
                }
            }
            "eta-newline" => {
                self.sections.switches.eta_newline = NonZeroU64::new(period(self, switch.name, &text)?)
            }
            "eta-interval" => {
                let interval = period(self, switch.name, &text)?;
                if interval < 250 * MILLISECOND {
                    return Err(self.refuse(switch.name, &text, SwitchFault::EtaIntervalTooShort));
                }
                self.sections.switches.eta_interval = interval;
            }
            "section" => {
                if text == "global" {
                    return Err(self.refuse(switch.name, &text, SwitchFault::GlobalSection));
                }
                self.sections.only.push(text);
            }
            "status-interval" => {
                let interval = period(self, switch.name, &text)?;
                if interval < MILLISECOND {
                    return Err(self.refuse(switch.name, &text, SwitchFault::StatusIntervalTooShort));
                }
                self.sections.switches.status_interval = Some(interval);
            }
            "minimal" => switches.formats = vec![Format::Terse],
            "append-terse" => {
                // The terse report is added to the normal one if no format has been chosen so far.
                if switches.formats.is_empty() {
                    switches.formats.push(Format::Normal);
                }
                switches.formats.push(Format::Terse);
            }
            "terse-version" => {
                let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                match text[..digits].parse() {
                    Ok(version @ 2..=5) => switches.terse_version = version,
                    _ => return Err(self.refuse(switch.name, &text, SwitchFault::TerseVersion)),
                }
            }
            name => {
                debug_assert!(!switch.built, "{name}");
                return Err(self.refuse(name, &text, SwitchFault::NotBuilt));
            }
        }
        Ok(None)
    }

    fn formats(&mut self, list: &str) -> Result<(), UsageError> {
        let mut formats = Vec::new();
        for word in list.split(',') {
            match word {
                "normal" => formats.push(Format::Normal),
                "json" => formats.push(Format::Json),
                "json+" => formats.push(Format::JsonPlus),
                "terse" | "minimal" | "csv" => formats.push(Format::Terse),
                _ => {
                    let fault = SwitchFault::Format { word: word.to_owned() };
                    return Err(self.refuse("output-format", list, fault));
                }
            }
        }
        self.sections.switches.formats = formats;
        Ok(())
    }

    /// Returns the version: as fio the one line that fio prints, which scripts store whole.
    fn version(&self) -> Parsed {
        let stdout = match self.dialect {
            Dialect::Fio => format!("{}\n", stats::FIO_VERSION),
            Dialect::Run => format!("fathom {}\n", env!("CARGO_PKG_VERSION")),
        };
        Parsed::Print { stdout, diagnostics: Vec::new(), code: 0 }
    }

    fn usage(&self) -> String {
        let usage = doc::usage(&self.argv0);
        // fio's help begins with its version.
        if self.dialect == Dialect::Fio { format!("{}\n{usage}", stats::FIO_VERSION) } else { usage }
    }

    fn help(&self) -> Parsed {
        Parsed::Print { stdout: self.usage(), diagnostics: Vec::new(), code: 0 }
    }

    /// Returns the result after all words have been read.
    fn done(mut self) -> Result<Parsed, UsageError> {
        let mut diagnostics = std::mem::take(&mut self.sections.warnings);
        if self.sections.switches.showcmd {
            let stdout = match self.sections.shown.as_str() {
                "" if !self.read_files => String::new(),
                "" => "\n".to_owned(),
                shown => format!("fio {shown}\n"),
            };
            return Ok(Parsed::Print { stdout, diagnostics, code: 0 });
        }
        if self.sections.switches.parse_only {
            return Ok(Parsed::Print { stdout: String::new(), diagnostics, code: 0 });
        }
        if self.sections.jobs.is_empty() {
            diagnostics.push(Diagnostic::NoJobs { usage: self.usage() });
            return Err(UsageError { diagnostics, code: 1 });
        }
        let mut switches = self.sections.switches;
        if switches.formats.is_empty() {
            switches.formats.push(Format::Normal);
        }
        let (global_options, jobs) = (self.sections.global_options, self.sections.jobs);
        diagnostics.extend(self.sections.remarks);
        Ok(Parsed::Run(Box::new(CommandLine { switches, global_options, jobs, diagnostics })))
    }
}

/// Returns the line that fio prints about a job before the run, as data.
pub fn banner(job: &Job) -> stats::Banner {
    stats::Banner {
        name: job.name.clone(),
        group: job.group,
        rw: job.pattern.rw.clone(),
        bs: job.pattern.block,
        seq_rand: job.pattern.sizes.seq_rand,
        ioengine: job.engine.name().to_owned(),
        iodepth: job.queue.iodepth,
        clones: job.numjobs,
        kb_base: job.measure.shown.kb_base,
        significant_figures: job.measure.shown.significant_figures,
        does_io: job.engine.does_io(),
    }
}
