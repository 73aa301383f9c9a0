//! `fathom catalog [CLASS]`: what classes of devices reach, and the user's own devices.

use crate::output::print;
use crate::stored::StoreChoice;
use crate::{source, terminal};
use lab::device_class::own::{self, OwnDeviceError};
use lab::device_class::{DeviceCatalogue, KnownDevice, catalogue};
use report::Lang;
use stats::StoredId;
use std::path::{Path, PathBuf};

/// List classes of devices with their usual rates and latencies
///
/// Disks, SSDs, SD cards, cloud volumes and others, and your own devices.
#[derive(clap::Args)]
pub struct Arguments {
    /// Class in the list; shows the published figures of its devices
    class: Option<String>,
    /// Add a stored result (R7), or the records in a file of `fathom export --share`, to your own devices
    #[arg(long, value_name = "R7|FILE", conflicts_with = "class")]
    add: Option<String>,
    /// Name of the device that --add adds
    #[arg(long, requires = "add")]
    name: Option<String>,
    /// Read this store instead of your own
    #[arg(long, value_name = "FILE", requires = "add")]
    store: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit status.
pub fn main(lang: Lang, asked: &Arguments) -> i32 {
    if let Some(result) = &asked.add {
        return add(lang, result, asked);
    }
    let (all, width) = (with_own(lang), terminal::width());
    let text = match &asked.class {
        None if asked.json => report::device_class::json(&all),
        None => report::device_class::list(lang, &all, width),
        Some(name) => match all.class(name) {
            Ok(class) if asked.json => report::device_class::class_json(&all, class),
            Ok(class) => report::device_class::class(lang, &all, class, width),
            Err(near) => {
                eprintln!("fathom catalog: {}", report::device_class::unknown(lang, name, near));
                return 2;
            }
        },
    };
    print(&text);
    0
}

/// Returns the catalogue with the user's devices; files that cannot be read are reported on standard error.
pub fn with_own(lang: Lang) -> DeviceCatalogue {
    let (all, wrong) = catalogue().with_own(own::directory().as_deref());
    for error in wrong {
        eprintln!("fathom: {}", report::device_class::own_error(lang, &error));
    }
    all
}

fn add(lang: Lang, result: &str, asked: &Arguments) -> i32 {
    let failed = |line: String, status: i32| {
        eprintln!("fathom catalog: {line}");
        status
    };
    let wrong = |error: &OwnDeviceError| report::device_class::own_error(lang, error);
    let devices = match (&asked.name, Path::new(result).is_file()) {
        (None, true) => own::read(Path::new(result)),
        (name, _) => match recorded(lang, result, name.as_deref().unwrap_or(result), asked.store.clone()) {
            Ok(device) => device.map(|device| vec![device]),
            Err(line) => return failed(line, 1),
        },
    };
    let added = devices.and_then(|devices| Ok((own::add(own::directory().as_deref(), &devices)?, devices)));
    match added {
        Ok((added, devices)) => {
            print(&report::device_class::added(lang, &devices, &added));
            0
        }
        Err(error @ OwnDeviceError::Name(_)) => failed(wrong(&error), 2),
        Err(error) => failed(wrong(&error), 1),
    }
}

/// Returns the record of a stored result or file under a name.
///
/// # Errors
/// A message if the result cannot be read.
pub fn recorded(
    lang: Lang,
    result: &str,
    name: &str,
    store: Option<PathBuf>,
) -> Result<Result<KnownDevice, OwnDeviceError>, String> {
    let sources = source::read(&[result.to_owned()], &StoreChoice::of_switches(store, false), lang)?;
    let loads: Vec<_> = sources.iter().flat_map(source::Source::loads).collect();
    Ok(own::record(catalogue(), name, &loads))
}

/// Runs `fathom export ID --share NAME`: prints the record of a stored result, and returns the exit status.
pub fn share(lang: Lang, id: StoredId, name: &str, store: Option<PathBuf>) -> i32 {
    let failed = |line: String, status: i32| {
        eprintln!("fathom export: {line}");
        status
    };
    match recorded(lang, &id.to_string(), name, store) {
        Ok(Ok(device)) => {
            print(&own::text(vec![device]));
            0
        }
        Ok(Err(error)) => {
            let status = if matches!(error, OwnDeviceError::Name(_)) { 2 } else { 1 };
            failed(report::device_class::own_error(lang, &error), status)
        }
        Err(line) => failed(line, 1),
    }
}
