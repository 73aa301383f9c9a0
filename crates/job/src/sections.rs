//! Conversion of sections into jobs: options are read into a [`JobSpec`], errors are collected, and complete sections
//! are resolved, in fio's order and reporting groups.

use crate::bad_value::BadValue;
use crate::diagnostic::{Diagnostic, IncludeFault, OptionFault, WaitFault};
use crate::exit_status::REFUSED;
use crate::files::Files;
use crate::ini::{self, Line};
use crate::invocation::{Switches, UsageError};
use crate::job::Job;
use crate::option::{Compat, Opt, Section};

use crate::reading::Reading;
use crate::refused_value::{FioEnd, RefusedValue};
use crate::resolve::{ResolveContext, resolve};
use crate::secret::echo;
use crate::spec::{JobSpec, Place, Typed};
use crate::value::Value;
use crate::{suggest, table};
use stats::note::NoteFact;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Largest depth of included files, which ends loops.
const DEEPEST_INCLUDE: u32 = 16;
/// Largest number of files that one job file includes, repeated ones counted each time: files that include the next
/// file twice would double the work with each level.
const MOST_INCLUDES: u32 = 10_000;
/// Number of inherited options above which repeated options are dropped, because each job copies the inherited options.
const MOST_INHERITED: usize = 256;
/// Number of unknown options per section for which a similar known option is searched, which bounds the time for a file
/// that is not a job file.
const MOST_GUESSES: u32 = 20;
/// Largest number of jobs in a run.
const MOST_JOBS: usize = 100_000;

/// Sections read so far, and the jobs made from them.
pub struct Sections<'f> {
    /// Access to the machine's files, directories and environment.
    pub files: &'f mut dyn Files,
    /// Switches read so far.
    pub switches: Switches,
    /// Sections to run (`--section`); empty = all.
    pub only: Vec<String>,
    /// Global options of the command line, for its own jobs and for the first job file.
    pub global: JobSpec,
    /// Jobs of the sections read so far.
    pub jobs: Vec<Job>,
    /// Options of all global sections as typed: name and value.
    pub global_options: Vec<(String, String)>,
    /// Job files as a command line, for `--showcmd`.
    pub shown: String,
    /// Warnings, which do not end the program.
    pub warnings: Vec<Diagnostic>,
    /// Remarks to print before a run; dropped after an error.
    pub remarks: Vec<Diagnostic>,
    group: u32,
    read_files: u32,
    includes: u32,
    entropy: Option<u64>,
}

/// Returns the text in one line of at most 200 characters, for messages.
fn short(text: &str) -> String {
    let plain = stats::plain::line(text);
    plain.chars().take(200).collect()
}

impl<'f> Sections<'f> {
    /// Returns the state before any section.
    pub fn new(files: &'f mut dyn Files) -> Self {
        Sections {
            files,
            switches: Switches::default(),
            only: Vec::new(),
            global: JobSpec::default(),
            jobs: Vec::new(),
            global_options: Vec::new(),
            shown: String::new(),
            warnings: Vec::new(),
            remarks: Vec::new(),
            group: 0,
            read_files: 0,
            includes: 0,
            entropy: None,
        }
    }

    /// Returns the error that ends the program: the warnings so far, the reason, and exit status 1.
    pub fn fail(&mut self, why: Diagnostic) -> UsageError {
        self.fail_of(vec![why])
    }

    /// Returns the error that ends the program, for several reasons.
    pub fn fail_of(&mut self, why: Vec<Diagnostic>) -> UsageError {
        let mut diagnostics = std::mem::take(&mut self.warnings);
        diagnostics.extend(why);
        UsageError { diagnostics, code: 1 }
    }

