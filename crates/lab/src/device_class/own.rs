//! Own devices of the catalogue: measured results under a name, and records that others share. They lie as TOML files in
//! the user's configuration; nothing is sent anywhere.

use super::rank::rank;
use super::{DeviceCatalogue, KnownDevice};
use stats::ranking::RankFigure;
use stats::{Grade, Measured};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Class of a device that resembles none.
pub const NO_CLASS: &str = "none";
/// Longest name of a device, bytes.
const LONGEST_NAME: usize = 60;
/// Largest rate of a record, I/Os per second: a thousand times that of the fastest device.
const MOST_IOPS: f64 = 1e10;
/// Largest sequential rate of a record, MB/s.
const MOST_MB: f64 = 1e8;
/// Largest latency of a record, microseconds: one hour.
const MOST_US: f64 = 3.6e9;
/// Largest file of records, bytes.
const LARGEST: u64 = 1 << 20;

/// Error: a device cannot be added.
#[derive(Debug)]
pub enum OwnDeviceError {
    /// The result has no pattern of the catalogue.
    NoFigure,
    /// The name is empty, too long, or has control characters.
    Name(String),
    /// There is no directory for configuration.
    NoDirectory,
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// A file has no records, or one that breaks a rule.
    Record(PathBuf, RecordFault),
}

/// Rule that a file of records breaks.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordFault {
    /// The text is no TOML of records.
    Text {
        /// Line, from 1.
        line: usize,
        /// Reason of the parser.
        why: String,
    },
    /// There is no record.
    NoDevice,
    /// The file defines a class, which only the catalogue does.
    Class,
    /// The name of a device is empty, too long, or has control characters.
    Name(String),
    /// Two records have the same name.
    Twice(String),
    /// A figure is not above 0, or larger than any device reaches.
    Figure {
        /// Name of the device.
        name: String,
        /// Field of the record.
        field: &'static str,
        /// Value of the field.
        value: f64,
        /// Largest permitted value.
        most: f64,
    },
}

/// Devices that [`add`] wrote.
#[derive(Debug, PartialEq)]
pub struct Added {
    /// Directory of the user's devices.
    pub directory: PathBuf,
    /// Names whose earlier records were replaced.
    pub replaced: Vec<String>,
}

/// Returns the directory of the user's devices: `$XDG_CONFIG_HOME/fathom/catalog`, else `~/.config/fathom/catalog`.
pub fn directory() -> Option<PathBuf> {
    crate::fit::profile::configuration().map(|config| config.join("catalog"))
}

/// Returns measured loads as a record without host, path, serial number or time.
///
/// # Errors
/// The loads have no pattern of the catalogue, or the name cannot be used.
pub fn record(
    all: &DeviceCatalogue,
    name: &str,
    measured: &[Measured],
) -> Result<KnownDevice, OwnDeviceError> {
    if !is_name(name) {
        return Err(OwnDeviceError::Name(name.to_owned()));
    }
    let ranking = rank(all, name, measured).ok_or(OwnDeviceError::NoFigure)?;
    let figure = |wanted: RankFigure| {
        let found = ranking.figures.iter().find(|(figure, _)| *figure == wanted);
        // Three digits: more would be those of one run.
        found.map(|(_, value)| {
            let unit = 10f64.powf(value.abs().max(1e-9).log10().floor() - 2.0);
            (value / unit).round() * unit
        })
    };
    let class = ranking.classes.first().filter(|_| ranking.best > 0);
    let grade: Grade = ranking.grade();
    let by = measured.first().map(|load| load.conditions.by.clone()).unwrap_or_default();
    let device = KnownDevice {
        class: class.map_or(NO_CLASS, |class| class.name.as_str()).to_owned(),
        name: name.trim().to_owned(),
        read_qd1: figure(RankFigure::ReadQd1),
        read_qd32: figure(RankFigure::ReadQd32),
        write_qd1: figure(RankFigure::WriteQd1),
        sync_write_qd1: figure(RankFigure::SyncWriteQd1),
        sequential: figure(RankFigure::Sequential),
        latency_us: None,
        source: format!("{by} ({})", grade.letter()),
    };
    // A model of a device may have any rate.
    judge(&device).map_err(|fault| OwnDeviceError::Record(measured_name(measured).into(), fault))?;
    Ok(device)
}

