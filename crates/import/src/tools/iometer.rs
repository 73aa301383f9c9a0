//! Iometer's results.csv.

use super::number;
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult};

/// Appends the results in a page: the rows ALL, one per test.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let mut header: Option<Vec<&str>> = None;
    let mut specification = Specification::default();
    let mut depth = None;
    let mut start = 0;
    for index in 0..page.lines.len() {
        let text = page.at(index);
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        if text.starts_with("'Target Type,Target Name") {
            header = Some(cells);
            start = index;
            depth = None;
            continue;
        }
        if text.starts_with("'size,% of size") {
            let rows = (index + 1..page.lines.len()).map_while(|at| Specification::read(page.at(at)));
            let rows: Vec<Specification> = rows.collect();
            specification = if rows.len() == 1 { rows[0].clone() } else { Specification::default() };
            continue;
        }
        let Some(columns) = &header else { continue };
        let cell = |name: &str| {
            columns.iter().position(|c| *c == name).and_then(|at| cells.get(at)).filter(|c| !c.is_empty())
        };
        let value = |name: &str| cell(name).and_then(|c| number::whole(c));
        if cells[0] == "WORKER" || cells[0] == "DISK" {
            depth = depth.or_else(|| value("Queue Depth").filter(|n| n.value > 0.0).map(|n| n.value as u32));
        }
        if cells[0] != "ALL" {
            continue;
        }
        let Some(iops) = value("IOps") else { continue };
        // A worker's line follows the totals.
        depth = depth.or_else(|| {
            let column = columns.iter().position(|c| *c == "Queue Depth")?;
            let workers = (index + 1..page.lines.len().min(index + 40))
                .map(|at| page.at(at))
                .take_while(|line| !line.starts_with('\''));
            workers
                .filter(|line| line.starts_with("WORKER") || line.starts_with("DISK"))
                .find_map(|line| line.split(',').nth(column)?.trim().parse::<u32>().ok().filter(|n| *n > 0))
        });
        let binary = value("MiBps (Binary)")
            .or_else(|| value("MBps (Binary)"))
            .or_else(|| value("MBps"))
            .map(|n| n.scaled(1048576.0));
        let decimal = value("MBps (Decimal)").map(|n| n.scaled(1e6));
        let (reads, writes) = (value("Read IOps"), value("Write IOps"));
        let positive = |n: Option<PrintedNumber>| n.is_some_and(|n| n.value > 0.0);
        let mut result = PrintedResult {
            tool: BenchmarkTool::Iometer,
            file: page.file.clone(),
            lines: page.numbers(start, index),
            label: cell("Access Specification Name").map(|c| (*c).to_owned()).unwrap_or_default(),
            kind: match (positive(reads), positive(writes)) {
                (true, true) => IoKind::Mixed,
                (true, false) => IoKind::Read,
                (false, true) => IoKind::Write,
                _ => IoKind::Unknown,
            },
            random: specification.random,
            block: specification.block.map(PrintedNumber::exact),
            iops: Some(iops),
            bandwidth: binary.or(decimal),
            jobs: value("# Workers").map(|n| n.value as u32),
            depth,
            // The file does not say how targets were opened, nor what lies below them.
            direct: None,
            ..PrintedResult::default()
        };
        // Completed I/Os over their rate are the measured time; the raw times have units of their own.
        let ios = value("Read I/Os").zip(value("Write I/Os")).map(|(reads, writes)| reads.plus(writes));
        result.ios = ios.map(|n| n.value as u64);
        result.seconds = ios.filter(|n| n.value > 0.0).and_then(|n| n.over(iops));
        result.errors = value("Errors").map_or(0, |n| n.value as u64);
        result.region = region(columns, page, index);
        let time = |name: &str| value(name).map(|n| n.scaled(1e6));
        result.latency.mean = time("Average Response Time");
        result.latency.max = time("Maximum Response Time");
        if let (Some(binary), Some(decimal)) = (binary, decimal) {
            result.check(AuditLaw::Spellings, FigureUnit::BytesPerSecond, binary, decimal);
        }
        if let (Some(reads), Some(writes)) = (reads, writes) {
            result.check(AuditLaw::Parts, FigureUnit::PerSecond, iops, reads.plus(writes));
        }
        out.push(result);
    }
}

/// Size of a sector in Iometer, bytes.
const SECTOR: f64 = 512.0;

/// Returns the total size of the disks in the rows below the totals, bytes; `None` if one is used to its end or unknown.
fn region(columns: &[&str], page: &TextPage, totals: usize) -> Option<f64> {
    let column = columns.iter().position(|c| *c == "Maximum Size")?;
    let rows =
        (totals + 1..page.lines.len()).map(|at| page.at(at)).take_while(|line| !line.starts_with('\''));
    let sizes: Option<Vec<f64>> = rows
        .filter(|line| line.starts_with("DISK"))
        .map(|line| line.split(',').nth(column)?.trim().parse::<f64>().ok().filter(|sectors| *sectors > 0.0))
        .collect();
    sizes.filter(|sizes| !sizes.is_empty()).map(|sizes| sizes.iter().sum::<f64>() * SECTOR)
}

/// Access specification of one line.
#[derive(Clone, Default)]
struct Specification {
    block: Option<f64>,
    random: Option<bool>,
}

impl Specification {
    /// Reads `4096,100,67,100,0,1,0,0`: size, share, reads, random.
    fn read(text: &str) -> Option<Self> {
        let numbers: Vec<f64> =
            text.split(',').map(|c| c.trim().parse::<f64>()).collect::<Result<_, _>>().ok()?;
        (numbers.len() >= 4)
            .then(|| Specification { block: Some(numbers[0]), random: Some(numbers[3] >= 50.0) })
    }
}
