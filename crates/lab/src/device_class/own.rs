//! Own devices of the catalogue: measured results under a name, and records that others share. They lie as TOML files in
//! the user's configuration; nothing is sent anywhere.

use super::rank::rank;
use super::{DeviceCatalogue, KnownDevice};
use stats::ranking::RankFigure;
use stats::{Grade, Measured};
use std::io;
use std::path::{Path, PathBuf};

/// Class of a device that resembles none.
pub const NO_CLASS: &str = "none";
/// Longest name of a device, bytes.
const LONGEST_NAME: usize = 60;
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
    /// A file has no records, or wrong ones: the reason of the parser.
    Text(PathBuf, String),
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
    let plain = !name.trim().is_empty() && name.len() <= LONGEST_NAME && !name.chars().any(char::is_control);
    if !plain {
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
    Ok(KnownDevice {
        class: class.map_or(NO_CLASS, |class| class.name.as_str()).to_owned(),
        name: name.trim().to_owned(),
        read_qd1: figure(RankFigure::ReadQd1),
        read_qd32: figure(RankFigure::ReadQd32),
        write_qd1: figure(RankFigure::WriteQd1),
        sync_write_qd1: figure(RankFigure::SyncWriteQd1),
        sequential: figure(RankFigure::Sequential),
        latency_us: None,
        source: format!("{by} ({})", grade.letter()),
    })
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
    let text = |why: String| OwnDeviceError::Text(path.into(), why);
    let meta = std::fs::metadata(path).map_err(file)?;
    if !meta.is_file() {
        return Err(file(io::ErrorKind::InvalidInput.into()));
    }
    if meta.len() > LARGEST {
        return Err(file(io::ErrorKind::FileTooLarge.into()));
    }
    let content = std::fs::read_to_string(path).map_err(file)?;
    let found: DeviceCatalogue = toml::from_str(&content).map_err(|e| text(e.to_string()))?;
    for device in &found.devices {
        let figures =
            [device.read_qd1, device.read_qd32, device.write_qd1, device.sync_write_qd1, device.sequential];
        let rates = figures.iter().flatten().all(|rate| rate.is_finite() && *rate > 0.0);
        if !rates || device.name.len() > LONGEST_NAME || device.name.chars().any(char::is_control) {
            return Err(text(device.name.clone()));
        }
    }
    if found.devices.is_empty() || !found.classes.is_empty() {
        return Err(text("[[device]]".to_owned()));
    }
    Ok(found.devices)
}

/// Adds devices to the user's catalogue, each in a file with its name; a device of the same name is replaced. Returns
/// the directory.
///
/// # Errors
/// There is no directory for configuration, or a file cannot be written.
pub fn add(directory: Option<&Path>, devices: &[KnownDevice]) -> Result<PathBuf, OwnDeviceError> {
    let directory = directory.ok_or(OwnDeviceError::NoDirectory)?;
    std::fs::create_dir_all(directory).map_err(|e| OwnDeviceError::File(directory.into(), e))?;
    for device in devices {
        let plain = |c: char| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' };
        let path = directory.join(device.name.chars().map(plain).collect::<String>() + ".toml");
        std::fs::write(&path, text(vec![device.clone()])).map_err(|e| OwnDeviceError::File(path, e))?;
    }
    Ok(directory.to_owned())
}

impl DeviceCatalogue {
    /// Returns the catalogue with the devices in the user's `directory`; files that cannot be read are returned beside it.
    pub fn with_own(&self, directory: Option<&Path>) -> (DeviceCatalogue, Vec<OwnDeviceError>) {
        let mut all = self.clone();
        let mut wrong = Vec::new();
        let entries = directory.and_then(|directory| std::fs::read_dir(directory).ok()).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
            .collect();
        files.sort();
        for path in files {
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
            assert!(matches!(read(&sandbox.join(name)), Err(OwnDeviceError::Text(..))), "{name}");
        }
        assert!(matches!(read(&sandbox.join("nowhere")), Err(OwnDeviceError::File(..))));
        let missing = record(catalogue(), "x", &[Measured::default()]);
        assert!(matches!(missing, Err(OwnDeviceError::NoFigure)));
        assert!(matches!(record(catalogue(), " ", &[load(1, 100.0)]), Err(OwnDeviceError::Name(_))));
    }
}
