//! Tables of the specification: determination of the steady state, means over the measurement window, recovery and
//! operating points.

use crate::Lang;
use crate::catalog::say;
use crate::chart::Quantity;
use crate::page::DataTable;
use crate::pts_names as names;
use crate::scale::{bytes, time};
use crate::{Grid, fill, lay, prose_width};
use stats::pts::{
    PtsBlock, PtsCell, PtsCrossStimulus, PtsDemand, PtsIdleRecovery, PtsMatrix, PtsQuantity, PtsResult,
    PtsSample, PtsSaturation, PtsSliceCell, PtsSlices, PtsSteady, PtsStudy, PtsTestRun, PtsThroughput,
    PtsVariable, PtsWindow,
};
use std::collections::BTreeSet;

/// Percentiles of a response time histogram.
const PERCENTS: [f64; 4] = [50.0, 99.9, 99.99, 99.999];

/// Returns the tables of all tests of a study.
pub fn tables(study: &PtsStudy, lang: Lang) -> Vec<DataTable> {
    study.runs.iter().flat_map(|run| of_run(run, lang)).collect()
}

/// Returns the tables as text in lines of at most `width` columns, newline at the end.
pub fn text(study: &PtsStudy, lang: Lang, width: usize) -> String {
    let mut lines = Vec::new();
    let tables =
        study.runs.iter().flat_map(|run| of_run(run, lang).into_iter().map(move |table| (run, table)));
    for (run, table) in tables {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let title = format!("{}: {}", names::test(lang, run.test), table.title);
        lines.extend(fill("", &title, prose_width(width)));
        let rows: Vec<Vec<String>> =
            std::iter::once(table.head.clone()).chain(table.rows.iter().cloned()).collect();
        let grid = Grid { keys: 1, to_right: |column| column > 0, gap: 2 };
        lines.extend(grid.lines(&rows, width.saturating_sub(2)).iter().map(|line| format!("  {line}")));
    }
    lay(&lines)
}

/// Returns the tables of a test.
pub fn of_run(run: &PtsTestRun, lang: Lang) -> Vec<DataTable> {
    let tables = Tables { run, lang };
    let mut all: Vec<Option<DataTable>> = vec![tables.steady()];
    match &run.result {
        PtsResult::Iops(matrix) => all.push(tables.iops(matrix)),
        PtsResult::Throughput(parts) => all.push(tables.throughput(parts)),
        PtsResult::Latency(latency) => {
            all.extend(tables.latency(&latency.matrix));
            all.push(tables.response(latency.histogram.iter().map(|sample| (None, sample)).collect()));
        }
        PtsResult::Wsat(saturation) => {
            all.push(tables.saturation(saturation));
            all.push(tables.response(saturation.histogram.iter().map(|sample| (None, sample)).collect()));
        }
        PtsResult::Hir(recovery) => all.push(tables.idle_recovery(recovery)),
        PtsResult::Xsr(recovery) => all.push(tables.cross_stimulus(recovery)),
        PtsResult::Cbw(demand) | PtsResult::Dirth(demand) => all.extend(tables.demand(demand)),
        PtsResult::HddIops(slices) | PtsResult::HddThroughput(slices) => all.push(tables.slices(slices)),
    }
    all.into_iter().flatten().collect()
}

/// Tables of one test.
struct Tables<'a> {
    run: &'a PtsTestRun,
    lang: Lang,
}

fn dash() -> String {
    "-".into()
}

fn iops(value: f64) -> String {
    Quantity::Iops.words(value)
}