    /// Reads one option into `spec`. `shown` is the option as fio's messages repeat it.
    ///
    /// # Errors
    /// The option or its value is refused.
    pub fn option(
        &mut self,
        spec: &mut JobSpec,
        option: &'static Opt,
        value: Option<&str>,
        shown: &str,
        place: &Place,
    ) -> Result<(), Diagnostic> {
        let value = value.map(|value| {
            ini::keywords(value, |name| match name {
                "pagesize" => self.files.page_size(),
                "mb_memory" => self.files.memory_mb(),
                _ => u64::from(self.files.ncpus()),
            })
        });
        let typed = Typed { name: option.name, value, place: place.clone() };
        if let Some(fault) = option.compat.fault() {
            return Err(refused(&typed, fault));
        }
        if option.name == "profile" && matches!(place, Place::Line { .. }) {
            return Err(refused(&typed, OptionFault::CommandLineOnly));
        }
        let parse_only = self.switches.parse_only || self.switches.showcmd;
        let mut reading = Reading { kb_base: spec.base(), parse_only, files: self.files };
        let read = option.read(typed.value.as_deref(), &mut reading);
        let stored = read.and_then(|(value, rest)| {
            if !rest.trim().is_empty() {
                spec.remarks.push(NoteFact::NumberEnds {
                    place: matches!(place, Place::Line { .. }).then(|| place.to_string()),
                    typed: short(&typed.to_string()),
                    value: value.to_string(),
                    rest: short(rest.trim()),
                });
            }
            (option.set)(spec, value)
        });
        match stored {
            Ok(()) => {
                if option.name == "opendir" && !parse_only {
                    self.find(spec, &typed)?;
                }
                spec.typed.push(typed);
                Ok(())
            }
            // fio loads engines named in a job file later, and not at all with --parse-only.
            Err(bad)
                if option.name == "ioengine"
                    && !bad.is_not_built()
                    && typed.value.is_some()
                    && matches!(place, Place::Line { .. }) =>
            {
                spec.ioengine = None;
                spec.typed.push(typed);
                Ok(())
            }
            Err(bad) => Err(refused_value(&typed, bad, shown)),
        }
    }

    /// Resolves a complete section and adds its job.
    ///
    /// # Errors
    /// The job cannot run as described, or the run has too many jobs.
    pub fn finish(
        &mut self,
        spec: &JobSpec,
        inherited: usize,
        own_stonewall: bool,
    ) -> Result<(), UsageError> {
        let name = spec.name.as_deref().unwrap_or_default();
        if !self.only.is_empty() && !self.only.iter().any(|only| only == name) {
            return Ok(());
        }
        if self.jobs.len() >= MOST_JOBS {
            return Err(self.fail(Diagnostic::TooManyJobs));
        }
        if let Some(waitee) = spec.wait_for.as_deref().filter(|name| !name.is_empty()) {
            let named = self.jobs.iter().filter(|job| job.name == waitee).count();
            let fault = match named {
                _ if waitee == name => Some(WaitFault::Itself),
                0 => Some(WaitFault::Unknown),
                1 => None,
                _ => Some(WaitFault::Several),
            };
            let only_read = self.switches.parse_only || self.switches.showcmd;
            if let Some(fault) = fault.filter(|_| !only_read) {
                let (job, waitee) = (name.to_owned(), waitee.to_owned());
                return Err(self.fail(Diagnostic::WaitFor { job, waitee, fault }));
            }
        }
        if !(self.switches.parse_only || self.switches.showcmd)
            && let Some(unknown) = self.unknown_engine(spec)
        {
            return Err(self.fail(unknown));
        }
        let first = self.jobs.is_empty();
        let stonewall = !first && (own_stonewall || spec.stonewall.unwrap_or(false));
        if !first && (stonewall || spec.new_group.unwrap_or(false)) {
            self.group += 1;
        }
        let entropy = *self.entropy.get_or_insert_with(|| self.files.entropy());
        let around = ResolveContext {
            group: self.group,
            stonewall,
            readonly: self.switches.readonly,
            entropy,
            inherited,
        };
        let only_read = self.switches.parse_only || self.switches.showcmd;
        match resolve(spec, &around) {
            Ok(_) if only_read => Ok(()),
            Ok(resolved) => {
                if self.switches.warnings_fatal && !resolved.warnings.is_empty() {
                    return Err(self.fail_of(resolved.warnings));
                }
                self.warnings.extend(resolved.warnings);
                let (job, size) = (resolved.job, |job: &Job| job.limits.ramp_size.map_or(0, NonZeroU64::get));
                let merged = |job: &Job| job.measure.shown.group_reporting;
                // Earlier jobs of the group agree, so comparing with one of them is enough.
                let mut group = self.jobs.iter().rev().take_while(|other| other.group == job.group);
                let member = if merged(&job) { group.find(|other| merged(other)) } else { None };
                if let Some(other) = member.filter(|other| size(other) != size(&job)) {
                    let other = (other.name.clone(), size(other));
                    let job = (name.to_owned(), size(&job));
                    return Err(self.fail(Diagnostic::RampSizes { job, other }));
                }
                // fio compares all jobs of a group, merged in the report or not.
                let member = self.jobs.last().filter(|other| other.group == job.group);
                if let Some(other) = member.filter(|other| other.steady != job.steady) {
                    let (job, other) = (name.to_owned(), other.name.clone());
                    return Err(self.fail(Diagnostic::SteadyStates { job, other }));
                }
                self.jobs.push(job);
                Ok(())
            }
            // With --parse-only, fio only checks single options.
            Err(refusal) if only_read && !refusal.while_parsing => Ok(()),
            Err(refusal) => {
                let failed = self.fail(refusal.diagnostic);
                Err(UsageError { code: if refusal.for_safety { REFUSED } else { failed.code }, ..failed })
            }
        }
    }

