//! The list of the tables of cloud volumes.

use super::{count, mark};
use crate::catalog::{say, word};
use crate::{Grid, Lang, columns, export, fill, lay, left, prose_width};
use lab::cloud::table::{ProviderTable, VolumeRow};
use stats::cloud::CloudMark;

/// Type of a volume in the list.
#[derive(serde::Serialize)]
struct ListedType<'a> {
    provider: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    mark: CloudMark,
    date: Option<&'a str>,
    source: &'a str,
    least: f64,
    most: f64,
    unit: &'a str,
}

/// Returns the types of the tables as one JSON array, newline at the end.
pub fn list_json(tables: &[&ProviderTable]) -> String {
    let rows = tables.iter().flat_map(|table| {
        table.current().map(|row| ListedType {
            provider: &table.provider,
            kind: &row.kind,
            mark: row.mark,
            date: row.date.as_deref(),
            source: &row.source,
            least: row.size[0],
            most: row.size[1],
            unit: &table.capacity,
        })
    });
    export::json(&rows.collect::<Vec<_>>())
}

/// Returns the providers with their types by mark and date; of one provider, each type with size and source.
pub fn list(lang: Lang, tables: &[&ProviderTable], width: usize) -> String {
    let width = prose_width(width);
    let mut lines = Vec::new();
    if let [table] = tables {
        let head = [
            word!(lang, "cloud-column-type"),
            word!(lang, "cloud-column-size"),
            word!(lang, "cloud-column-row"),
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for row in table.current() {
            let (least, most, unit) = (count(row.size[0]), count(row.size[1]), &table.capacity);
            let size = say!(lang, "cloud-size-range", least, most, unit);
            rows.push(vec![row.kind.clone(), size, mark(lang, row.mark, row.date.as_deref())]);
        }
        lines.extend(Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width));
        let machines = table.machine_names();
        if !machines.is_empty() {
            let text = format!("{}: {}", word!(lang, "cloud-instance"), machines.join(", "));
            lines.extend(fill("", &text, width));
        }
        lines.extend(fill("", word!(lang, "cloud-list-type-end"), width));
        return lay(&lines);
    }
    let name = tables.iter().map(|table| columns(&table.provider)).max().unwrap_or(0) + 1;
    for table in tables {
        lines.extend(fill(&left(&table.provider, name), &grouped(lang, table), width));
    }
    lines.extend(fill("", word!(lang, "cloud-list-end"), width));
    lay(&lines)
}

/// Returns the types of a provider, those with the same mark and date together: `gp3, io2 (2025); gp2 (no date)`.
fn grouped(lang: Lang, table: &ProviderTable) -> String {
    let mut groups: Vec<(String, Vec<&VolumeRow>)> = Vec::new();
    for row in table.current() {
        let of = short_mark(lang, row.mark, row.date.as_deref());
        match groups.iter_mut().find(|(known, _)| *known == of) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((of, vec![row])),
        }
    }
    let text = |(mark, rows): (String, Vec<&VolumeRow>)| {
        // Levels of one type, which differ by a number only, are one entry.
        let mut names: Vec<String> = Vec::new();
        let mut stem = "";
        for row in rows {
            let start = row.kind.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
            let series = start.len() + 3 < row.kind.len() + 1 && row.kind[start.len()..].starts_with('-');
            match names.last_mut() {
                Some(last) if series && start == stem => {
                    let first = last.split("..").next().unwrap_or_default().to_owned();
                    *last = format!("{first}..{}", &row.kind[start.len() + 1..]);
                }
                _ => names.push(row.kind.clone()),
            }
            stem = if series { start } else { "" };
        }
        format!("{} ({mark})", names.join(", "))
    };
    groups.into_iter().map(text).collect::<Vec<_>>().join("; ")
}

fn short_mark(lang: Lang, mark: CloudMark, date: Option<&str>) -> String {
    match (mark, date) {
        (CloudMark::K, _) => word!(lang, "cloud-unconfirmed").to_owned(),
        (CloudMark::A, None) => word!(lang, "cloud-derived").to_owned(),
        (_, None) => word!(lang, "cloud-no-date").to_owned(),
        (_, Some(date)) => date.to_owned(),
    }
}
