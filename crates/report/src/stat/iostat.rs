//! The text and the JSON document of iostat(1), word for word and column by column (sysstat 12.6.1).

use stats::io_counters::{DeviceNature, DeviceRow, DiskCounters, DiskRates, Flow, IoReport, RowKind};
use stats::plain;

/// Unit of amounts of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Sectors of 512 bytes (POSIXLY_CORRECT).
    Sectors,
    /// KiB, which iostat calls kB.
    #[default]
    Kilobytes,
    /// MiB, which iostat calls MB.
    Megabytes,
}

/// SGR attributes of the parts of a report (`S_COLORS_SGR`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Percentages of 75 and more.
    pub high: String,
    /// Percentages from 50.
    pub medium: String,
    /// Names of devices.
    pub item: String,
    /// Values other than zero.
    pub value: String,
    /// Zero.
    pub zero: String,
}

impl Default for Colours {
    fn default() -> Self {
        let [high, medium, item, value, zero] = ["31;1", "35;1", "32;22", "34;1", "34;22"].map(str::to_owned);
        Self { high, medium, item, value, zero }
    }
}

/// Longest value of a capability; iostat ignores longer ones.
const LONGEST_SGR: usize = 6;

impl Colours {
    /// Returns the default attributes with those of `S_COLORS_SGR` in their place.
    pub fn with(capabilities: &str) -> Self {
        let mut colours = Self::default();
        for (name, value) in capabilities.split(':').filter_map(|word| word.split_once('=')) {
            let valid = (1..=LONGEST_SGR).contains(&value.len())
                && value.bytes().all(|b| b.is_ascii_digit() || b == b';');
            let field = match name {
                "H" => &mut colours.high,
                "M" => &mut colours.medium,
                "I" => &mut colours.item,
                "N" => &mut colours.value,
                "Z" => &mut colours.zero,
                _ => continue,
            };
            if valid {
                *field = value.to_owned();
            }
        }
        colours
    }
}

/// What a report shows, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Format {
    /// The shares of the CPUs' time.
    pub cpu: bool,
    /// The devices.
    pub devices: bool,
    /// Extended statistics (`-x`).
    pub extended: bool,
    /// The narrow form (`-s`).
    pub short: bool,
    /// One JSON document (`-o JSON`).
    pub json: bool,
    /// Sizes with a unit of their own (`--human`).
    pub human: bool,
    /// Names behind the figures, one block of columns below the other (`--pretty`).
    pub pretty: bool,
    /// All columns in one line also with `--pretty` (`--compact`).
    pub compact: bool,
    /// The time of each report (`-t`).
    pub timestamps: bool,
    /// Unit of amounts.
    pub unit: Unit,
    /// Digits after the decimal point (`--dec`).
    pub decimals: usize,
    /// Attributes on a terminal.
    pub colours: Option<Colours>,
}

impl Default for Format {
    fn default() -> Self {
        Self {
            cpu: true,
            devices: true,
            extended: false,
            short: false,
            json: false,
            human: false,
            pretty: false,
            compact: false,
            timestamps: false,
            unit: Unit::default(),
            decimals: 2,
            colours: None,
        }
    }
}

/// The machine, as the first line names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// `uname -s`.
    pub system: String,
    /// `uname -r`.
    pub release: String,
    /// `uname -n`.
    pub node: String,
    /// `uname -m`.
    pub machine: String,
    /// Number of CPUs.
    pub cpus: usize,
    /// Date of the first report.
    pub date: String,
}

/// Message for a kind of names that `/dev/disk` does not have.
pub const INVALID_PERSISTENT_NAME: &str = "Invalid type of persistent device name\n";

/// Returns what iostat prints for a wrong command line; `program` is the name under which it was called.
pub fn usage(program: &str) -> String {
    format!(
        "Usage: {program} [ options ] [ <interval> [ <count> ] ]
Options are:
[ -c ] [ -d ] [ -h ] [ -k | -m ] [ -N ] [ -s ] [ -t ] [ -V ] [ -x ] [ -y ] [ -z ]
[ {{ -f | +f }} <directory> ] [ -j {{ ID | LABEL | PATH | UUID | ... }} ]
[ --compact ] [ --dec={{ 0 | 1 | 2 }} ] [ --human ] [ --pretty ] [ -o JSON ]
[ [ -H ] -g <group_name> ] [ -p [ <device> [,...] | ALL ] ]
[ <device> [...] | ALL ]
"
    )
}

/// Returns what `-V` prints: the version of iostat whose output this is, for scripts that ask for it, and fathom's.
pub fn version(fathom: &str) -> String {
    format!("sysstat version 12.6.1\n(fathom {fathom} with the command line and output of this version)\n")
}