    /// Adds the files below the directory of `opendir=`.
    fn find(&mut self, spec: &mut JobSpec, typed: &Typed) -> Result<(), Diagnostic> {
        let directory = spec.opendir.as_deref().unwrap_or_default();
        let found = self.files.below(Path::new(directory)).map_err(|why| {
            let text = why.to_string();
            let words = text.rsplit_once(" (os error").map_or(text.as_str(), |(words, _)| words);
            Diagnostic::Opendir {
                place: typed.place.clone(),
                option: typed.to_string(),
                directory: directory.to_owned(),
                why: words.to_owned(),
            }
        })?;
        spec.found.extend(found);
        let files = spec.filename.as_ref().map_or(0, Vec::len) + spec.found.len();
        self.remarks.push(Diagnostic::FilesFound { files });
        Ok(())
    }

    /// Reads a job file (`-` is standard input).
    ///
    /// # Errors
    /// The file cannot be read, or one of its sections is wrong.
    pub fn file(&mut self, path: &Path) -> Result<(), UsageError> {
        let name = stats::plain::line(&path.display().to_string()).into_owned();
        let read = if name == "-" { self.files.stdin() } else { self.files.read(path) };
        let text = match read {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(why) => {
                return Err(self.fail(Diagnostic::JobFile { name, why: why.to_string() }));
            }
        };
        let first_file = self.read_files == 0;
        self.read_files += 1;
        // Global options of the command line apply to the first file only; the jobs of later files wait for earlier
        // jobs.
        let mut global = if first_file { self.global.clone() } else { JobSpec::default() };
        let mut stonewall = !first_file;
        let file: Arc<str> = name.into();
        let mut section: Option<(&str, Vec<(Place, String)>)> = None;
        for (line, content) in ini::lines(&text) {
            let place = Place::Line { file: file.clone(), line };
            match content {
                Line::Section(title) => {
                    if let Some((title, options)) = section.take() {
                        self.section(title, options, &mut global, &mut stonewall)?;
                    }
                    section = Some((title, Vec::new()));
                }
                Line::Include(_) | Line::Option(_) if section.is_none() => {
                    let text = match content {
                        Line::Include(file) => format!("include {file}"),
                        Line::Option(text) | Line::Section(text) => text.to_owned(),
                    };
                    let text = short(&text);
                    return Err(self.fail(Diagnostic::OutsideSection { place, text }));
                }
                Line::Include(included) => {
                    let options = section.as_mut().map(|(_, options)| options);
                    self.include(included, path, &place, options, 0)?;
                }
                Line::Option(text) => {
                    section.iter_mut().for_each(|(_, options)| options.push((place.clone(), text.to_owned())))
                }
            }
        }
        match section {
            Some((title, options)) => self.section(title, options, &mut global, &mut stonewall),
            None => Ok(()),
        }
    }

