//! The report's page in a real browser: nothing is fetched, nothing goes wrong, the numbers are the store's, and whoever
//! hovers, zooms, reads the table or takes the CSV gets them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{Browser, Need, Sandbox, Tab, View, skip_without};

fn fathom(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    child::run(command.args(args).current_dir(dir).env("LC_ALL", "C.UTF-8"), Duration::from_secs(120))
        .unwrap()
}

fn good(ran: &Ran) -> &str {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    &ran.stdout
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// A browser takes both processors.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Waits for what the page's script promised.
fn charts(tab: &mut Tab<'_>) -> Value {
    tab.js("fathom.ready").unwrap()
}

fn chart<'a>(charts: &'a Value, id: &str) -> &'a Value {
    charts.as_array().unwrap().iter().find(|c| c["id"] == id).unwrap_or_else(|| panic!("no chart {id}"))
}

/// Where pictures stay, to be looked at.
fn album() -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A study of a simulated device with eight servers, and its page.
fn study(dir: &Path) -> Value {
    let explore = [
        "explore",
        "model:servers=8;law=constant:5ms",
        "--budget=60s",
        "--patterns=4k-randread",
        "--grid",
        "--store=s",
    ];
    good(&fathom(&explore, dir));
    good(&fathom(&["report", "S1", "--store=s", "-o", "s.html"], dir));
    json(good(&fathom(&["export", "S1", "--store=s", "--json"], dir)))
}

fn url(dir: &Path, page: &str) -> String {
    format!("file://{}", dir.join(page).display())
}

/// In sight, and drawn.
fn show(tab: &mut Tab<'_>, id: &str) {
    tab.js(&format!(
        "new Promise((done) => {{ document.getElementById('{id}').scrollIntoView({{ block: 'center', behavior: 'instant' }}); const look = () => fathom.drawn('{id}') ? setTimeout(done, 100) : setTimeout(look, 20); look(); }})"
    ))
    .unwrap();
}