/// A value of a report.
#[derive(Clone, Copy)]
enum Value {
    Number(f64),
    Percent(f64),
    /// Sectors per second, in the unit of the report.
    SectorRate(f64),
    /// Sectors, in the unit of the report.
    Sectors(u64),
    /// KiB, whatever the unit of the report.
    Kib(f64),
}

/// A column: the heading, its key in the JSON document, and its width.
struct Column {
    heading: String,
    key: String,
    width: usize,
    value: Value,
}

/// Columns that `--pretty` prints in one block.
type Block = Vec<Column>;

impl Format {
    /// Returns the name of the unit in headings.
    fn unit(&self, sectors: &'static str) -> &'static str {
        match self.unit {
            Unit::Sectors => sectors,
            Unit::Kilobytes => "kB",
            Unit::Megabytes => "MB",
        }
    }

    fn in_unit(&self, sectors: f64) -> f64 {
        match self.unit {
            Unit::Sectors => sectors,
            Unit::Kilobytes => sectors / 2.0,
            Unit::Megabytes => sectors / 2048.0,
        }
    }

    fn blocks(&self, row: &DeviceRow, r: &DiskRates) -> Vec<Block> {
        let column = |heading: String, width, value| Column {
            key: heading.trim_start_matches('%').to_owned(),
            heading,
            width,
            value,
        };
        let named = |heading: &str, width, value| column(heading.to_owned(), width, value);
        if self.extended && self.short {
            let unit = self.unit("sec");
            return vec![vec![
                named("tps", 9, Value::Number(r.all.per_second)),
                column(format!("{unit}/s"), 10, Value::SectorRate(r.all.sectors_per_second)),
                named("rqm/s", 9, Value::Number(r.all.merged_per_second)),
                named("await", 8, Value::Number(r.all.await_ms)),
                named("areq-sz", 9, Value::Kib(r.all.request_kib)),
                named("aqu-sz", 8, Value::Number(r.in_flight)),
                named("%util", 7, Value::Percent(r.busy_percent)),
            ]];
        }
        if self.extended {
            let unit = self.unit("sec");
            let flow = |letter: char, flow: &Flow| {
                vec![
                    column(format!("{letter}/s"), 8, Value::Number(flow.per_second)),
                    column(format!("{letter}{unit}/s"), 10, Value::SectorRate(flow.sectors_per_second)),
                    column(format!("{letter}rqm/s"), 9, Value::Number(flow.merged_per_second)),
                    column(format!("%{letter}rqm"), 7, Value::Percent(flow.merged_percent)),
                    column(format!("{letter}_await"), 8, Value::Number(flow.await_ms)),
                    column(format!("{letter}areq-sz"), 9, Value::Kib(flow.request_kib)),
                ]
            };
            let rest = vec![
                named("f/s", 8, Value::Number(r.flushes_per_second)),
                named("f_await", 8, Value::Number(r.flush_await_ms)),
                named("aqu-sz", 8, Value::Number(r.in_flight)),
                named("%util", 7, Value::Percent(r.busy_percent)),
            ];
            return vec![flow('r', &r.read), flow('w', &r.write), flow('d', &r.discard), rest];
        }
        let (unit, g) = (self.unit("Blk"), &row.grown);
        let rate = |what: &str, rate| column(format!("{unit}_{what}/s"), 13, Value::SectorRate(rate));
        let total = |what: &str, sectors| column(format!("{unit}_{what}"), 11, Value::Sectors(sectors));
        let (read, write, discard) =
            (r.read.sectors_per_second, r.write.sectors_per_second, r.discard.sectors_per_second);
        let tps = named("tps", 9, Value::Number(r.all.per_second));
        vec![if self.short && !self.json {
            let both = g.write_sectors.saturating_add(g.discard_sectors);
            let (read, both_rate) = (rate("read", read), rate("w+d", r.written_or_discarded));
            vec![tps, read, both_rate, total("read", g.read_sectors), total("w+d", both)]
        } else {
            vec![
                tps,
                rate("read", read),
                rate("wrtn", write),
                rate("dscd", discard),
                total("read", g.read_sectors),
                total("wrtn", g.write_sectors),
                total("dscd", g.discard_sectors),
            ]
        }]
    }

    fn coloured(&self, colour: impl Fn(&Colours) -> &String, text: &str) -> String {
        match &self.colours {
            Some(colours) => format!("\u{1b}[{}m{text}\u{1b}[0m", colour(colours)),
            None => text.to_owned(),
        }
    }

    fn number(&self, value: f64, width: usize, decimals: usize, percent: bool) -> String {
        let text = format!(" {value:>width$.decimals$}", width = width - 1);
        // What is printed as zero has the colour of zero.
        let zero = value < 0.5 * 0.1_f64.powi(decimals.try_into().unwrap_or(0));
        match value {
            v if percent && v >= 75.0 => self.coloured(|c| &c.high, &text),
            v if percent && v >= 50.0 => self.coloured(|c| &c.medium, &text),
            _ if zero => self.coloured(|c| &c.zero, &text),
            _ => self.coloured(|c| &c.value, &text),
        }
    }

    /// Returns a size in KiB with its unit: `4.0M`.
    fn size(&self, kib: f64, width: usize) -> String {
        let mut value = kib;
        let mut unit = 'k';
        for larger in ['M', 'G', 'T', 'P'] {
            if value < 1024.0 {
                break;
            }
            (value, unit) = (value / 1024.0, larger);
        }
        let text = format!(" {value:>width$.decimals$}", width = width - 2, decimals = self.decimals.min(1));
        let text = match kib {
            0.0 => self.coloured(|c| &c.zero, &text),
            _ => self.coloured(|c| &c.value, &text),
        };
        format!("{text}{unit}")
    }

    fn percent(&self, value: f64, width: usize) -> String {
        if self.human {
            return format!("{}%", self.number(value, width - 1, self.decimals.min(1), true));
        }
        self.number(value, width, self.decimals, true)
    }

    fn cell(&self, column: &Column) -> String {
        let width = column.width;
        match column.value {
            Value::Number(value) => self.number(value, width, self.decimals, false),
            Value::Percent(value) => self.percent(value, width),
            Value::SectorRate(sectors) if self.human => self.size(sectors / 2.0, width),
            Value::Sectors(sectors) if self.human => self.size(sectors as f64 / 2.0, width),
            Value::Kib(kib) if self.human => self.size(kib, width),
            Value::SectorRate(sectors) => self.number(self.in_unit(sectors), width, self.decimals, false),
            Value::Sectors(sectors) => {
                let whole = self.whole(sectors);
                let text = format!(" {whole:>width$}", width = width - 1);
                self.coloured(|c| if whole == 0 { &c.zero } else { &c.value }, &text)
            }
            Value::Kib(kib) => self.number(kib, width, self.decimals, false),
        }
    }

    fn whole(&self, sectors: u64) -> u64 {
        match self.unit {
            Unit::Sectors => sectors,
            Unit::Kilobytes => sectors / 2,
            Unit::Megabytes => sectors / 2048,
        }
    }

    fn json_value(&self, value: Value) -> String {
        match value {
            Value::Number(value) | Value::Percent(value) | Value::Kib(value) => format!("{value:.2}"),
            Value::SectorRate(sectors) => format!("{:.2}", self.in_unit(sectors)),
            Value::Sectors(sectors) => self.whole(sectors).to_string(),
        }
    }
}

/// Returns the name of a row: a group stands one column to the right.
fn shown_name(row: &DeviceRow) -> String {
    let name = plain::line(&row.name).into_owned();
    match row.kind {
        RowKind::Device => name,
        RowKind::Group { .. } => format!(" {name}"),
    }
}

/// Returns the rows that are shown: with extended statistics, a group without devices has no row.
fn rows<'a>(format: &Format, report: &'a IoReport) -> impl Iterator<Item = &'a DeviceRow> {
    let extended = format.extended;
    report.devices.iter().filter(move |row| !(extended && row.kind == RowKind::Group { devices: 0 }))
}

