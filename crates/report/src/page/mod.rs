//! The report page: one HTML file that a browser shows without a network. It contains texts and tables as HTML, charts
//! as data that its script draws, and the result itself as JSON.

use crate::Lang;
use crate::catalog::say;
use crate::chart::{self, Chart};
use crate::scale::{bytes, short};
use crate::{answer, card, export, findings, hosts, labels, layers, points, quick, rank, study};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value, context};
use serde::Serialize;
use stats::answer::Answer;
use stats::ranking::Ranking;
use stats::study::{Access, Question, Study};
use stats::{
    Finding, Grade, HistogramLog, Host, Layers, LogSeries, Measured, QuickCard, RunResult, StoredKind,
};
use std::io::{Write, read_to_string};

/// Beginning of every page.
pub const HEAD: &[u8] = b"<!doctype html>\n<!-- Written by fathom -->\n";

/// Width of the text cards on the page, in columns.
const WIDTH: usize = 110;
/// Start of the tag of embedded data in the page.
const DATA: &str = "<script type=\"application/json\"";
/// Length of embedded data from which it is compressed, bytes.
const PLAIN: usize = 200_000;
/// Script that draws the charts, compressed to a third of its size.
const ECHARTS: &[u8] = include_bytes!("echarts.js.gz");

/// Loads and logs drawn side by side, measured by fathom or fio.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Beside {
    /// Measured loads of the page.
    pub loads: Vec<Measured>,
    /// fio's logs over time.
    pub tracks: Vec<LogSeries>,
    /// fio's logs of histograms.
    pub latencies: Vec<HistogramLog>,
}

impl Beside {
    fn charts(&self, lang: Lang) -> Vec<Chart> {
        let mut all = chart::files::grids(&self.loads, lang);
        all.extend(chart::load::charts(&self.loads, lang));
        all.extend(chart::files::over_time(&self.tracks, &self.latencies, lang));
        chart::distinct(all)
    }
}

/// Table of a report page: a row of headings, and rows whose first cell names the row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DataTable {
    /// HTML identifier: letters, digits and `-`.
    pub id: String,
    /// Heading.
    pub title: String,
    /// Description in one or two sentences.
    pub note: String,
    /// Headings of the columns.
    pub head: Vec<String>,
    /// Rows with as many cells as the table has columns.
    pub rows: Vec<Vec<String>>,
}

/// Part of a report page that is printed on sheets of its own, with a header on each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// HTML identifier: letters, digits and `-`.
    pub id: String,
    /// Heading; the charts of the section with this name are below the tables.
    pub title: String,
    /// Facts in the header: name and value.
    pub running: Vec<(String, String)>,
    /// Reservation about the part; empty for none.
    pub statement: String,
    /// Tables.
    pub tables: Vec<DataTable>,
}

/// Content of a report page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Heading of the page, also the title of the document.
    pub title: String,
    /// Time of the measurement, as text in the local time zone.
    pub when: String,
    /// Version of fathom that wrote the page.
    pub version: String,
    /// Grade of the result; `None` for several results side by side.
    pub grade: Option<Grade>,
    /// Text of the card, as in the terminal.
    pub card: String,
    /// Headings of the table of recommended settings.
    pub recommendation_head: Vec<String>,
    /// Rows of the table of recommended settings, each with the id of its chart.
    pub recommendations: Vec<(Vec<String>, Option<String>)>,
    /// Conclusions as sentences, each with the id of its chart.
    pub conclusions: Vec<(String, Option<String>)>,
    /// Charts in the order of the page.
    pub charts: Vec<Chart>,
    /// Findings, worst first.
    pub findings: Vec<Finding>,
    /// Facts at the top of the page, repeated on every printed page: name and value.
    pub running: Vec<(String, String)>,
    /// Reservation about the whole result, repeated with these facts; empty for none.
    pub statement: String,
    /// Parts with tables and charts of their own.
    pub sheets: Vec<Sheet>,
    /// Text tables: HTML identifier, heading, text.
    pub tables: Vec<(String, String, String)>,
    /// Provenance of the result: name and value of each fact.
    pub provenance: Vec<(String, String)>,
    /// Result as JSON, and the file name for its download.
    pub raw: (String, String),
}