fn measured_name(measured: &[Measured]) -> &str {
    measured.first().map_or("", |load| &load.source)
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.len() <= LONGEST_NAME && !name.chars().any(char::is_control)
}

/// Checks the name and the figures of a record.
fn judge(device: &KnownDevice) -> Result<(), RecordFault> {
    if !is_name(&device.name) {
        return Err(RecordFault::Name(device.name.clone()));
    }
    let figures = [
        ("read_qd1", device.read_qd1, MOST_IOPS),
        ("read_qd32", device.read_qd32, MOST_IOPS),
        ("write_qd1", device.write_qd1, MOST_IOPS),
        ("sync_write_qd1", device.sync_write_qd1, MOST_IOPS),
        ("sequential", device.sequential, MOST_MB),
        ("latency_us", device.latency_us, MOST_US),
    ];
    for (field, value, most) in figures {
        if let Some(value) = value.filter(|value| !(*value > 0.0 && *value <= most)) {
            return Err(RecordFault::Figure { name: device.name.clone(), field, value, most });
        }
    }
    Ok(())
}

/// Returns records as the text of a file.
pub fn text(devices: Vec<KnownDevice>) -> String {
    toml::to_string(&DeviceCatalogue { devices, ..DeviceCatalogue::default() }).unwrap_or_default()
}

/// Reads the records of a file.
///
/// # Errors
/// The file cannot be read, is no list of devices, or has figures that are no rates.
pub fn read(path: &Path) -> Result<Vec<KnownDevice>, OwnDeviceError> {
    let file = |e| OwnDeviceError::File(path.into(), e);
    let fault = |fault: RecordFault| OwnDeviceError::Record(path.into(), fault);
    let meta = std::fs::metadata(path).map_err(file)?;
    if !meta.is_file() {
        return Err(file(io::ErrorKind::InvalidInput.into()));
    }
    if meta.len() > LARGEST {
        return Err(file(io::ErrorKind::FileTooLarge.into()));
    }
    let content = std::fs::read_to_string(path).map_err(file)?;
    let found: DeviceCatalogue = toml::from_str(&content).map_err(|e| {
        let before = e.span().and_then(|span| content.get(..span.start)).unwrap_or_default();
        let why = e.message().lines().next().unwrap_or_default().to_owned();
        fault(RecordFault::Text { line: before.matches('\n').count() + 1, why })
    })?;
    if !found.classes.is_empty() {
        return Err(fault(RecordFault::Class));
    }
    if found.devices.is_empty() {
        return Err(fault(RecordFault::NoDevice));
    }
    for (at, device) in found.devices.iter().enumerate() {
        judge(device).map_err(fault)?;
        if found.devices[..at].iter().any(|earlier| earlier.name == device.name) {
            return Err(fault(RecordFault::Twice(device.name.clone())));
        }
    }
    Ok(found.devices)
}

/// Adds devices to the user's catalogue, each in a file with its name; a device of the same name is replaced.
///
/// # Errors
/// There is no directory for configuration, or a file cannot be written.
pub fn add(directory: Option<&Path>, devices: &[KnownDevice]) -> Result<Added, OwnDeviceError> {
    let directory = directory.ok_or(OwnDeviceError::NoDirectory)?;
    std::fs::create_dir_all(directory).map_err(|e| OwnDeviceError::File(directory.into(), e))?;
    let mut added = Added { directory: directory.to_owned(), replaced: Vec::new() };
    for device in devices {
        if replace(directory, device)? {
            added.replaced.push(device.name.clone());
        } else {
            create(directory, device)?;
        }
    }
    Ok(added)
}

