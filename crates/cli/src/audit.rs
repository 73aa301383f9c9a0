//! `fathom audit FILE...`: whether results that others measured can be true, and what they measured.

use crate::output::print;
use crate::terminal;
use report::Lang;
use stats::Grade;
use stats::audit::{AuditContext, AuditReport, StatedMedium};
use std::io::Read;
use std::path::PathBuf;

/// Exit status if a result did not measure the device.
const NOT_THE_DEVICE: i32 = 4;
/// Exit status if a result holds only under its own narrow conditions.
const CONDITIONS: i32 = 6;
/// Longest text on standard input, bytes.
const LONGEST_INPUT: u64 = 64 << 20;

/// Can these results of others be true, and what did they measure?
///
/// Reads output of fio, dd, hdparm, ioping, iostat, sysbench, pg_test_fsync, bonnie++, CrystalDiskMark, AS SSD, diskspd,
/// Iometer, elbencho, vdbench and yabs, and lines of web pages.
#[derive(clap::Args)]
pub struct Arguments {
    /// Files with the printed results, directories of such files, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Medium of the measured device: hdd, 10k-hdd, sata-ssd, nvme, usb or cloud; 4xhdd for an array
    #[arg(long, value_name = "MEDIUM")]
    device: Option<String>,
    /// Memory of the measured machine, such as 16G
    #[arg(long, value_name = "SIZE")]
    ram: Option<String>,
    /// Link to the storage: 1G, 10GbE, 117MB/s, SATA3, USB3, PCIe4x4
    #[arg(long, value_name = "SPEED")]
    link: Option<String>,
    /// Show all results, and every finding of those below grade A
    #[arg(long)]
    all: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit status: 0 if no result has a grade below B.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let context = match context(&asked) {
        Ok(context) => context,
        Err(option) => {
            eprintln!("fathom audit: {}", report::audit::option_help(lang, option));
            return 2;
        }
    };
    let mut input = None;
    if asked.files.iter().any(|file| file.as_os_str() == "-") {
        let mut bytes = Vec::new();
        if let Err(why) = std::io::stdin().take(LONGEST_INPUT).read_to_end(&mut bytes) {
            eprintln!("fathom audit: -: {why}");
            return 1;
        }
        input = Some(bytes);
    }
    let found = import::printed(&asked.files, input.as_deref());
    for (path, why) in &found.skipped {
        eprintln!("fathom audit: {}: {}", path.display(), report::words::import::remark(lang, why));
    }
    if found.results.is_empty() {
        if asked.json {
            print(&report::audit::json(&AuditReport { context, results: Vec::new() }));
        }
        eprintln!("fathom audit: {}", report::audit::nothing(lang));
        return 1;
    }
    let results = found.results.clone();
    let line = |file: &str, number: usize| found.line(file, number).to_owned();
    let audited = lab::audit::audit(&context, results, &line);
    print(&match asked.json {
        true => report::audit::json(&audited),
        false => report::audit::render(lang, &audited, asked.all, terminal::width()),
    });
    match audited.worst() {
        _ if !found.skipped.is_empty() => 1,
        Some(Grade::NotTheDevice) => NOT_THE_DEVICE,
        Some(Grade::Conditions) => CONDITIONS,
        _ => 0,
    }
}

/// Returns the facts about the machine, or the name of the option that has a wrong value.
fn context(asked: &Arguments) -> Result<AuditContext, &'static str> {
    let mut context = AuditContext::default();
    if let Some(text) = &asked.device {
        let (devices, medium) = medium(text).ok_or("device")?;
        context.devices = devices;
        context.medium = Some(medium);
    }
    if let Some(text) = &asked.ram {
        context.ram = Some(size(text, 1024.0).ok_or("ram")?);
    }
    if let Some(text) = &asked.link {
        context.link = Some(link(text).ok_or("link")?);
    }
    Ok(context)
}

/// Reads `hdd`, `SATA SSD`, `4xhdd`, `7200 rpm`.
fn medium(text: &str) -> Option<(Option<u32>, StatedMedium)> {
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
        _ => return None,
    };
    Some((devices, medium))
}

/// Reads `16G`, `16GiB`, `117MB`.
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

/// Reads the speed of a link in bytes per second, after its encoding.
fn link(text: &str) -> Option<f64> {
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