impl Page {
    /// Returns the page of a study; `name` is its name in the store or its path, `when` its start as text.
    pub fn of_study(name: &str, study: &Study, when: String, lang: Lang) -> Page {
        let charts = chart::study::charts(study, lang);
        let several = study.targets.len() > 1;
        let shown = |target: usize, access: &Access, question| {
            let what = match question {
                Question::Depth | Question::Runtime | Question::Slo => "iops",
                Question::Bs => "bs-iops",
                Question::Jobs | Question::Grid => "grid-iops",
                Question::Repeat => "rounds",
                Question::Targets => return Some("targets".to_string()),
                Question::Span | Question::Axis | Question::Hosts => return None,
            };
            let number = if several { (target + 1).to_string() } else { String::new() };
            Some(chart::id(&[&labels::pattern(access), &number, what]))
        };
        let drawn = |target: usize, access, question| {
            shown(target, access, question).filter(|id| charts.iter().any(|chart| chart.id == *id))
        };
        let (recommendation_head, rows) = study::recommendations(lang, study);
        let recommendations = rows
            .into_iter()
            .map(|(load, row)| (row, drawn(load.target, &load.access, Question::Depth)))
            .collect();
        let conclusions = study
            .conclusions
            .iter()
            .map(|c| {
                let chart = drawn(c.target, &c.access, c.question);
                (
                    format!(
                        "{}: {}",
                        labels::pattern_on(study, c.target, &c.access),
                        study::sentence(lang, c)
                    ),
                    chart,
                )
            })
            .collect();
        let mut findings: Vec<Finding> = Vec::new();
        for finding in study.points.iter().flat_map(|p| &p.findings) {
            // A finding of many points is shown once, for the first of them.
            if findings.iter().all(|known| known.claim.rule() != finding.claim.rule()) {
                findings.push(finding.clone());
            }
        }
        findings.sort_by_key(|f| std::cmp::Reverse(f.claim.grade()));
        let grade = study
            .points
            .iter()
            .filter(|p| study.conclusions.iter().any(|c| c.evidence.contains(&p.ordinal)))
            .map(|p| p.grade)
            .max();
        let slim = slim(study);
        let targets = labels::targets(study);
        Page {
            title: say!(lang, "page-title-study", name) + " · " + &targets.join(", "),
            when,
            version: study.version.clone(),
            grade,
            card: study::render(lang, study, WIDTH),
            recommendation_head,
            recommendations,
            conclusions,
            charts,
            findings,
            tables: vec![("points".into(), say!(lang, "page-points"), points::table(lang, study, 170))],
            provenance: of_study(study, lang),
            raw: (study::json(&slim), format!("fathom-{name}.json")),
            ..Page::default()
        }
    }

    /// Returns the page of a run; `name` is its name in the store or its path, `when` its start as text.
    pub fn of_run(name: &str, run: &RunResult, loads: &[Measured], when: String, lang: Lang) -> Page {
        let mut charts = chart::load::charts(loads, lang);
        charts.extend(chart::load::layers(&run.layers, lang));
        let mut provenance = vec![
            program(lang, &run.provenance.version),
            (say!(lang, "page-ended"), run.provenance.time.clone()),
            (say!(lang, "page-duration"), format!("{} s", short(run.layers.wall_ms as f64 / 1e3))),
        ];
        provenance.extend(of_host(lang, &run.provenance.host));
        provenance.extend(of_targets(&run.layers));
        for job in &run.jobs {
            let options = run.provenance.global_options.iter().chain(&job.options);
            let words: Vec<String> =
                options.map(|(k, v)| if v.is_empty() { k.clone() } else { format!("{k}={v}") }).collect();
            let entry = (job.name.clone(), words.join(" "));
            if provenance.last() != Some(&entry) {
                provenance.push(entry);
            }
        }
        let targets: Vec<String> = run.layers.targets.iter().map(|t| t.path.clone()).collect();
        Page {
            title: say!(lang, "page-title-run", name) + " · " + &targets.join(", "),
            when,
            version: run.provenance.version.clone(),
            grade: Some(run.grade()),
            card: card::render(lang, run, WIDTH),
            charts,
            findings: run.findings.clone(),
            tables: vec![layer_table(&run.layers, lang)],
            provenance,
            raw: (export::json(run), format!("fathom-{name}.json")),
            ..Page::default()
        }
    }

    /// Returns the page of a check; `name` is its name in the store or its path, `when` its start as text.
    pub fn of_check(name: &str, check: &QuickCard, loads: &[Measured], when: String, lang: Lang) -> Page {
        let mut charts = chart::load::charts(loads, lang);
        charts.extend(chart::load::layers(&check.layers, lang));
        Page {
            title: say!(lang, "page-title-check", name) + " · " + &check.target,
            when,
            version: check.version.clone(),
            grade: Some(check.grade()),
            card: quick::render(lang, check, WIDTH),
            charts,
            findings: check.findings.clone(),
            tables: vec![layer_table(&check.layers, lang)],
            provenance: [
                vec![program(lang, &check.version)],
                of_host(lang, &check.host),
                of_targets(&check.layers),
            ]
            .concat(),
            raw: (quick::json(check), format!("fathom-{name}.json")),
            ..Page::default()
        }
    }

