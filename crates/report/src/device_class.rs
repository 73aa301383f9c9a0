//! The list of device classes, and a class with its devices: `fathom catalog`.

use crate::catalog::{say, word};
use crate::scale::{short, time};
use crate::{Grid, Lang, export, fill, lay, prose_width};
use lab::device_class::own::{Added, OwnDeviceError, RecordFault};
use lab::device_class::{DeviceCatalogue, DeviceClass, KnownDevice};
use stats::cloud::{CloudMark, CloudSource};

/// Returns the classes, one a line.
pub fn list(lang: Lang, all: &DeviceCatalogue, width: usize) -> String {
    let width = prose_width(width);
    let mut rows = vec![head(lang)];
    rows.extend(all.classes.iter().map(|class| row(&class.name, class)));
    rows.extend(all.own.iter().map(device));
    let mut lines = Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width);
    lines.extend(fill("", word!(lang, "catalogue-end"), width));
    lay(&lines)
}

/// Returns a class with the published figures of its devices.
pub fn class(lang: Lang, all: &DeviceCatalogue, class: &DeviceClass, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = fill("", &class.title, width);
    let mut rows = vec![head(lang), row(word!(lang, "catalogue-range"), class)];
    rows.extend(all.devices_of(class).map(device));
    lines.extend(Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width));
    let row = CloudSource { mark: class.mark, source: class.source.clone(), date: class.date.clone() };
    let range = word!(lang, "catalogue-range");
    lines.extend(fill("", &format!("{range}: {}", source(lang, &row)), width));
    for device in all.devices_of(class) {
        lines.extend(fill("", &format!("{}: {}", device.name, device.source), width));
    }
    lay(&lines)
}

/// Returns the document behind the ranges of a class, whether it is confirmed, and its date.
pub fn source(lang: Lang, row: &CloudSource) -> String {
    let mark = match row.mark {
        CloudMark::R | CloudMark::U => word!(lang, "cloud-confirmed"),
        CloudMark::A => word!(lang, "cloud-derived"),
        CloudMark::K => word!(lang, "cloud-unconfirmed"),
    };
    let date = row.date.as_deref().unwrap_or(word!(lang, "cloud-no-date"));
    format!("{} ({mark}, {date})", row.source)
}

/// Returns the catalogue as one JSON document, newline at the end.
pub fn json(all: &DeviceCatalogue) -> String {
    export::json(all)
}

/// Returns a class with its devices as one JSON document, newline at the end.
pub fn class_json(all: &DeviceCatalogue, class: &DeviceClass) -> String {
    let devices = all.devices_of(class).cloned().collect();
    export::json(&DeviceCatalogue { classes: vec![class.clone()], devices, own: Vec::new() })
}

/// Returns which devices were added to a directory, and which ones they replace, newline at the end.
pub fn added(lang: Lang, devices: &[KnownDevice], added: &Added) -> String {
    let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
    let path = added.directory.to_string_lossy();
    let mut text = say!(lang, "catalogue-added", names = names.join(", "), path) + "\n";
    if !added.replaced.is_empty() {
        text += &(say!(lang, "catalogue-replaced", names = added.replaced.join(", ")) + "\n");
    }
    text
}

/// Returns why a device cannot be added or read.
pub fn own_error(lang: Lang, error: &OwnDeviceError) -> String {
    match error {
        OwnDeviceError::NoFigure => word!(lang, "catalogue-own-no-figure").to_owned(),
        OwnDeviceError::Name(name) => say!(lang, "catalogue-own-name", name),
        OwnDeviceError::NoDirectory => word!(lang, "catalogue-own-no-directory").to_owned(),
        OwnDeviceError::File(path, why) => {
            say!(lang, "catalogue-own-file", path = path.to_string_lossy(), why = why.to_string())
        }
        OwnDeviceError::Record(path, fault) => {
            let why = record_fault(lang, fault);
            say!(lang, "catalogue-own-file", path = path.to_string_lossy(), why)
        }
    }
}

/// Returns the rule that a file of records breaks.
fn record_fault(lang: Lang, fault: &RecordFault) -> String {
    match fault {
        RecordFault::Text { line, why } => say!(lang, "catalogue-record-text", line = *line, why),
        RecordFault::NoDevice => word!(lang, "catalogue-record-none").to_owned(),
        RecordFault::Class => word!(lang, "catalogue-record-class").to_owned(),
        RecordFault::Name(name) => say!(lang, "catalogue-own-name", name),
        RecordFault::Twice(name) => say!(lang, "catalogue-record-twice", name),
        RecordFault::Figure { name, field, value, most } => {
            let (value, most) = (figure(*value), figure(*most));
            say!(lang, "catalogue-record-figure", name, field = *field, value, most)
        }
    }
}

/// Returns a number as a record may have it: in full up to a million, else with an exponent.
fn figure(value: f64) -> String {
    if value.abs() < 1e6 { value.to_string() } else { format!("{value:e}") }
}

/// Returns that no class has a name.
pub fn unknown(lang: Lang, name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => say!(lang, "catalogue-unknown-near", name, near),
        None => say!(lang, "catalogue-unknown", name),
    }
}

fn head(lang: Lang) -> Vec<String> {
    let all = [
        word!(lang, "catalogue-column-class"),
        word!(lang, "catalogue-column-read-1"),
        word!(lang, "catalogue-column-read-32"),
        word!(lang, "catalogue-column-write"),
        word!(lang, "catalogue-column-sync"),
        "MB/s",
        word!(lang, "catalogue-column-latency"),
    ];
    all.map(str::to_owned).to_vec()
}

/// Returns a number with a prefix and without zeros behind the point: `98k`, `2.5k`, `500`.
fn brief(number: f64) -> String {
    let text = short(number);
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let prefix = &text[digits.len()..];
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{prefix}")
}

/// Returns a latency in microseconds without zeros behind the point.
fn latency(us: f64) -> String {
    let text = time(us * 1e3);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number} {unit}")
}

fn row(name: &str, class: &DeviceClass) -> Vec<String> {
    let range = |[low, high]: [f64; 2]| format!("{}-{}", brief(low), brief(high));
    let [low, high] = class.latency_us.map(latency);
    // One unit is enough if both ends have it.
    let low = match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, a)), Some((_, b))) if a == b => number.to_owned(),
        _ => low,
    };
    let rates = [class.read_qd1, class.read_qd32, class.write_qd1, class.sync_write_qd1, class.sequential];
    let mut cells = vec![name.to_owned()];
    cells.extend(rates.map(range));
    cells.push(format!("{low}-{high}"));
    cells
}

fn device(device: &KnownDevice) -> Vec<String> {
    let rates =
        [device.read_qd1, device.read_qd32, device.write_qd1, device.sync_write_qd1, device.sequential];
    let mut cells = vec![device.name.clone()];
    cells.extend(rates.map(|rate| rate.map_or("-".into(), brief)));
    cells.push(device.latency_us.map_or("-".into(), latency));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns;
    use lab::device_class::catalogue;

    #[test]
    fn lists_fit_80_columns_and_25_lines() {
        let all = catalogue();
        for lang in [Lang::En, Lang::Zh, Lang::Ru, Lang::De] {
            let classes = all.classes.iter().map(|one| class(lang, all, one, 80));
            for text in classes.chain([list(lang, all, 80)]) {
                let wide = text.lines().map(columns).max().unwrap_or(0);
                assert!(wide <= 80 && text.lines().count() <= 25, "{text}");
            }
        }
        assert_eq!(
            (brief(98e3), brief(2500.0), latency(8000.0)),
            ("98k".into(), "2.5k".into(), "8 ms".into())
        );
    }
}