    /// Reads the options of an included file, from the working directory or the directory of the including file.
    fn include(
        &mut self,
        included: &str,
        by: &Path,
        place: &Place,
        mut into: Option<&mut Vec<(Place, String)>>,
        depth: u32,
    ) -> Result<(), UsageError> {
        let wrong = |fault| Diagnostic::Include { place: place.clone(), file: short(included), fault };
        self.includes += 1;
        if self.includes > MOST_INCLUDES {
            return Err(self.fail(wrong(IncludeFault::TooMany { most: MOST_INCLUDES })));
        }
        let beside: PathBuf = by.parent().unwrap_or(Path::new("")).join(included);
        let (path, read) = match self.files.read(Path::new(included)) {
            Ok(bytes) => (PathBuf::from(included), Ok(bytes)),
            Err(_) => (beside.clone(), self.files.read(&beside)),
        };
        let bytes = match read {
            Ok(_) if depth >= DEEPEST_INCLUDE => {
                return Err(self.fail(wrong(IncludeFault::TooDeep { most: DEEPEST_INCLUDE })));
            }
            Ok(bytes) => bytes,
            Err(why) => return Err(self.fail(wrong(IncludeFault::Unreadable(why.to_string())))),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let file: Arc<str> = path.display().to_string().into();
        for (line, content) in ini::lines(&text) {
            let place = Place::Line { file: file.clone(), line };
            match content {
                Line::Section(title) => {
                    let name = short(title);
                    return Err(self.fail(Diagnostic::SectionInIncluded { place, name }));
                }
                Line::Include(next) => self.include(next, &path, &place, into.as_deref_mut(), depth + 1)?,
                Line::Option(text) => {
                    into.iter_mut().for_each(|options| options.push((place.clone(), text.to_owned())))
                }
            }
        }
        Ok(())
    }

    /// Reads one section of a job file.
    fn section(
        &mut self,
        title: &str,
        options: Vec<(Place, String)>,
        global: &mut JobSpec,
        stonewall: &mut bool,
    ) -> Result<(), UsageError> {
        let is_global = title.starts_with("global");
        if !is_global && !self.only.is_empty() && !self.only.iter().any(|only| only == title) {
            return Ok(());
        }
        // A global section continues the one before it and replaces it; an error ends the program.
        let mut spec = if is_global { std::mem::take(global) } else { global.clone() };
        let inherited = spec.typed.len();
        if !is_global {
            spec.name = Some(title.chars().take(127).collect());
        }
        let mut wrong = Vec::new();
        let mut guesses = 0;
        // fio reads the options of every job first, and reports the others, those of engines among them, after that.
        let mut lines: Vec<OptionLine> = Vec::with_capacity(options.len());
        for (place, typed) in options {
            let text = ini::expand(&typed, |name| self.files.env(name));
            let option = table::find(ini::split(&text).0);
            lines.push(OptionLine { place, typed, text, option });
        }
        lines.sort_by_key(|line| line.option.map_or(LAST, Opt::order));
        let mut engine_known = false;
        for OptionLine { place, typed, text, option } in &lines {
            let value = ini::split(text).1;
            if option.is_none_or(|option| option.order() == LAST)
                && !std::mem::replace(&mut engine_known, true)
            {
                wrong.extend(self.unknown_engine(&spec));
            }
            let foreigner = |option: &Opt| {
                option.section != Section::Profile
                    && !option.engines.is_empty()
                    && option.compat.fault().is_none()
                    && !option.engines.contains(&spec.engine())
            };
            match option {
                None => {
                    guesses += 1;
                    wrong.push(unknown(typed, text, place, guesses <= MOST_GUESSES));
                }
                Some(option) if foreigner(option) => {
                    guesses += 1;
                    let near = if guesses <= MOST_GUESSES { nearest_common(option.name) } else { None };
                    wrong.push(Diagnostic::ForeignOption { text: short(typed), near });
                    wrong.push(foreign(option, place));
                }
                Some(option) => {
                    // fio repeats only the name of an engine's option.
                    let shown = if option.order() == LAST { ini::split(typed).0 } else { typed };
                    wrong.extend(self.option(&mut spec, option, value, shown, place).err());
                }
            }
        }
        let name = if is_global { "global".to_owned() } else { short(title) };
        if !wrong.is_empty() {
            wrong.push(Diagnostic::SectionDropped { name });
            return Err(self.fail_of(wrong));
        }
        // A later global section includes the earlier ones, and fio shows their options again.
        let own = if is_global { 0 } else { inherited };
        self.show(if is_global { None } else { Some(title) }, &spec.typed[own..]);
        if is_global {
            self.global_options.extend(spec.typed[inherited..].iter().map(echo));
            if spec.typed.len() > MOST_INHERITED && !self.switches.showcmd {
                spec.drop_repeated();
            }
            *global = spec;
            return Ok(());
        }
        self.finish(&spec, inherited, std::mem::take(stonewall))
    }

    /// Returns the diagnostic for an unknown engine of a job file, which was accepted so far: fio loads an engine for the
    /// options that are not common to all jobs, and for the job.
    fn unknown_engine(&mut self, spec: &JobSpec) -> Option<Diagnostic> {
        let typed = spec.place_of("ioengine").filter(|_| spec.ioengine.is_none())?;
        let mut reading = Reading { kb_base: spec.base(), parse_only: true, files: self.files };
        let bad = table::find("ioengine")?.read(typed.value.as_deref(), &mut reading).err()?;
        Some(refused_value(typed, bad, ""))
    }

    /// Adds a section to the output of `--showcmd`.
    fn show(&mut self, name: Option<&str>, typed: &[Typed]) {
        if !self.switches.showcmd {
            return;
        }
        if let Some(name) = name {
            self.shown += &format!("--name={name} ");
        }
        for typed in typed {
            let name = typed.name;
            self.shown += &match &typed.value {
                None => format!("--{name} "),
                Some(value) if name == "description" => format!("--{name}=\"{value}\" "),
                Some(value) => format!("--{name}={value} "),
            };
        }
    }
}

/// Returns the refusal of an option at this place.
fn refused(typed: &Typed, fault: OptionFault) -> Diagnostic {
    Diagnostic::Option { place: typed.place.clone(), option: short(&typed.to_string()), fault }
}

/// A line of a section.
struct OptionLine {
    place: Place,
    /// The line as typed, which fio's messages repeat.
    typed: String,
    /// The line with the values of environment variables.
    text: String,
    /// The option of this name; `None` if there is none.
    option: Option<&'static Opt>,
}

/// [`Opt::order`] of the options of engines, which are read last.
const LAST: u8 = 3;

/// Returns the diagnostic for an unknown option in a job file, typed as `typed`; with `guess`, including a similar known
/// option.
fn unknown(typed: &str, text: &str, place: &Place, guess: bool) -> Diagnostic {
    let name = ini::split(text).0;
    let names = table::rows().flat_map(|row| [&row.name].into_iter().chain(row.aliases)).copied();
    let near = if guess { suggest::nearest(name, names) } else { None };
    Diagnostic::UnknownOption { place: place.clone(), text: short(typed), option: short(name), near }
}

/// Returns the option of all jobs whose name is most similar to that of an engine's option.
fn nearest_common(name: &str) -> Option<&'static str> {
    let common =
        table::rows().filter(|row| row.engines.is_empty() && !row.newer() && row.compat != Compat::Ours);
    suggest::nearest(name, common.map(|row| row.name))
}

