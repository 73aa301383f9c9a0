//! Facts about the measured machine as a user states them: the values of `--device`, `--ram` and `--link`.

use stats::audit::StatedMedium;

/// Reads a medium with an optional number of devices: `hdd`, `SATA SSD`, `4xhdd`, `7200 rpm`; `None` for another text.
pub fn medium(text: &str) -> Option<(Option<u32>, StatedMedium)> {
    let lower = text.to_lowercase();
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let (devices, rest) = match lower[digits..].trim_start().strip_prefix('x') {
        Some(rest) if digits > 0 => {
            (Some(lower[..digits].parse().ok().filter(|n| *n > 0)?), rest.trim_start())
        }
        _ => (None, lower.as_str()),
    };
    let name: String = rest.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let medium = match name.as_str() {
        "hdd" | "harddisk" | "disk" | "5400rpm" | "7200rpm" | "7200" | "5400" | "72k" | "satahdd"
        | "sashdd" => StatedMedium::Hdd,
        "10khdd" | "15khdd" | "10k" | "15k" | "10krpm" | "15krpm" | "10000rpm" | "15000rpm" => {
            StatedMedium::FastHdd
        }
        "nvme" | "nvmessd" | "pcie" | "pciessd" | "m2" => StatedMedium::Nvme,
        "ssd" | "satassd" | "sasssd" | "sata" | "sas" => StatedMedium::SataSsd,
        "usb" | "usbstick" | "stick" | "sd" | "sdcard" | "card" | "emmc" => StatedMedium::Card,
        "cloud" | "network" | "ebs" | "ceph" | "iscsi" | "nfs" | "san" => StatedMedium::Network,
        _ => described(rest)?,
    };
    Some((devices, medium))
}

/// Returns the medium of a description: `enterprise NVMe SSD`, `15k rpm SAS HDD`; `None` if no word names one.
fn described(text: &str) -> Option<StatedMedium> {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let flash = has(&["ssd", "flash"]);
    if has(&["nvme", "optane", "pcie", "m2"]) {
        Some(StatedMedium::Nvme)
    } else if has(&["cloud", "ebs", "ceph", "iscsi", "nfs", "san", "network"]) {
        Some(StatedMedium::Network)
    } else if !flash && has(&["usb", "stick", "sd", "microsd", "emmc", "card"]) {
        Some(StatedMedium::Card)
    } else if !flash && has(&["10k", "15k", "10000", "15000"]) {
        Some(StatedMedium::FastHdd)
    } else if !flash && has(&["hdd", "rpm", "hard", "disk", "rotational", "spinning"]) {
        Some(StatedMedium::Hdd)
    } else if flash || has(&["sata", "sas"]) {
        Some(StatedMedium::SataSsd)
    } else {
        None
    }
}

/// Reads an amount of memory in bytes: `16G`, `16GiB`; `None` for another text.
pub fn memory(text: &str) -> Option<f64> {
    size(text, 1024.0)
}

/// Reads `16G`, `16GiB`, `117MB` with prefixes that are powers of `step`.
fn size(text: &str, step: f64) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().ok().filter(|n: &f64| *n > 0.0)?;
    let power = match text[digits..].trim().to_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return None,
    };
    Some(number * step.powi(power)).filter(|n| n.is_finite())
}

/// Reads the speed of a link in bytes per second, after its encoding and headers; `None` for another text.
pub fn link(text: &str) -> Option<f64> {
    let lower = text.trim().to_lowercase();
    let known = [
        ("sata1", 142e6),
        ("sata2", 285e6),
        ("sata3", 560e6),
        ("usb2", 42e6),
        ("usb3", 450e6),
        ("1gbe", 117e6),
        ("10gbe", 1170e6),
        ("25gbe", 2900e6),
        ("40gbe", 4700e6),
        ("100gbe", 11_700e6),
    ];
    if let Some((_, speed)) = known.iter().find(|(name, _)| *name == lower) {
        return Some(*speed);
    }
    if let Some(rest) = lower.strip_prefix("pcie") {
        let (generation, lanes) = rest.split_once('x')?;
        let lane = match generation.trim() {
            "2" => 425e6,
            "3" => 880e6,
            "4" => 1830e6,
            "5" => 3630e6,
            _ => return None,
        };
        return lanes.parse::<f64>().ok().filter(|n| (1.0..=16.0).contains(n)).map(|lanes| lane * lanes);
    }
    // Bits per second, less the share of Ethernet's and TCP's headers; with "B/s" bytes.
    if text.contains("B/s") {
        return size(&text.replace("/s", ""), 1000.0);
    }
    let bits = lower.trim_end_matches("bit/s").trim_end_matches("bps").trim_end_matches("b/s");
    // A bare number of bits is a forgotten unit.
    size(bits, 1000.0).map(|bits| bits / 8.0 * 0.94).filter(|speed| *speed > 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_memory_and_links_are_read_and_other_texts_are_not() {
        assert_eq!(medium("SATA SSD"), Some((None, StatedMedium::SataSsd)));
        assert_eq!(medium("4xhdd"), Some((Some(4), StatedMedium::Hdd)));
        assert_eq!(medium("7200 rpm"), Some((None, StatedMedium::Hdd)));
        for (text, stated) in [
            ("7200 rpm HDD", StatedMedium::Hdd),
            ("15k rpm SAS HDD", StatedMedium::FastHdd),
            ("enterprise NVMe SSD with power-loss protection", StatedMedium::Nvme),
            ("external USB 3 SSD", StatedMedium::SataSsd),
            ("a USB stick", StatedMedium::Card),
        ] {
            assert_eq!(medium(text), Some((None, stated)), "{text}");
        }
        assert_eq!(memory("16G"), Some(17_179_869_184.0));
        assert_eq!(link("1G").map(f64::round), Some(117_500_000.0));
        assert_eq!(
            (link("117MB/s"), link("SATA3"), link("PCIe4x4")),
            (Some(117e6), Some(560e6), Some(7320e6))
        );
        for wrong in ["", "nvmee", "0xhdd", "x", "ssdx"] {
            assert_eq!(medium(wrong), None, "{wrong}");
        }
        for wrong in ["", "lots", "-1G", "0", "16Q", "1e999"] {
            assert_eq!(memory(wrong), None, "{wrong}");
        }
        for wrong in ["", "10", "0", "foo", "pcie9x4", "pcie4x99"] {
            assert_eq!(link(wrong), None, "{wrong}");
        }
    }
}
