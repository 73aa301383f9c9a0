//! pg_test_fsync: writes per second with each way to make them durable.

use super::command;
use super::number;
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, PrintedSyncs, ReaderNote,
};

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    if !page
        .lines
        .iter()
        .any(|line| line.text.contains("Compare file sync methods") || line.text.contains("Non-sync'ed"))
    {
        return;
    }
    let (mut block, mut writes, mut unsynced) = (8192.0, 1.0, false);
    let mut direct = false;
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        if text.contains("O_DIRECT supported") {
            direct = true;
        }
        if text.ends_with(':') {
            let size = text.split([' ', '*']).find_map(|word| word.strip_suffix("kB")?.parse::<f64>().ok());
            if let Some(size) = size {
                block = size * 1024.0;
                writes = if text.contains("two") { 2.0 } else { 1.0 };
            }
            unsynced = text.contains("Non-sync'ed");
            continue;
        }
        let Some((name, rest)) = text.split_once("  ") else { continue };
        let Some((rate, rest)) = number::leading(rest) else { continue };
        let Some(rest) = rest.trim_start().strip_prefix("ops/sec") else { continue };
        let mut result = PrintedResult {
            tool: BenchmarkTool::PgTestFsync,
            file: page.file.clone(),
            lines: page.numbers(index, index),
            label: name.trim().to_owned(),
            kind: if unsynced { IoKind::Write } else { IoKind::SyncedWrite },
            random: Some(false),
            block: Some(PrintedNumber::exact(block * writes)),
            iops: Some(rate),
            bandwidth: Some(rate.scaled(block * writes)),
            depth: Some(1),
            jobs: Some(1),
            synchronous: Some(true),
            direct: Some(direct && name.starts_with("open_")),
            syncs: Some(if unsynced { PrintedSyncs::Never } else { PrintedSyncs::Each }),
            command: command::above(page, index.saturating_sub(40), index, "pg_test_fsync")
                .map(|c| c.text)
                .unwrap_or_default(),
            ..PrintedResult::default()
        };
        if unsynced {
            result.notes.push(ReaderNote::MemoryTest);
        }
        let one = PrintedNumber::exact(1e6);
        if let (Some((time, _)), Some(computed)) = (number::leading(rest), one.over(rate)) {
            result.check(
                AuditLaw::Reciprocal,
                FigureUnit::Nanoseconds,
                time.scaled(1e3),
                computed.scaled(1e3),
            );
            result.latency.mean = Some(computed.scaled(1e3));
        }
        out.push(result);
    }
}
