//! Iometer's configuration files among the job files of `fathom run`, and results in its form.

use crate::output::print;
use crate::run_command::Arguments;
use ::report::{Lang, iometer as form, words};
use import::iometer::{Place, Places, document_of, is_icf, job_file, parse};
use job::job::Job;
use job::{Format, Switches};
use run::output::{self, OutputError};
use stats::RunResult;
use std::path::Path;

/// First line of a job file that is written here.
const JOB_HEAD: &[u8] = b"; fathom iometer";
/// Beginning of a configuration file and of results.
const ICF_HEAD: &[u8] = b"Version ";
const RESULTS_HEAD: &[u8] = b"'Test Type";
/// Exit status of a file or job that cannot be converted.
const REFUSED: i32 = 1;
/// Exit status of switches that exclude each other.
const CONFLICT: i32 = 2;

/// A line for standard error and the exit status.
pub type Said = (String, i32);

/// Conversion of configuration files while job files are read.
pub struct Converter<'a> {
    lang: Lang,
    targets: &'a [String],
    /// Job files that were made.
    pub made: Vec<String>,
    /// First fault.
    pub fault: Option<String>,
}

impl<'a> Converter<'a> {
    /// Returns the converter for the switches of `fathom run`.
    pub fn new(lang: Lang, ours: &'a Arguments) -> Self {
        Self { lang, targets: &ours.iometer_target, made: Vec::new(), fault: None }
    }

    /// Returns the job file for `bytes` if they are a configuration file, else `bytes`; an empty file after a fault.
    pub fn job_file(&mut self, path: &Path, bytes: Vec<u8>) -> Vec<u8> {
        if !is_icf(&bytes) {
            return bytes;
        }
        let shown = stats::plain::line(&path.display().to_string()).into_owned();
        let places = Places { typed: self.targets, look: &look };
        let made = parse(&bytes)
            .map_err(|fault| words::iometer::parse_fault(self.lang, &shown, &fault))
            .and_then(|document| {
                let fault = |fault| words::iometer::conversion_fault(self.lang, &shown, &fault);
                job_file(&document, &places).map_err(fault)
            });
        match made {
            Ok(text) => {
                self.made.push(text.clone());
                text.into_bytes()
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
                Vec::new()
            }
        }
    }

    /// Returns what is wrong with the files that were read and with the switches about them.
    pub fn refusal(&self, ours: &Arguments) -> Option<Said> {
        if let Some(fault) = &self.fault {
            return Some((format!("fathom run: {fault}"), REFUSED));
        }
        let switch = match (ours.iometer_target.is_empty(), &ours.write_job) {
            _ if !self.made.is_empty() => return None,
            (false, _) => "--iometer-target",
            (true, Some(_)) => "--write-job",
            (true, None) => return None,
        };
        Some((format!("fathom run: {}", words::iometer::no_file(self.lang, switch)), REFUSED))
    }
}

fn look(path: &Path) -> Place {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Place::Directory,
        Ok(found) if !found.is_file() || found.len() > 0 => Place::Filled,
        _ => Place::Empty,
    }
}

/// Writes what `--write-job` and `--write-icf` ask for; `None` without them, so that the jobs are to run.
pub fn written(lang: Lang, ours: &Arguments, made: &[String], jobs: &[Job]) -> Option<Result<(), Said>> {
    if let Some(path) = &ours.write_job {
        return Some(to_file(lang, path, JOB_HEAD, &made.join("\n")));
    }
    let path = ours.write_icf.as_ref()?;
    let host = rustix::system::uname();
    let text = document_of(jobs, &host.nodename().to_string_lossy())
        .map(|document| import::iometer::print(&document))
        .map_err(|fault| (format!("fathom run: {}", words::iometer::not_expressible(lang, &fault)), REFUSED));
    Some(text.and_then(|text| to_file(lang, path, ICF_HEAD, &text)))
}

/// Writes `text`; an existing file has to begin with `head`. `-` is standard output.
fn to_file(lang: Lang, path: &Path, head: &[u8], text: &str) -> Result<(), Said> {
    if path.as_os_str() == "-" {
        print(text);
        return Ok(());
    }
    output::check_begins(path, head)
        .and_then(|()| output::write(path, text.as_bytes()))
        .map_err(|e| said(lang, &e))
}

fn said(lang: Lang, e: &OutputError) -> Said {
    (format!("fathom run: {}", words::run::output_error(lang, e)), e.exit_code())
}

/// Checks that standard output does not get results in two forms, which no program could tell apart.
pub fn check_standard_output(lang: Lang, ours: &Arguments, switches: &Switches) -> Result<(), Said> {
    let csv = ours.results.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let json = |format: &Format| matches!(format, Format::Json | Format::JsonPlus);
    let switch = match ours.json {
        _ if !csv || switches.output.is_some() => return Ok(()),
        true => "--json",
        false if switches.formats.iter().any(json) => "--output-format=json",
        false => return Ok(()),
    };
    Err((format!("fathom run: {}", words::iometer::results_beside(lang, switch)), CONFLICT))
}

/// Checks, before a run, that the file of `--results` can be written.
pub fn check_results(lang: Lang, ours: &Arguments) -> Result<(), Said> {
    match &ours.results {
        Some(path) if path.as_os_str() != "-" => {
            output::check_begins(path, RESULTS_HEAD).map_err(|e| said(lang, &e))
        }
        _ => Ok(()),
    }
}

/// Writes the file of `--results`.
pub fn write_results(lang: Lang, ours: &Arguments, result: &RunResult) -> Result<(), Said> {
    match &ours.results {
        Some(path) => to_file(lang, path, RESULTS_HEAD, &csv(result)),
        None => Ok(()),
    }
}

/// Returns a result as the text of `results.csv`.
pub fn csv(result: &RunResult) -> String {
    let zone = jiff::tz::TimeZone::system();
    let stamp = |ms: u64| {
        let at = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        let at = at.unwrap_or_default().to_zoned(zone.clone());
        let date = [at.year().into(), at.month().into(), at.day().into()];
        let time = [at.hour().into(), at.minute().into(), at.second().into()];
        let [year, month, day] = date;
        let [hour, minute, second] = time;
        form::stamp([year, month, day, hour, minute, second], ms)
    };
    form::csv(result, &stamp)
}