/// Returns the diagnostic for an option of another engine than the job's, or of a profile that was not chosen.
pub fn foreign(option: &Opt, place: &Place) -> Diagnostic {
    let fault = match option.section {
        Section::Profile => OptionFault::OtherProfile(option.engines),
        _ => OptionFault::OtherEngine(option.engines),
    };
    Diagnostic::Option { place: place.clone(), option: option.name.to_owned(), fault }
}

/// Returns the diagnostic for a refused value, with the last line that fio prints.
fn refused_value(typed: &Typed, bad: BadValue, shown: &str) -> Diagnostic {
    let fio_end = match &typed.value {
        _ if bad.is_not_built() => FioEnd::Silent,
        Some(engine) if typed.name == "ioengine" => FioEnd::NoEngine(short(engine)),
        _ => FioEnd::FailedParsing(short(shown)),
    };
    let typed_as = short(&typed.to_string());
    let value = RefusedValue { place: typed.place.clone(), typed: typed_as, bad, fio_end };
    Diagnostic::Value(Box::new(value))
}

/// Reads the default or example of an option's row, for the documents and the tests of the table.
///
/// # Errors
/// The row's text is not a valid value.
pub fn read_alone(
    option: &'static Opt,
    text: &str,
    files: &mut dyn Files,
) -> Result<(JobSpec, Value), BadValue> {
    let mut spec = JobSpec::default();
    let (value, _) = option.read(Some(text), &mut Reading { kb_base: 1024, parse_only: false, files })?;
    (option.set)(&mut spec, value.clone())?;
    Ok((spec, value))
}