/// Returns the files of the user's devices, by name.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    files
}

/// Replaces each record that has the name of `device`, and returns whether there was one.
fn replace(directory: &Path, device: &KnownDevice) -> Result<bool, OwnDeviceError> {
    let mut found = false;
    for path in files(directory) {
        let Ok(mut known) = read(&path) else { continue };
        let Some(same) = known.iter_mut().find(|known| known.name == device.name) else { continue };
        *same = device.clone();
        std::fs::write(&path, text(known)).map_err(|e| OwnDeviceError::File(path, e))?;
        found = true;
    }
    Ok(found)
}

/// Writes `device` to a new file. Different names may differ only in characters that a file name does not have, so a name
/// that is taken gets a number.
fn create(directory: &Path, device: &KnownDevice) -> Result<(), OwnDeviceError> {
    let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let stem: String = device.name.chars().map(plain).collect();
    let mut number = 1;
    loop {
        let name = if number == 1 { format!("{stem}.toml") } else { format!("{stem}-{number}.toml") };
        let path = directory.join(name);
        match std::fs::File::create_new(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => number += 1,
            file => {
                let written = file.and_then(|mut file| file.write_all(text(vec![device.clone()]).as_bytes()));
                return written.map_err(|e| OwnDeviceError::File(path, e));
            }
        }
    }
}

