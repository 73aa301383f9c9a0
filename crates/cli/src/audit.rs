//! `fathom audit FILE...`: whether results that others measured can be true, and what they measured.

use crate::output::print;
use crate::terminal;
use lab::audit::context;
use report::Lang;
use stats::Grade;
use stats::audit::{AuditContext, AuditReport};
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
    let context = match stated(&asked) {
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
        // Files that could not be read were named above, and say nothing about their results.
        if !found.texts.is_empty() {
            eprintln!("fathom audit: {}", report::audit::nothing(lang));
        }
        for (file, lines) in &found.unread {
            eprintln!("fathom audit: {file}: {}", report::audit::unread_lines(lang, lines));
        }
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
fn stated(asked: &Arguments) -> Result<AuditContext, &'static str> {
    let mut context = AuditContext::default();
    if let Some(text) = &asked.device {
        let (devices, medium) = context::medium(text).ok_or("device")?;
        context.devices = devices;
        context.medium = Some(medium);
    }
    if let Some(text) = &asked.ram {
        context.ram = Some(context::memory(text).ok_or("ram")?);
    }
    if let Some(text) = &asked.link {
        context.link = Some(context::link(text).ok_or("link")?);
    }
    Ok(context)
}