/// Returns what comes before the first report.
pub fn opening(format: &Format, host: &Host) -> String {
    let Host { system, release, node, machine, cpus, date } = host;
    if !format.json {
        return format!("{system} {release} ({node}) \t{date} \t_{machine}_\t({cpus} CPU)\n\n");
    }
    format!(
        "{{\"sysstat\": {{
\t\"hosts\": [
\t\t{{
\t\t\t\"nodename\": \"{node}\",
\t\t\t\"sysname\": \"{system}\",
\t\t\t\"release\": \"{release}\",
\t\t\t\"machine\": \"{machine}\",
\t\t\t\"number-of-cpus\": {cpus},
\t\t\t\"date\": \"{date}\",
\t\t\t\"statistics\": [
"
    )
}

/// Returns what comes between two reports, and after the last one if not `more`. `printed` is false after a first
/// report that was left out (`-y`).
pub fn separator(format: &Format, printed: bool, more: bool) -> &'static str {
    if format.json && printed && more { ",\n" } else { "\n" }
}

/// Returns what comes after the last report.
pub fn closing(format: &Format) -> &'static str {
    if format.json { "\t\t\t]\n\t\t}\n\t]\n}}\n" } else { "" }
}

/// Returns a report, without the separator behind it; `time` is its time of day.
pub fn devices_and_cpu(format: &Format, report: &IoReport, time: &str) -> String {
    if format.json { json(format, report, time) } else { text(format, report, time) }
}