    /// Returns the page of an answer; `name` is its name in the store, `when` its start as text.
    pub fn of_answer(name: &str, stored: &Answer, when: String, lang: Lang) -> Page {
        if let Answer::Rank(ranking) = stored {
            return Page::of_ranking(name, ranking, when, lang);
        }
        Page {
            title: format!("fathom {} {name}", stored.kind().name()),
            when,
            version: stored.version().to_owned(),
            grade: Some(stored.grade()),
            card: answer::render(lang, stored, WIDTH),
            charts: match stored {
                Answer::Characterize(character) => chart::characterize::charts(character, lang),
                Answer::Hosts(result) => chart::hosts::charts(result, lang),
                _ => Vec::new(),
            },
            findings: match stored {
                Answer::Characterize(character) => character.findings.clone(),
                Answer::Hosts(result) => result.merged.findings.clone(),
                _ => Vec::new(),
            },
            tables: match stored {
                Answer::Hosts(result) => {
                    vec![("hosts".into(), say!(lang, "hosts-table"), hosts::table(lang, result, 160))]
                }
                _ => Vec::new(),
            },
            provenance: vec![program(lang, stored.version())],
            raw: (
                match stored {
                    // Of a thousand hosts, line breaks and blanks are half of the document.
                    Answer::Hosts(result) => export::compact(&**result),
                    _ => answer::json(stored),
                },
                format!("fathom-{name}.json"),
            ),
            ..Page::default()
        }
    }

    /// Returns the page of a ranking; `name` is its name in the store, or the ranked result or target; `when` is its start
    /// as text, empty if not known.
    pub fn of_ranking(name: &str, ranking: &Ranking, when: String, lang: Lang) -> Page {
        let mut provenance = vec![program(lang, &ranking.version)];
        if let Some(check) = &ranking.check {
            provenance.extend(of_host(lang, &check.host));
            provenance.extend(of_targets(&check.layers));
        }
        provenance.extend(rank::sources(lang, ranking));
        let kind = StoredKind::Rank.name();
        Page {
            title: format!("fathom {kind} {name}"),
            when,
            version: ranking.version.clone(),
            grade: Some(ranking.grade()),
            card: rank::render(lang, ranking, WIDTH),
            charts: chart::ranges::charts(ranking, lang),
            findings: ranking.findings.clone(),
            provenance,
            raw: (rank::json(ranking), format!("fathom-{kind}-{}.json", chart::id(&[name]))),
            ..Page::default()
        }
    }

    /// Returns the page of several results side by side.
    pub fn of_several(names: &[String], version: &str, what: &Beside, lang: Lang) -> Page {
        let loads = &what.loads;
        let mut findings: Vec<Finding> = Vec::new();
        for finding in loads.iter().flat_map(|l| &l.findings) {
            if findings
                .iter()
                .all(|known| (known.claim.rule(), &known.job) != (finding.claim.rule(), &finding.job))
            {
                findings.push(finding.clone());
            }
        }
        findings.sort_by_key(|f| std::cmp::Reverse(f.claim.grade()));
        let card = points::loads(loads, lang);
        let sources = loads.iter().map(|l| (format!("{}: {}", l.source, l.name), conditions(l)));
        Page {
            title: say!(lang, "page-title-several") + " · " + &names.join(", "),
            version: version.into(),
            card,
            charts: what.charts(lang),
            findings,
            provenance: sources.collect(),
            raw: (export::json(what), "fathom-side-by-side.json".into()),
            ..Page::default()
        }
    }