impl DeviceCatalogue {
    /// Returns the catalogue with the devices in the user's `directory`; files that cannot be read are returned beside it.
    pub fn with_own(&self, directory: Option<&Path>) -> (DeviceCatalogue, Vec<OwnDeviceError>) {
        let mut all = self.clone();
        let mut wrong = Vec::new();
        for path in directory.map(files).unwrap_or_default() {
            match read(&path) {
                Ok(devices) => all.own.extend(devices),
                Err(error) => wrong.push(error),
            }
        }
        (all, wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_class::catalogue;
    use stats::estimate::Estimate;
    use stats::study::Access;
    use stats::{Conditions, Direction, Flow};
    use testbed::Sandbox;

    fn load(depth: u32, iops: f64) -> Measured {
        let flow = Flow { direction: Direction::Read, iops: Estimate::bare(iops), ..Flow::default() };
        let conditions = Conditions {
            target: "/srv/secret/file".into(),
            stack: vec!["sdq (disk, ssd)".into()],
            host: "db7.example".into(),
            kernel: Some("6.1.0-secret".into()),
            by: "fathom 0.1.0".into(),
            ..Conditions::default()
        };
        let access = Access { rw: "randread".into(), bs: 4096, ..Access::default() };
        Measured { access, depth, jobs: 1, flows: vec![flow], conditions, ..Measured::default() }
    }

    /// A record reads back, and says nothing about host, path, disk or time.
    #[test]
    fn a_shared_record_is_anonymous_and_reads_back() {
        let device = record(catalogue(), "ours", &[load(1, 9_876.5), load(32, 81_234.0)]).unwrap();
        assert_eq!((device.class.as_str(), device.read_qd1), ("ssd-sata", Some(9880.0)));
        let shared = text(vec![device.clone()]);
        for secret in ["secret", "sdq", "db7", "6.1.0", "srv"] {
            assert!(!shared.contains(secret), "{shared}");
        }
        let sandbox = Sandbox::in_memory().unwrap();
        sandbox.put("shared.toml", &shared).unwrap();
        let read_back = read(&sandbox.join("shared.toml")).unwrap();
        assert_eq!(read_back, [device]);
        let directory = sandbox.join("config");
        add(Some(&directory), &read_back).unwrap();
        let (all, wrong) = catalogue().with_own(Some(&directory));
        assert!(all.own.len() == 1 && wrong.is_empty());
        let ranking = rank(&all, "R1", &[load(1, 9_880.0), load(32, 81_200.0)]).unwrap();
        assert!(ranking.classes.iter().any(|class| class.name == "ours" && class.distance < 1e-3));
    }

    /// Names that differ only in characters that a file name does not have are different devices; a name that is added
    /// again is replaced and told, wherever its record is.
    #[test]
    fn devices_of_similar_names_are_all_kept() {
        let sandbox = Sandbox::in_memory().unwrap();
        let directory = sandbox.join("config");
        let device = |name: &str, iops| record(catalogue(), name, &[load(1, iops)]).unwrap();
        let names = ["a b", "a-b", "a/b", "a-b-2"];
        for name in names {
            assert!(add(Some(&directory), &[device(name, 100.0)]).unwrap().replaced.is_empty(), "{name}");
        }
        let again = add(Some(&directory), &[device("a/b", 200.0), device("new", 1.0)]).unwrap();
        assert_eq!(again.replaced, ["a/b"]);
        let (all, wrong) = catalogue().with_own(Some(&directory));
        let mut found: Vec<_> = all.own.iter().map(|own| (own.name.as_str(), own.read_qd1)).collect();
        found.sort_by(|a, b| a.0.cmp(b.0));
        let same = [("a b", 100.0), ("a-b", 100.0), ("a-b-2", 100.0), ("a/b", 200.0), ("new", 1.0)];
        assert_eq!(found, same.map(|(name, rate)| (name, Some(rate))));
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let sandbox = Sandbox::in_memory().unwrap();
        for (name, text) in [
            ("empty.toml", ""),
            ("class.toml", "[[class]]\nname = \"x\"\n"),
            ("rate.toml", "[[device]]\nclass=\"hdd\"\nname=\"x\"\nread_qd1=-5.0\nsource=\"y\"\n"),
            ("name.toml", "[[device]]\nclass=\"hdd\"\nname=\"\\u001b[2J\"\nread_qd1=5.0\nsource=\"y\"\n"),
            ("other.toml", "[[device]]\nclass=\"hdd\"\nname=\"x\"\nhost=\"db7\"\nsource=\"y\"\n"),
        ] {
            sandbox.put(name, text).unwrap();
            assert!(matches!(read(&sandbox.join(name)), Err(OwnDeviceError::Record(..))), "{name}");
        }
        let figure = |text: &str| {
            let record = format!("[[device]]\nclass=\"hdd\"\nname=\"x\"\nlatency_us=1\nsource=\"y\"\n{text}");
            sandbox.put("figure.toml", &record).unwrap();
            read(&sandbox.join("figure.toml"))
        };
        for (text, name) in [
            ("read_qd1 = 1e300", "read_qd1"),
            ("read_qd32 = nan", "read_qd32"),
            ("write_qd1 = inf", "write_qd1"),
            ("sync_write_qd1 = 0.0", "sync_write_qd1"),
            ("sequential = -0.1", "sequential"),
        ] {
            let found = figure(text);
            let named = matches!(&found, Err(OwnDeviceError::Record(_, RecordFault::Figure { field, .. })) if *field == name);
            assert!(named, "{text}: {found:?}");
        }
        assert!(figure("read_qd1 = 98_000.0").is_ok());
        let broken = figure("read_qd1 = \n");
        assert!(
            matches!(&broken, Err(OwnDeviceError::Record(_, RecordFault::Text { line: 6, .. }))),
            "{broken:?}"
        );
        assert!(matches!(read(&sandbox.join("nowhere")), Err(OwnDeviceError::File(..))));
        let missing = record(catalogue(), "x", &[Measured::default()]);
        assert!(matches!(missing, Err(OwnDeviceError::NoFigure)));
        assert!(matches!(record(catalogue(), " ", &[load(1, 100.0)]), Err(OwnDeviceError::Name(_))));
    }
}