fn cpu_values(report: &IoReport) -> [(&'static str, f64); 6] {
    let c = &report.cpu;
    [
        ("user", c.user),
        ("nice", c.nice),
        ("system", c.system),
        ("iowait", c.iowait),
        ("steal", c.steal),
        ("idle", c.idle),
    ]
}

fn text(format: &Format, report: &IoReport, time: &str) -> String {
    let mut text = String::new();
    if format.timestamps {
        text += &format!("{time}\n");
    }
    if format.cpu {
        text += "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n       ";
        cpu_values(report).iter().for_each(|(_, value)| text += &format.percent(*value, 8));
        text += "\n\n";
    }
    if format.devices {
        let rows: Vec<(String, Vec<Block>)> = rows(format, report)
            .map(|row| (shown_name(row), format.blocks(row, &report.rates(row))))
            .collect();
        // The headings do not depend on the values.
        let none = DeviceRow {
            name: String::new(),
            kind: RowKind::Device,
            nature: DeviceNature::Unknown,
            grown: DiskCounters::default(),
        };
        let headings = format.blocks(&none, &DiskRates::default());
        let split = format.pretty && !format.compact;
        let parts: Vec<std::ops::Range<usize>> = if split {
            (0..headings.len()).map(|n| n..n + 1).collect()
        } else {
            std::iter::once(0..headings.len()).collect()
        };
        for (nth, part) in parts.into_iter().enumerate() {
            if nth > 0 {
                text.push('\n');
            }
            let heading: String = headings[part.clone()]
                .iter()
                .flatten()
                .map(|c| format!("{:>width$}", c.heading, width = c.width))
                .collect();
            text += &if format.pretty {
                format!("{heading} Device\n")
            } else {
                format!("Device       {heading}\n")
            };
            for (name, blocks) in &rows {
                let cells: String = blocks[part.clone()].iter().flatten().map(|c| format.cell(c)).collect();
                text += &if format.pretty {
                    format!("{cells}{}\n", format.coloured(|c| &c.item, &format!(" {name}")))
                } else {
                    format!("{}{cells}\n", format.coloured(|c| &c.item, &format!("{name:<13}")))
                };
            }
        }
    }
    text + "\n"
}

fn json(format: &Format, report: &IoReport, time: &str) -> String {
    let mut parts = Vec::new();
    if format.timestamps {
        parts.push(format!("\t\t\t\t\t\"timestamp\": \"{time}\""));
    }
    if format.cpu {
        let values = cpu_values(report).map(|(name, value)| format!("\"{name}\": {value:.2}"));
        parts.push(format!("\t\t\t\t\t\"avg-cpu\":  {{{}}}", values.join(", ")));
    }
    if format.devices {
        let rows: Vec<String> = rows(format, report).map(|row| json_row(format, report, row)).collect();
        parts.push(format!("\t\t\t\t\t\"disk\": [\n{}\n\t\t\t\t\t]", rows.join(",\n")));
    }
    format!("\t\t\t\t{{\n{}\n\t\t\t\t}}", parts.join(",\n"))
}

/// Keys in the order in which iostat's JSON document has them; its text has another.
const JSON_ORDER: [&str; 22] = [
    "r/s", "w/s", "d/s", "f/s", "r?/s", "w?/s", "d?/s", "rrqm/s", "wrqm/s", "drqm/s", "rrqm", "wrqm", "drqm",
    "r_await", "w_await", "d_await", "f_await", "rareq-sz", "wareq-sz", "dareq-sz", "aqu-sz", "util",
];

fn json_row(format: &Format, report: &IoReport, row: &DeviceRow) -> String {
    let mut columns: Vec<Column> = format.blocks(row, &report.rates(row)).into_iter().flatten().collect();
    if format.extended && !format.short {
        let unit = format!("{}/s", format.unit("sec"));
        let place = |column: &Column| {
            let key = column.key.replace(&unit, "?/s");
            JSON_ORDER.iter().position(|of| *of == key)
        };
        columns.sort_by_key(place);
    }
    let values: String =
        columns.iter().map(|c| format!(", \"{}\": {}", c.key, format.json_value(c.value))).collect();
    let name = plain::json(&shown_name(row)).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\t\t\t\t\t\t{{\"disk_device\": \"{name}\"{values}}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::io_counters::CpuShares;

    fn report() -> IoReport {
        let fields = [
            12345, 678, 2345678, 54321, 9876, 543, 876543, 98765, 3, 45678, 160000, 321, 12, 65432, 987, 222,
            3333,
        ];
        let grown = DiskCounters::from_fields(&fields).unwrap();
        let row =
            |name: &str, kind| DeviceRow { name: name.into(), kind, nature: DeviceNature::Unknown, grown };
        IoReport {
            centiseconds: 51234,
            cpu: CpuShares {
                user: 2.379,
                nice: 0.0476,
                system: 1.02,
                iowait: 1.19,
                steal: 0.19,
                idle: 95.17,
            },
            devices: vec![
                row("averylongdevicename", RowKind::Device),
                row("G", RowKind::Group { devices: 2 }),
            ],
            ..IoReport::default()
        }
    }

    fn shown(format: Format) -> String {
        devices_and_cpu(&format, &report(), "11/28/26 15:12:58")
    }

    /// Lines that iostat 12.6.1 printed for these counters.
    #[test]
    fn text_is_that_of_iostat() {
        let devices = Format { cpu: false, ..Format::default() };
        assert_eq!(
            shown(devices.clone()),
            "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd
averylongdevicename    44.00      2289.18       855.43        63.86    1172839     438271      32716
 G               44.00      2289.18       855.43        63.86    1172839     438271      32716

"
        );
        let short = Format { extended: true, short: true, human: true, pretty: true, ..Format::default() };
        assert_eq!(
            shown(short),
            "avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           2.4%    0.0%    1.0%    1.2%    0.2%   95.2%

      tps      kB/s    rqm/s   await  areq-sz  aqu-sz  %util Device
    44.00      3.1M     2.41    6.83    72.9k    0.31   8.9% averylongdevicename
    44.00      3.1M     2.41    6.83    72.9k    0.31   4.5%  G

"
        );
        let extended =
            shown(Format { extended: true, pretty: true, decimals: 0, timestamps: true, ..devices });
        assert!(
            extended.starts_with(
                "11/28/26 15:12:58
     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device
      24      2289        1      5       4       95 averylongdevicename
"
            ),
            "{extended}"
        );
        assert_eq!(extended.matches("\n\n").count(), 4);
    }

    #[test]
    fn json_is_that_of_iostat() {
        let json = shown(Format { json: true, extended: true, ..Format::default() });
        let disk = "\t\t\t\t\t\t{\"disk_device\": \"averylongdevicename\", \"r/s\": 24.10, \"w/s\": 19.28, \"d/s\": 0.63, \
                    \"f/s\": 0.43, \"rkB/s\": 2289.18, \"wkB/s\": 855.43, \"dkB/s\": 63.86, \"rrqm/s\": 1.32, \"wrqm/s\": \
                    1.06, \"drqm/s\": 0.02, \"rrqm\": 5.21, \"wrqm\": 5.21, \"drqm\": 3.60, \"r_await\": 4.40, \
                    \"w_await\": 10.00, \"d_await\": 3.07, \"f_await\": 15.01, \"rareq-sz\": 95.01, \"wareq-sz\": 44.38, \
                    \"dareq-sz\": 101.92, \"aqu-sz\": 0.31, \"util\": 8.92},\n";
        assert!(json.contains(disk), "{json}");
        let host = Host::default();
        let format = Format { json: true, ..Format::default() };
        let whole = [
            &opening(&format, &host),
            &shown(format.clone()),
            separator(&format, true, true),
            &shown(format.clone()),
            separator(&format, true, false),
            closing(&format),
        ]
        .concat();
        let read: serde_json::Value = serde_json::from_str(&whole).unwrap();
        assert_eq!(read["sysstat"]["hosts"][0]["statistics"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn colours_follow_the_value() {
        let colours = Some(Colours::with("I=1;2:M=9999999:Z=x:N=4"));
        let text = shown(Format { colours, cpu: false, ..Format::default() });
        let first = "\u{1b}[1;2maverylongdevicename\u{1b}[0m\u{1b}[4m    44.00\u{1b}[0m\u{1b}[4m      2289.18\u{1b}[0m";
        assert!(text.contains(first), "{text:?}");
        let text = shown(Format { colours: Some(Colours::default()), devices: false, ..Format::default() });
        assert!(
            text.contains("\u{1b}[34;1m    0.05\u{1b}[0m") && text.contains("\u{1b}[31;1m   95.17\u{1b}[0m")
        );
    }
}