    /// Returns the HTML document.
    ///
    /// # Errors
    ///
    /// The template has an error, whose line is named.
    pub fn render(&self, lang: Lang) -> Result<String, Error> {
        // Charts of a selection, shown one at a time, are numerous: they are compressed and read later.
        let (many, first): (Vec<&Chart>, Vec<&Chart>) = self.charts.iter().partition(|c| c.choice.is_some());
        let mut sections: Vec<&str> = Vec::new();
        for chart in &self.charts {
            if !sections.contains(&chart.section.as_str()) {
                sections.push(&chart.section);
            }
        }
        let mut contents = vec![("summary".to_string(), say!(lang, "page-summary"))];
        contents.extend(self.sheets.iter().map(|sheet| (sheet.id.clone(), sheet.title.clone())));
        if self.sheets.is_empty() {
            contents.push(("charts".into(), say!(lang, "page-charts")));
        }
        if !self.findings.is_empty() {
            contents.push(("findings".into(), say!(lang, "page-findings")));
        }
        contents.extend(self.tables.iter().map(|(id, title, _)| (id.clone(), title.clone())));
        contents.push(("provenance".into(), say!(lang, "page-provenance")));
        let grade = self.grade.map(|g| context! { letter => g.letter(), words => findings::grade(lang, g) });
        let conclusions: Vec<_> =
            self.conclusions.iter().map(|(text, chart)| context! { text => text, chart => chart }).collect();
        let recommendations: Vec<_> = self
            .recommendations
            .iter()
            .map(|(cells, chart)| context! { cells => cells, chart => chart })
            .collect();
        let findings: Vec<_> = self.findings.iter().map(|f| finding(lang, f)).collect();
        let tables: Vec<_> = self
            .tables
            .iter()
            .map(|(id, title, text)| context! { id => id, title => title, text => text })
            .collect();
        let echarts = read_to_string(GzDecoder::new(ECHARTS))
            .map_err(|e| Error::new(ErrorKind::InvalidOperation, "echarts.js.gz").with_source(e))?;
        let mut environment = Environment::new();
        environment.add_template("page.html", include_str!("page.html"))?;
        let page = environment.get_template("page.html")?.render(context! {
            lang => lang.name(),
            title => &self.title,
            when => &self.when,
            version => &self.version,
            grade, recommendations, conclusions, findings, tables, contents,
            card => &self.card,
            recommendation_head => &self.recommendation_head,
            running => Value::from(Serde(&self.running)),
            statement => &self.statement,
            sheets => Value::from(Serde(&self.sheets)),
            provenance => Value::from(Serde(&self.provenance)),
            words => Value::from(Serde(words(lang))),
            words_json => safe(export::compact(&words(lang))),
            charts => Value::from(Serde(Block::of(stats::plain::json_shown(&export::compact(&first)).into_owned()))),
            many => Value::from(Serde(Block::of(stats::plain::json_shown(&export::compact(&many)).into_owned()))),
            raw => Value::from(Serde(Block::of(self.raw.0.clone()))),
            raw_name => &self.raw.1,
            css => include_str!("page.css"),
            js => include_str!("page.js"),
            echarts,
        })?;
        // Control characters of names are escaped in the text part; the data behind it is escaped as JSON already.
        let (text, data) = page.split_at(page.find(DATA).unwrap_or(page.len()));
        Ok(stats::plain::lines(text).into_owned() + data)
    }
}

/// Returns the table of the I/O counted by each layer, in the form of [`Page::tables`].
fn layer_table(layers: &Layers, lang: Lang) -> (String, String, String) {
    let title = say!(lang, "page-layers");
    ("layer-table".into(), title, layers::table(lang, layers, 160).join("\n"))
}

/// Returns the conditions of a measured load on one line.
fn conditions(load: &Measured) -> String {
    let c = &load.conditions;
    let mut parts = vec![
        c.by.clone(),
        c.host.clone(),
        c.kernel.clone().unwrap_or_default(),
        c.target.clone(),
        c.stack.join(" > "),
    ];
    parts.extend(c.engine.clone().map(|e| format!("ioengine={e}")));
    parts.extend(c.direct.map(|d| format!("direct={}", u8::from(d))));
    parts.extend(c.span.map(bytes));
    parts.retain(|p| !p.is_empty());
    parts.join("; ")
}

/// Labels of the page and of its script.
#[derive(Serialize)]
struct Words {
    skip: String,
    dark: String,
    contents: String,
    summary: String,
    card: String,
    recommendations: String,
    conclusions: String,
    see: String,
    noscript: String,
    findings: String,
    next: String,
    evidence: String,
    provenance: String,
    download: String,
    table: String,
    copy: String,
    copied: String,
    whole: String,
    choose: String,
    keys: String,
    low: String,
    high: String,
    group: String,
    running: String,
}