impl Tables<'_> {
    /// Returns a table of this test; `None` without rows.
    fn table(
        &self,
        what: &str,
        title: String,
        note: String,
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    ) -> Option<DataTable> {
        (!rows.is_empty()).then(|| DataTable {
            id: crate::chart::id(&["pts-table", self.run.test.name(), what]),
            title,
            note,
            head,
            rows,
        })
    }

    /// Returns the figures of every load over the slices of a disk.
    fn slices(&self, slices: &PtsSlices) -> Option<DataTable> {
        let lang = self.lang;
        let head = vec![
            say!(lang, "pts-column-load"),
            say!(lang, "pts-column-slices"),
            say!(lang, "pts-column-average"),
            say!(lang, "pts-column-median"),
            say!(lang, "pts-column-minimum"),
            say!(lang, "pts-column-maximum"),
            say!(lang, "pts-column-first-slice"),
            say!(lang, "pts-column-last-slice"),
        ];
        let row = |cell: &PtsSliceCell| {
            let figures = [cell.mean, cell.median, cell.minimum, cell.maximum, cell.first, cell.last];
            let words = figures.map(|value| match cell.quantity {
                PtsQuantity::BytesPerSecond => Quantity::Rate.words(value),
                PtsQuantity::Iops | PtsQuantity::MeanLatency => iops(value),
            });
            let keys = [names::load_with_demand(lang, &cell.load), cell.slices.to_string()];
            keys.into_iter().chain(words).collect()
        };
        let rows = slices.cells.iter().map(row).collect();
        let note = say!(lang, "pts-note-slices", size = bytes(slices.slice_bytes));
        self.table("slices", say!(lang, "pts-slices"), note, head, rows)
    }

    /// Returns the determination of the steady state of every tracked variable.
    fn steady(&self) -> Option<DataTable> {
        let lang = self.lang;
        let head = vec![
            say!(lang, "pts-column-variable"),
            say!(lang, "pts-column-rounds"),
            say!(lang, "pts-column-average"),
            say!(lang, "pts-column-minimum"),
            say!(lang, "pts-column-maximum"),
            say!(lang, "pts-column-allowed-excursion"),
            say!(lang, "pts-column-excursion"),
            say!(lang, "pts-column-allowed-slope"),
            say!(lang, "pts-column-slope"),
            say!(lang, "pts-column-fit"),
            say!(lang, "pts-column-correlation"),
            say!(lang, "pts-column-interval"),
            say!(lang, "pts-column-result"),
        ];
        let states = self.run.result.steady();
        let rows = states.iter().flat_map(|steady| {
            steady.variables.iter().filter_map(|variable| self.window(steady, variable, variable.window?))
        });
        let rows = rows.collect();
        self.table("steady", say!(lang, "pts-table-steady"), say!(lang, "pts-note-table-steady"), head, rows)
    }

    fn window(&self, steady: &PtsSteady, variable: &PtsVariable, window: PtsWindow) -> Option<Vec<String>> {
        let lang = self.lang;
        let quantity = match variable.quantity {
            PtsQuantity::Iops => Quantity::Iops,
            PtsQuantity::BytesPerSecond => Quantity::Rate,
            PtsQuantity::MeanLatency => Quantity::Nanos,
        };
        let words = |value: f64| quantity.words(value);
        let signed = |value: f64| {
            let sign = if value < 0.0 { "-" } else { "+" };
            format!("{sign} {}", words(value.abs()))
        };
        let result = match (window.met(), steady.met()) {
            (true, _) => say!(lang, "pts-pass"),
            (false, _) => say!(lang, "pts-fail"),
        };
        Some(vec![
            names::load_with_demand(lang, &variable.load),
            format!("{} - {}", window.first, window.last()),
            words(window.average),
            words(window.minimum()),
            words(window.maximum()),
            words(window.allowed_excursion),
            words(window.excursion),
            words(window.allowed_slope_excursion),
            words(window.slope_excursion),
            format!("{} {} R", words(window.intercept), signed(window.slope)),
            window.correlation().map_or_else(dash, |r| format!("{r:.3}")),
            format!("± {:.1} %", window.half_width_percent),
            result,
        ])
    }

    /// Returns a table of a figure by block size and mix.
    fn by_mix(
        &self,
        what: &str,
        title: String,
        note: String,
        cells: &[PtsCell],
        of: impl Fn(&PtsCell) -> Option<String>,
    ) -> Option<DataTable> {
        let lang = self.lang;
        let size = |cell: &PtsCell| match cell.load.block {
            PtsBlock::Bytes(bytes) => bytes,
            PtsBlock::Composite => 0,
        };
        let sizes: BTreeSet<u64> = cells.iter().map(size).collect();
        let reads: BTreeSet<u32> = cells.iter().map(|cell| cell.load.reads).collect();
        let corner = say!(lang, "pts-column-block-by-mix");
        let head = std::iter::once(corner).chain(reads.iter().map(|r| names::mix(*r))).collect();
        let row = |bytes: &u64| {
            let value = |r: &u32| {
                let cell = cells.iter().find(|cell| size(cell) == *bytes && cell.load.reads == *r);
                cell.and_then(&of).unwrap_or_else(dash)
            };
            std::iter::once(crate::labels::block(*bytes)).chain(reads.iter().map(value)).collect()
        };
        let rows = sizes.iter().map(row).collect();
        self.table(what, title, note, head, rows)
    }

    fn iops(&self, matrix: &PtsMatrix) -> Option<DataTable> {
        let title = say!(self.lang, "pts-iops-by-mix");
        let note = say!(self.lang, "pts-note-mean-of-window");
        self.by_mix("iops", title, note, &matrix.cells, |cell| Some(format!("{:.1}", cell.iops)))
    }

    fn throughput(&self, parts: &[PtsThroughput]) -> Option<DataTable> {
        let lang = self.lang;
        let head = vec![
            say!(lang, "chart-axis-block-size"),
            format!("{}, MB/s", names::direction(lang, 100)),
            format!("{}, MB/s", names::direction(lang, 0)),
        ];
        let row = |part: &PtsThroughput| {
            let of = |reads: u32| {
                let cell = part.matrix.cells.iter().find(|cell| cell.load.reads == reads);
                cell.map_or_else(dash, |cell| format!("{:.1}", cell.bytes_per_second / 1e6))
            };
            vec![crate::labels::block(part.block), of(100), of(0)]
        };
        let rows = parts.iter().map(row).collect();
        let title = say!(lang, "pts-throughput-by-block-size");
        self.table("throughput", title, say!(lang, "pts-note-mean-of-window"), head, rows)
    }

    fn latency(&self, matrix: &PtsMatrix) -> Vec<Option<DataTable>> {
        let lang = self.lang;
        let cells = &matrix.cells;
        let mean = || say!(lang, "pts-note-mean-of-window");
        let longest = say!(lang, "pts-note-max-of-window");
        vec![
            self.by_mix("mean", say!(lang, "pts-mean-by-mix"), mean(), cells, |cell| {
                Some(time(cell.mean_ns))
            }),
            self.by_mix("tail", say!(lang, "pts-tail-by-mix"), mean(), cells, |cell| {
                cell.p99999_ns.map(time)
            }),
            self.by_mix("max", say!(lang, "pts-max-by-mix"), longest, cells, |cell| {
                Some(time(cell.max_ns as f64))
            }),
        ]
    }

    /// Returns the percentiles of response time histograms, each with the name of its operating point if it has one.
    fn response(&self, samples: Vec<(Option<String>, &PtsSample)>) -> Option<DataTable> {
        let lang = self.lang;
        let mut head = vec![say!(lang, "pts-column-load"), "IOPS".into(), "ART".into()];
        head.extend(PERCENTS.map(|percent| format!("{percent} %")));
        head.push("MRT".into());
        let row = |(name, sample): &(Option<String>, &PtsSample)| {
            let load = names::load_with_demand(lang, &sample.load);
            let load = name.as_ref().map_or(load.clone(), |name| format!("{name}: {load}"));
            let mut cells = vec![load, iops(sample.iops), time(sample.mean_ns)];
            cells.extend(
                PERCENTS.map(|percent| sample.percentile(percent).map_or_else(dash, |ns| time(ns as f64))),
            );
            cells.push(time(sample.max_ns as f64));
            cells
        };
        let rows = samples.iter().map(row).collect();
        self.table("response", say!(lang, "pts-table-response"), say!(lang, "pts-note-response"), head, rows)
    }

    fn saturation(&self, saturation: &PtsSaturation) -> Option<DataTable> {
        let lang = self.lang;
        let window = saturation.steady.variables.first().and_then(|variable| variable.window);
        let first = saturation.minutes.first()?;
        let end = saturation.ended.map_or_else(
            || say!(lang, "pts-unfinished"),
            |ended| names::saturation_end(lang, ended, self.run.scale()),
        );
        let rows = [
            (say!(lang, "pts-row-first-minute"), iops(first.iops)),
            (say!(lang, "pts-row-window-average"), window.map_or_else(dash, |w| iops(w.average))),
            (say!(lang, "pts-row-minutes"), saturation.minutes.len().to_string()),
            (
                say!(lang, "pts-axis-written"),
                saturation.written.last().map_or_else(dash, |written| bytes(*written)),
            ),
            (
                say!(lang, "pts-axis-drive-fills"),
                saturation.drive_fills.last().map_or_else(dash, |fills| format!("{fills:.2}")),
            ),
            (say!(lang, "pts-row-end"), end),
        ];
        let head = vec![say!(lang, "pts-column-figure"), say!(lang, "pts-column-value")];
        let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
        self.table("saturation", say!(lang, "pts-table-saturation"), String::new(), head, rows)
    }

    fn idle_recovery(&self, recovery: &PtsIdleRecovery) -> Option<DataTable> {
        let lang = self.lang;
        let head = vec![
            say!(lang, "pts-axis-wait"),
            say!(lang, "pts-column-average-iops"),
            say!(lang, "pts-column-of-baseline"),
            say!(lang, "pts-column-most-iops"),
            say!(lang, "pts-column-return"),
        ];
        let mut rows = vec![vec![
            say!(lang, "pts-row-baseline"),
            recovery.baseline_iops.map_or_else(dash, iops),
            "100 %".into(),
            dash(),
            dash(),
        ]];
        rows.extend(recovery.states.iter().map(|state| {
            vec![
                format!("{} s", state.wait_s),
                iops(state.mean_iops),
                state.gain.map_or_else(dash, |gain| format!("{:.1} %", 100.0 * gain)),
                iops(state.most_iops),
                state.return_minute.map_or_else(dash, |minute| minute.to_string()),
            ]
        }));
        let title = say!(lang, "pts-hir-means");
        self.table("waits", title, say!(lang, "pts-note-hir-means"), head, rows)
    }

    fn cross_stimulus(&self, recovery: &PtsCrossStimulus) -> Option<DataTable> {
        let lang = self.lang;
        let rate = |value: Option<f64>| value.map_or_else(dash, |rate| Quantity::Rate.words(rate));
        let minutes = |value: Option<u32>| value.map_or_else(dash, |minutes| minutes.to_string());
        let [first_mean, second_mean] = recovery.peak_mean_ns.map(|ns| ns.map_or_else(dash, time));
        let longest = |ns: Option<u64>| ns.map_or_else(dash, |ns| time(ns as f64));
        let [first_max, second_max] = recovery.peak_max_ns.map(longest);
        let rows = [
            (say!(lang, "pts-row-before"), rate(recovery.steady_before)),
            (say!(lang, "pts-row-after"), rate(recovery.steady_after)),
            (say!(lang, "pts-row-first-art"), first_mean),
            (say!(lang, "pts-row-first-mrt"), first_max),
            (say!(lang, "pts-row-second-art"), second_mean),
            (say!(lang, "pts-row-second-mrt"), second_max),
            (say!(lang, "pts-row-recovery"), minutes(recovery.recovery_minutes)),
            (say!(lang, "pts-row-nearly-recovered"), minutes(recovery.nearly_recovered_minutes)),
        ];
        let head = vec![say!(lang, "pts-column-figure"), say!(lang, "pts-column-value")];
        let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
        self.table("recovery", say!(lang, "pts-table-recovery"), say!(lang, "pts-note-xsr"), head, rows)
    }

    fn demand(&self, demand: &PtsDemand) -> Vec<Option<DataTable>> {
        let lang = self.lang;
        let cells = &demand.matrix.cells;
        let depths: BTreeSet<u32> = cells.iter().map(|cell| cell.load.depth).collect();
        let threads: BTreeSet<u32> = cells.iter().map(|cell| cell.load.threads).collect();
        let matrix = |what: &str, title: String, of: &dyn Fn(&PtsCell) -> String| {
            let corner = say!(lang, "pts-column-threads-by-depth");
            let head = std::iter::once(corner).chain(depths.iter().map(|d| format!("QD {d}"))).collect();
            let row = |t: &u32| {
                let value = |d: &u32| {
                    let cell = cells.iter().find(|cell| (cell.load.threads, cell.load.depth) == (*t, *d));
                    cell.map_or_else(dash, of)
                };
                std::iter::once(format!("TC {t}")).chain(depths.iter().map(value)).collect()
            };
            let rows = threads.iter().map(row).collect();
            self.table(what, title, say!(lang, "pts-note-mean-of-window"), head, rows)
        };
        let head = vec![
            say!(lang, "pts-column-point"),
            say!(lang, "pts-column-load"),
            "IOPS".into(),
            "ART".into(),
            "99.999 %".into(),
            "MRT".into(),
        ];
        let rows = demand.operating.iter().map(|operating| {
            let cell = &operating.cell;
            vec![
                names::operating(lang, operating.point),
                names::load_with_demand(lang, &cell.load),
                iops(cell.iops),
                time(cell.mean_ns),
                cell.p99999_ns.map_or_else(dash, time),
                time(cell.max_ns as f64),
            ]
        });
        let note = if demand.max_above_limit {
            say!(lang, "pts-note-max-above-limit")
        } else {
            say!(lang, "pts-note-operating")
        };
        let title = say!(lang, "pts-table-operating");
        let response = demand.operating.iter().filter_map(|operating| {
            Some((Some(names::operating(lang, operating.point)), operating.histogram.as_ref()?))
        });
        vec![
            matrix("iops", say!(lang, "pts-surface-iops"), &|cell| iops(cell.iops)),
            matrix("mean", say!(lang, "pts-surface-mean"), &|cell| time(cell.mean_ns)),
            self.table("operating", title, note, head, rows.collect()),
            self.response(response.collect()),
        ]
    }
}