/// Where a point of a chart is in the window.
fn place(tab: &mut Tab<'_>, id: &str, x: f64, y: f64) -> (f64, f64) {
    let at = tab
        .js(&format!(
            "(() => {{ const r = document.querySelector('[id=\"{id}\"] .plot').getBoundingClientRect(); const p = fathom.drawn('{id}').convertToPixel({{ xAxisIndex: 0, yAxisIndex: 0 }}, [{x}, {y}]); return [r.x + p[0], r.y + p[1]]; }})()"
        ))
        .unwrap();
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

/// The file that a press of a button saves.
fn saved(tab: &mut Tab<'_>, selector: &str, file: &Path) -> String {
    tab.click_on(selector).unwrap();
    for _ in 0..200 {
        if let Ok(text) = std::fs::read_to_string(file)
            .map_err(drop)
            .and_then(|t| if t.is_empty() { Err(()) } else { Ok(t) })
        {
            return text;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("{} was not saved", file.display());
}

#[test]
fn page_of_a_study_shows_the_numbers_of_the_store() {
    skip_without!(Need::Program("chromium"));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let stored = study(dir);
    let mut browser = Browser::start(dir).unwrap();
    let mut tab = browser.open(&url(dir, "s.html"), View::DESK, dir).unwrap();
    let drawn = charts(&mut tab);

    // The curve over the depth: every depth of the store that was visited once has its number, and no other.
    let points: Vec<&Value> = stored["points"].as_array().unwrap().iter().collect();
    let depth_points: Vec<&&Value> = points
        .iter()
        .filter(|p| {
            p["question"] == "depth" && p["cell"]["access"]["bs"] == 4096 && p["cell"]["span"].is_null()
        })
        .collect();
    let rate = chart(&drawn, "4k-randread-iops");
    let shown = rate["form"]["series"][0]["points"].as_array().unwrap();
    let mut single = 0;
    for dot in shown {
        let of = |p: &&&&Value| {
            p["cell"]["depth"].as_u64().unwrap() * p["cell"]["jobs"].as_u64().unwrap()
                == dot[0].as_f64().unwrap() as u64
        };
        let there: Vec<&&&Value> = depth_points.iter().filter(of).collect();
        assert!(!there.is_empty(), "a depth that nobody measured: {dot}");
        if let [one] = there[..] {
            single += 1;
            let ours = [1, 2, 3].map(|at| dot[at].as_f64());
            let theirs = ["value", "low", "high"].map(|key| one["iops"][key].as_f64());
            assert_eq!(ours, theirs);
        }
    }
    assert!(single > 2, "{single} of {}", shown.len());
    // Over time: the windows of the point.
    let first = chart(&drawn, "point-0");
    let window = &stored["points"][0]["series"]["windows"][0];
    let ios: u64 = window["ios"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    let expected = ios as f64 * 1e9 / window["nanos"].as_f64().unwrap();
    let got = first["form"]["series"][0]["points"][0][1].as_f64().unwrap();
    assert!((got / expected - 1.0).abs() < 1e-6, "{got} {expected}");
    // The knee is marked where the study says it is.
    let conclusions = stored["conclusions"].as_array().unwrap();
    let knee =
        conclusions.iter().find(|c| c["claim"]["kind"] == "knee" && c["access"]["bs"] == 4096).unwrap();
    let mark = rate["marks"].as_array().unwrap().iter().find(|m| m["upwards"] == true).unwrap();
    assert_eq!(mark["at"].as_f64(), knee["claim"]["in_flight"].as_f64());
    show(&mut tab, "4k-randread-iops");
    let lines = tab
        .js("fathom.drawn('4k-randread-iops').getOption().series[0].markLine.data.map((m) => m.xAxis)")
        .unwrap();
    assert_eq!(lines[0].as_f64(), mark["at"].as_f64());
    // The raw result is in it, whole.
    let raw = json(tab.js("fathom.read('data-raw')").unwrap().as_str().unwrap());
    assert_eq!(raw["conclusions"], stored["conclusions"]);

    // Hover.
    let dot = &shown[shown.len() / 2];
    let (x, y) = place(&mut tab, "4k-randread-iops", dot[0].as_f64().unwrap(), dot[1].as_f64().unwrap());
    tab.hover(x + 1.0, y + 1.0).unwrap();
    let tip = tab.js("new Promise((done) => setTimeout(() => done([...document.querySelectorAll('.tip')].map((t) => t.innerText).join()), 400))").unwrap();
    let said = tab.js(&format!("fathom.say('iops', {})", dot[1])).unwrap();
    assert!(tip.as_str().unwrap().contains(said.as_str().unwrap()), "{tip} lacks {said}");
    // Zoom with the wheel, and back with the button.
    let range = "(() => { const z = fathom.drawn('4k-randread-iops').getOption().dataZoom[0]; return z.end - z.start; })()";
    assert_eq!(tab.js(range).unwrap().as_f64(), Some(100.0));
    tab.wheel(x, y, -300.0).unwrap();
    tab.js("new Promise((done) => setTimeout(done, 300))").unwrap();
    let zoomed = tab.js(range).unwrap().as_f64().unwrap();
    assert!(zoomed < 99.0, "{zoomed}");
    tab.click_on("[id='4k-randread-iops'] .whole").unwrap();
    assert_eq!(tab.js(range).unwrap().as_f64(), Some(100.0));
    // The keyboard reaches the points, and they are spoken.
    tab.js("document.querySelector('[id=\"4k-randread-iops\"] .plot').focus()").unwrap();
    tab.key("ArrowRight").unwrap();
    let spoken = tab.js("document.getElementById('spoken').textContent").unwrap();
    let first = tab.js(&format!("fathom.say('iops', {})", shown[0][1])).unwrap();
    assert!(spoken.as_str().unwrap().contains(first.as_str().unwrap()), "{spoken} lacks {first}");
    // The table: a row each depth, with the same number.
    tab.click_on("[id='4k-randread-iops'] .show-table").unwrap();
    let cells = tab.js("[...document.querySelectorAll('[id=\"4k-randread-iops\"] tbody tr')].map((r) => [...r.cells].map((c) => c.title || c.innerText))").unwrap();
    let row = cells
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r[1].as_str().and_then(|t| t.parse::<f64>().ok()) == dot[1].as_f64());
    assert!(row.is_some(), "{cells} lacks {}", dot[1]);
    // The CSV, saved: the numbers in full.
    let text = saved(&mut tab, "[id='4k-randread-iops'] .csv", &dir.join("4k-randread-iops.csv"));
    assert!(
        text.lines().any(|l| l.split(',').nth(1).and_then(|n| n.parse::<f64>().ok()) == dot[1].as_f64()),
        "{text}"
    );
    // Copied.
    tab.click_on("[id='4k-randread-iops'] .copy").unwrap();
    let spoken = tab.js("new Promise((done) => setTimeout(() => done(document.getElementById('spoken').textContent), 200))").unwrap();
    assert_eq!(spoken, "copied");
    // All data, saved.
    let name = tab.js("document.getElementById('data-raw').dataset.name").unwrap();
    let whole = saved(&mut tab, "#download", &dir.join(name.as_str().unwrap()));
    assert_eq!(json(&whole)["points"].as_array().unwrap().len(), points.len());
    let troubles = tab.troubles().unwrap();
    assert!(troubles.is_empty(), "{troubles:?}");
}

#[test]
#[ignore = "a minute of the browser"]
fn page_is_readable_on_screens_paper_and_by_a_screen_reader() {
    skip_without!(Need::Program("chromium"));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    study(dir);
    good(&fathom(
        &[
            "run",
            "--name=mix",
            "--ioengine=null",
            "--rw=randrw",
            "--bs=4k",
            "--size=1g",
            "--runtime=1",
            "--time_based",
            "--store=s",
        ],
        dir,
    ));
    good(&fathom(&["report", "R1", "--store=s", "-o", "r.html"], dir));
    let mut browser = Browser::start(dir).unwrap();
    let album = album();
    for page in ["s", "r"] {
        for (name, view) in [
            ("desk", View::DESK),
            ("desk-dark", View::DESK.dark()),
            ("phone", View::PHONE),
            ("phone-dark", View::PHONE.dark()),
        ] {
            let mut tab = browser.open(&url(dir, &format!("{page}.html")), view, dir).unwrap();
            charts(&mut tab);
            // Nothing is wider than the window: what is, scrolls in its own place.
            let wide = tab.js("document.documentElement.scrollWidth - innerWidth").unwrap();
            assert!(wide.as_i64().unwrap() <= 0, "{page} {name}: {wide} too wide");
            let ground = tab.js("getComputedStyle(document.body).backgroundColor").unwrap();
            assert_eq!(ground == "rgb(20, 23, 27)", view.dark, "{name}: {ground}");
            std::fs::write(album.join(format!("{page}-{name}.png")), tab.picture(view).unwrap()).unwrap();
            // Every chart that came into sight is drawn: lines, not an empty place.
            let empty = tab.js("[...document.querySelectorAll('figure')].filter((f) => f.querySelectorAll('.plot svg path').length < 3).map((f) => f.id)").unwrap();
            assert_eq!(empty, Value::Array(Vec::new()), "{page} {name}");
            // Open tables and findings are judged, too; each theme once, each width once.
            if view.dark == view.mobile {
                tab.js("document.querySelectorAll('.show-table').forEach((b) => b.click()); document.querySelectorAll('details').forEach((d) => { d.open = true; })").unwrap();
                tab.js(include_str!("../axe/axe.min.js")).unwrap();
                let found = tab.js("axe.run({ resultTypes: ['violations'] }).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' | ' + n.failureSummary).join(' || ')]))").unwrap();
                let serious: Vec<&Value> = found
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|v| v[0] == "serious" || v[0] == "critical")
                    .collect();
                assert!(serious.is_empty(), "{page} {name}: {serious:#?}");
            }
            // On paper every chart lies within its place, and nothing can be pressed.
            tab.paper(true).unwrap();
            let beyond = tab.js("[...document.querySelectorAll('figure')].filter((f) => f.querySelector('.plot svg').getBoundingClientRect().bottom > f.getBoundingClientRect().bottom + 1 || f.querySelector('.tools').offsetHeight > 0).map((f) => f.id)").unwrap();
            assert_eq!(beyond, Value::Array(Vec::new()), "{page} {name} on paper");
            tab.paper(false).unwrap();
            let paper = tab.printed().unwrap();
            assert!(paper.starts_with(b"%PDF") && paper.len() > 20_000, "{}", paper.len());
            std::fs::write(album.join(format!("{page}-{name}.pdf")), paper).unwrap();
            let troubles = tab.troubles().unwrap();
            assert!(troubles.is_empty(), "{page} {name}: {troubles:?}");
        }
    }
}

/// A hundred points of each of six patterns, with their windows, from one that was measured.
fn large(dir: &Path) -> PathBuf {
    let mut study: stats::study::Study = serde_json::from_value(study(dir)).unwrap();
    let model = study.points.iter().max_by_key(|p| p.series.windows.len()).unwrap().clone();
    let names = ["randread", "randwrite", "read", "write", "randrw", "rw"];
    study.asked.patterns = names
        .iter()
        .map(|rw| stats::study::Access { rw: (*rw).into(), bs: 4096, reads: None, sync: None })
        .collect();
    study.points.clear();
    let mut seed = 7u64;
    for access in study.asked.patterns.clone() {
        for at in 0..100 {
            let mut point = model.clone();
            point.ordinal = study.points.len() as u32;
            point.cell.access = access.clone();
            point.cell.depth = 1 + at;
            // No two windows alike, as many as a series may have: nothing that packs well.
            while point.series.windows.len() < 500 {
                point.series.windows.extend(point.series.windows.clone());
            }
            point.series.windows.truncate(500);
            for w in &mut point.series.windows {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                w.nanos += (seed >> 33) % 100_000;
                w.ios[0] += (seed >> 40) % 1000;
                w.bytes[0] = w.ios[0] * 4096;
            }
            study.points.push(point);
        }
    }
    let path = dir.join("large.json");
    std::fs::write(&path, serde_json::to_string(&study).unwrap()).unwrap();
    path
}

#[test]
fn measures_the_largest_page_is_small_and_interactive_within_a_second() {
    skip_without!(Need::Program("chromium"));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let study = large(dir);
    good(&fathom(&["report", &study.display().to_string(), "-o", "l.html"], dir));
    let size = std::fs::metadata(dir.join("l.html")).unwrap().len();
    assert!(size <= 3_000_000, "{size} bytes");
    let mut browser = Browser::start(dir).unwrap();
    // The best of three.
    let mut ready: Vec<f64> = Vec::new();
    for _ in 0..3 {
        let mut tab = browser.open(&url(dir, "l.html"), View::DESK, dir).unwrap();
        ready.push(tab.js("fathom.ready.then(() => fathom.readyAt)").unwrap().as_f64().unwrap());
        show(&mut tab, "4k-randread-iops");
        let count = tab.js("document.querySelectorAll('figure select option').length").unwrap();
        assert_eq!(count, 600);
    }
    let best = ready.iter().copied().fold(f64::INFINITY, f64::min);
    println!("{size} bytes, interactive after {ready:?} ms");
    assert!(best < 1000.0, "{ready:?}");
}

#[test]
fn measures_ten_minutes_of_samples_are_drawn_within_300_ms() {
    skip_without!(Need::Program("chromium"));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    good(&fathom(
        &[
            "run",
            "--name=a",
            "--ioengine=null",
            "--rw=randrw",
            "--bs=4k",
            "--size=1g",
            "--runtime=1",
            "--time_based",
            "--store=s",
        ],
        dir,
    ));
    let mut run: stats::RunResult =
        serde_json::from_str(good(&fathom(&["export", "R1", "--store=s", "--json"], dir))).unwrap();
    let (_, series) = run.series.first_mut().unwrap();
    let one = series.windows[0];
    series.windows = (0..600)
        .map(|at| stats::Window {
            nanos: 1_000_000_000,
            ios: one.ios.map(|n| n + at * 7919 % 1000),
            bytes: one.bytes,
        })
        .collect();
    std::fs::write(dir.join("run.json"), serde_json::to_string(&run).unwrap()).unwrap();
    good(&fathom(&["report", "run.json", "-o", "t.html"], dir));
    let mut browser = Browser::start(dir).unwrap();
    let mut tab = browser.open(&url(dir, "t.html"), View::DESK, dir).unwrap();
    let drawn = charts(&mut tab);
    assert_eq!(chart(&drawn, "time-iops-a")["form"]["series"][0]["points"].as_array().unwrap().len(), 601);
    show(&mut tab, "time-iops-a");
    let times = tab.js("[0, 1, 2, 3, 4].map(() => { const at = performance.now(); fathom.draw('time-iops-a'); return performance.now() - at; })").unwrap();
    let best = times.as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).fold(f64::INFINITY, f64::min);
    println!("drawn in {times} ms");
    assert!(best < 300.0, "{times}");
}

/// What loads and files are called stands whole below the bars and beside the rows, within the picture.
#[test]
fn names_of_files_are_whole_in_the_page() {
    skip_without!(Need::Program("chromium"));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let names: Vec<String> = (1..5).map(|n| format!("a-result-with-a-long-name-of-disk-{n}")).collect();
    for name in &names {
        let job = r#"{"jobs":[{"jobname":"j","read":{"total_ios":5,"iops":5.0,"runtime":1000}}]}"#;
        sandbox.put(&format!("{name}.json"), job).unwrap();
        sandbox
            .put(&format!("{name}_bw.log"), "100, 5, 0, 4096\n200, 6, 0, 4096\n300, 6, 0, 4096\n")
            .unwrap();
    }
    good(&fathom(&["report", ".", "-o", "names.html"], dir));
    let mut browser = Browser::start(dir).unwrap();
    let mut tab = browser.open(&url(dir, "names.html"), View::DESK, dir).unwrap();
    let drawn = charts(&mut tab);
    let of = |begin: &str| {
        let ids = drawn.as_array().unwrap().iter().filter_map(|c| c["id"].as_str());
        ids.into_iter().find(|id| id.starts_with(begin)).unwrap_or_else(|| panic!("no {begin}")).to_string()
    };
    for id in [of("bars-iops"), of("time-by-file")] {
        show(&mut tab, &id);
        // The text of each label, its lines joined, and whether all of it lies within the picture.
        let seen = tab
            .js(&format!(
                "(() => {{ const p = document.querySelector('[id=\"{id}\"] .plot'), b = p.getBoundingClientRect(); const t = [...p.querySelectorAll('svg text')]; return [t.map((e) => e.textContent).join(''), t.every((e) => {{ const r = e.getBoundingClientRect(); return r.left >= b.left - 1 && r.bottom <= b.bottom + 1 }})] }})()"
            ))
            .unwrap();
        for name in &names {
            assert!(seen[0].as_str().unwrap().contains(name.as_str()), "{id} cuts {name}: {}", seen[0]);
        }
        assert_eq!(seen[1], true, "{id}: a name is beyond the edge of the picture");
    }
}

/// The page of a ranking has a chart for each figure, with the range of every class as the result has it, and the device
/// at its rate; on a desk and on a phone.
#[test]
fn page_of_a_ranking_shows_every_class_and_the_device() {
    skip_without!(Need::Program("chromium"));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let target = "model:servers=8;law=constant:100us";
    let rank = ["rank", target, "--seconds=4s", "--no-store", "--json", "-o", "rank.html"];
    let ranking = json(good(&fathom(&rank, dir)));
    let mut browser = Browser::start(dir).unwrap();
    let album = album();
    for (name, view) in [("desk", View::DESK), ("phone", View::PHONE.dark())] {
        let mut tab = browser.open(&url(dir, "rank.html"), view, dir).unwrap();
        let drawn = charts(&mut tab);
        let figures = ranking["figures"].as_array().unwrap();
        assert_eq!(drawn.as_array().map(Vec::len), Some(figures.len()));
        let first = chart(&drawn, "rank-read-qd1");
        assert_eq!(first["marks"][0]["at"].as_f64(), figures[0][1].as_f64());
        let names = first["y"]["categories"].as_array().unwrap();
        for class in ranking["classes"].as_array().unwrap() {
            let row = names.iter().position(|name| *name == class["name"]).unwrap();
            let ranges = first["form"]["sets"].as_array().unwrap().iter();
            let mut ranges = ranges.flat_map(|set| set["ranges"].as_array().unwrap());
            let ends = [0, 1].map(|end| class["ranges"][0][end].as_f64());
            let found = ranges.any(|range| {
                range[0].as_u64() == Some(row as u64) && [range[1].as_f64(), range[2].as_f64()] == ends
            });
            assert!(found, "{class} is not drawn: {first}");
        }
        show(&mut tab, "rank-read-qd1");
        let seen = tab
            .js("(() => { const o = fathom.drawn('rank-read-qd1').getOption(); const m = o.series.find((s) => s.markLine); return [m.markLine.data.map((d) => d.xAxis), document.querySelector('[id=\"rank-read-qd1\"] .plot').innerText || [...document.querySelectorAll('[id=\"rank-read-qd1\"] .plot svg text')].map((t) => t.textContent).join(' ')]; })()")
            .unwrap();
        assert_eq!(seen[0][0].as_f64(), figures[0][1].as_f64());
        let text = seen[1].as_str().unwrap();
        assert!(names.iter().all(|name| text.contains(name.as_str().unwrap())), "{text}");
        assert!(text.contains("this device"), "{text}");
        // The table has a row for the device and for each range.
        tab.click_on("[id='rank-read-qd1'] .show-table").unwrap();
        let rows = tab.js("document.querySelectorAll('[id=\"rank-read-qd1\"] tbody tr').length").unwrap();
        assert!(rows.as_u64().is_some_and(|rows| rows as usize > names.len()), "{rows}");
        let wide = tab.js("document.documentElement.scrollWidth - innerWidth").unwrap();
        assert!(wide.as_i64().unwrap() <= 0, "{name}: {wide} too wide");
        // Every class has its source beside the charts.
        let facts = tab.js("document.querySelector('.facts').innerText").unwrap();
        assert!(facts.as_str().unwrap().contains("estimate from published measurements"), "{facts}");
        std::fs::write(album.join(format!("rank-{name}.png")), tab.picture(view).unwrap()).unwrap();
        let troubles = tab.troubles().unwrap();
        assert!(troubles.is_empty(), "{name}: {troubles:?}");
    }
}