fn words(lang: Lang) -> Words {
    Words {
        skip: say!(lang, "page-skip-to-content"),
        dark: say!(lang, "page-dark-theme"),
        contents: say!(lang, "page-contents"),
        summary: say!(lang, "page-summary"),
        card: say!(lang, "page-card"),
        recommendations: say!(lang, "page-recommendations"),
        conclusions: say!(lang, "page-conclusions"),
        see: say!(lang, "page-see-chart"),
        noscript: say!(lang, "page-no-script"),
        findings: say!(lang, "page-findings"),
        next: say!(lang, "page-advice"),
        evidence: say!(lang, "page-evidence"),
        provenance: say!(lang, "page-provenance"),
        download: say!(lang, "page-download"),
        table: say!(lang, "page-table"),
        copy: say!(lang, "page-copy"),
        copied: say!(lang, "page-copied"),
        whole: say!(lang, "page-zoom-out"),
        choose: say!(lang, "page-choose-chart"),
        keys: say!(lang, "page-keyboard"),
        low: say!(lang, "page-interval-low"),
        high: say!(lang, "page-interval-high"),
        group: say!(lang, "page-group"),
        running: say!(lang, "page-running-header"),
    }
}

/// Data in a script element: the attribute for its encoding, and the text.
#[derive(Serialize)]
struct Block {
    how: &'static str,
    text: String,
}

impl Block {
    fn of(json: String) -> Block {
        if json.len() <= PLAIN {
            return Block { how: "", text: safe(json) };
        }
        let mut packer = GzEncoder::new(Vec::new(), Compression::new(6));
        match packer.write_all(json.as_bytes()).and_then(|()| packer.finish()) {
            Ok(packed) => Block { how: " data-gzip", text: STANDARD.encode(packed) },
            Err(_) => Block { how: "", text: safe(json) },
        }
    }
}

/// Returns JSON in which a `</script>` inside a text does not end the element.
fn safe(json: String) -> String {
    stats::plain::json(&json).replace('<', "\\u003c")
}

/// Returns a finding with its evidence.
fn finding(lang: Lang, f: &Finding) -> Value {
    let (what, next) = (findings::observation(lang, f), findings::advice(lang, &f.claim));
    let evidence: Vec<(String, String)> = match serde_json::to_value(&f.claim) {
        Ok(serde_json::Value::Object(fields)) => {
            let plain = |v: serde_json::Value| match v {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            };
            fields.into_iter().map(|(key, value)| (key, plain(value))).collect()
        }
        _ => Vec::new(),
    };
    context! { rule => findings::rule(lang, &f.claim), grade => f.claim.grade().letter(), what, next, evidence }
}

fn program(lang: Lang, version: &str) -> (String, String) {
    (say!(lang, "page-program"), format!("fathom {version}"))
}

/// Returns the host and the command line, as far as they are known.
fn of_host(lang: Lang, host: &Host) -> Vec<(String, String)> {
    let facts = [
        (say!(lang, "page-host"), host.name.clone()),
        (say!(lang, "page-kernel"), host.kernel.clone()),
        (say!(lang, "page-disks"), host.disks.join(", ")),
        (say!(lang, "page-command"), host.command.clone()),
    ];
    facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// Returns the size and storage stack of each target.
fn of_targets(layers: &Layers) -> Vec<(String, String)> {
    layers
        .targets
        .iter()
        .map(|t| (t.path.clone(), format!("{}; {}", bytes(t.size), t.stack.join(" > "))))
        .collect()
}

fn of_study(study: &Study, lang: Lang) -> Vec<(String, String)> {
    let asked = &study.asked;
    let mut facts = vec![program(lang, &study.version)];
    facts.extend(of_host(lang, &study.host));
    facts.extend([
        (say!(lang, "page-engine"), asked.engine.clone()),
        (say!(lang, "page-seed"), asked.seed.to_string()),
        (say!(lang, "page-budget"), format!("{:.0} s", asked.budget_s)),
        (say!(lang, "page-duration"), format!("{:.0} s", study.spent_s)),
    ]);
    facts.extend(
        study.targets.iter().map(|t| (t.name.clone(), format!("{}; {}", bytes(t.size), t.stack.join(" > ")))),
    );
    facts.push((say!(lang, "page-recommended-jobs"), study.recommended.clone()));
    facts
}

/// Returns the study with fewer windows, neighbours merged as in its charts, so that the page stays small; the store
/// keeps all windows.
fn slim(study: &Study) -> Study {
    let most = chart::study::most_windows(study);
    let mut slim = study.clone();
    for point in &mut slim.points {
        if point.series.windows.len() > most {
            point.series = point.series.merged(point.series.windows.len().div_ceil(most));
            point.latencies = stats::Histogram::default();
        }
    }
    slim
}
