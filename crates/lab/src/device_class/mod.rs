//! Catalogue of device classes: what a disk, an SSD or a cloud volume reaches, in `classes.toml`.

pub mod own;
pub mod rank;

use serde::{Deserialize, Serialize};
use stats::cloud::CloudMark;
use std::sync::OnceLock;

const TEXT: &str = include_str!("classes.toml");

/// Classes, and devices whose figures were published.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceCatalogue {
    /// Classes in the order of the list.
    #[serde(rename = "class", default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<DeviceClass>,
    /// Devices.
    #[serde(rename = "device", default)]
    pub devices: Vec<KnownDevice>,
    /// The user's own devices, and those that others shared.
    #[serde(skip_deserializing, default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<KnownDevice>,
}

/// Class of devices with the range of each figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceClass {
    /// Name on the command line: `ssd-sata`.
    pub name: String,
    /// Description.
    pub title: String,
    /// 4 KiB random reads per second at queue depth 1.
    pub read_qd1: [f64; 2],
    /// 4 KiB random reads per second at queue depth 32.
    pub read_qd32: [f64; 2],
    /// 4 KiB random writes per second at queue depth 1, not synced.
    pub write_qd1: [f64; 2],
    /// 4 KiB writes per second at queue depth 1, each followed by a sync.
    pub sync_write_qd1: [f64; 2],
    /// Sequential MB/s.
    pub sequential: [f64; 2],
    /// Median latency of a 4 KiB random read at queue depth 1, microseconds.
    pub latency_us: [f64; 2],
    /// Ceiling of the fastest link of the class, MB/s.
    pub link: Option<f64>,
    /// Origin of the ranges.
    pub mark: CloudMark,
    /// Document or method.
    pub source: String,
    /// Date of the document.
    pub date: Option<String>,
}

/// Device with published figures, in the units of its class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDevice {
    /// Class of the device.
    pub class: String,
    /// Name of the device.
    pub name: String,
    /// 4 KiB random reads per second at queue depth 1.
    pub read_qd1: Option<f64>,
    /// 4 KiB random reads per second at queue depth 32, or as the source says.
    pub read_qd32: Option<f64>,
    /// 4 KiB random writes per second at queue depth 1.
    pub write_qd1: Option<f64>,
    /// 4 KiB writes per second at queue depth 1, each followed by a sync.
    pub sync_write_qd1: Option<f64>,
    /// Sequential MB/s.
    pub sequential: Option<f64>,
    /// Latency of a 4 KiB random read at queue depth 1, microseconds.
    pub latency_us: Option<f64>,
    /// Document with its conditions.
    pub source: String,
}

/// Returns the catalogue.
pub fn catalogue() -> &'static DeviceCatalogue {
    static CATALOGUE: OnceLock<DeviceCatalogue> = OnceLock::new();
    // The tests parse the text.
    CATALOGUE.get_or_init(|| toml::from_str(TEXT).unwrap_or_default())
}

impl DeviceCatalogue {
    /// Returns the class called `name`.
    ///
    /// # Errors
    /// There is none; the most similar name, if one is similar.
    pub fn class(&self, name: &str) -> Result<&DeviceClass, Option<&str>> {
        let found = self.classes.iter().find(|class| class.name == name);
        found.ok_or_else(|| {
            let known = |name: &str| self.classes.iter().find(|class| class.name == name);
            let medium = class_of_medium(name).and_then(known).map(|class| class.name.as_str());
            let names = self.classes.iter().map(|class| class.name.as_str());
            medium.or_else(|| job::suggest::nearest(name, names))
        })
    }

    /// Returns the devices of a class.
    pub fn devices_of<'a>(&'a self, class: &'a DeviceClass) -> impl Iterator<Item = &'a KnownDevice> {
        self.devices.iter().chain(&self.own).filter(|device| device.class == class.name)
    }
}

/// Returns the class nearest to a medium as `fathom audit --device` names it.
fn class_of_medium(name: &str) -> Option<&'static str> {
    Some(match name {
        "10k-hdd" => "hdd-fast",
        "sata-ssd" | "ssd" => "ssd-sata",
        "nvme" => "nvme-gen4",
        "usb" => "usb-stick",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Factor by which a device may lie outside of the range of its class: old and small devices do.
    const OUTLIER: f64 = 2.0;

    #[test]
    fn media_of_the_audit_suggest_their_classes() {
        for (name, near) in [
            ("sata-ssd", Some("ssd-sata")),
            ("10k-hdd", Some("hdd-fast")),
            ("usb", Some("usb-stick")),
            ("nvme", Some("nvme-gen4")),
            ("tape", None),
        ] {
            assert_eq!(catalogue().class(name).map(|class| class.name.as_str()), Err(near), "{name}");
        }
        assert!(catalogue().class("hdd").is_ok());
    }

    fn ordered([low, high]: [f64; 2]) -> bool {
        low > 0.0 && low <= high
    }

    /// Rules that no device can break: Little's law at depth 1 and 32, random reads below the sequential rate, the link,
    /// and syncs that cost time.
    #[test]
    fn ranges_are_physically_possible() {
        let all: DeviceCatalogue = toml::from_str(TEXT).unwrap();
        assert!(all.classes.len() >= 16);
        for class in &all.classes {
            let DeviceClass {
                read_qd1, read_qd32, write_qd1, sync_write_qd1, sequential, latency_us, ..
            } = class;
            let name = &class.name;
            let ranges = [read_qd1, read_qd32, write_qd1, sync_write_qd1, sequential, latency_us];
            assert!(ranges.into_iter().all(|range| ordered(*range)), "{name}: a range is empty or reversed");
            for (rate, latency) in [(read_qd1[0], latency_us[1]), (read_qd1[1], latency_us[0])] {
                let alone = rate * latency / 1e6;
                assert!((0.7..1.3).contains(&alone), "{name}: {alone} reads in flight at depth 1");
            }
            for end in [0, 1] {
                assert!(read_qd32[end] >= read_qd1[end], "{name}: slower at depth 32");
                assert!(read_qd32[end] <= 32.0 * read_qd1[1], "{name}: more than 32 in flight");
                assert!(sync_write_qd1[end] <= write_qd1[end], "{name}: syncs make writes faster");
            }
            assert!(read_qd32[1] * 4096.0 <= 1.05e6 * sequential[1], "{name}: random above sequential");
            assert!(class.link.is_none_or(|link| sequential[1] <= link), "{name}: beyond the link");
            assert!(!class.source.is_empty(), "{name}");
        }
    }

    #[test]
    fn published_figures_lie_in_their_class() {
        let all = catalogue();
        for device in &all.devices {
            let class = all.class(&device.class).unwrap();
            for (figure, [low, high]) in [
                (device.read_qd1, class.read_qd1),
                (device.read_qd32, class.read_qd32),
                (device.write_qd1, class.write_qd1),
                (device.sync_write_qd1, class.sync_write_qd1),
                (device.sequential, class.sequential),
                (device.latency_us, class.latency_us),
            ] {
                let fits = figure.is_none_or(|f| f >= low / OUTLIER && f <= high * OUTLIER);
                assert!(fits, "{}: {figure:?} is not in {low} to {high}", device.name);
            }
            let beyond = device.sequential.zip(class.link).is_some_and(|(rate, link)| rate > 1.05 * link);
            assert!(!beyond && !device.source.is_empty(), "{}", device.name);
        }
        assert_eq!(all.class("ssd-satta").err(), Some(Some("ssd-sata")));
    }
}
