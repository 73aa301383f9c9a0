//! What guest/trust.sh said, judged: layers against the kernel's counters, findings and the doctor's lines against what
//! was made there.

use serde_json::Value;
use std::collections::BTreeMap;

/// Findings that are true of any run in an emulated machine: too short, unsteady, long waits, one busy processor.
const EMULATED: [&str; 8] = ["M12", "M13", "M15", "M17", "M22", "M28", "M30", "M31"];
/// What a run reads beforehand to learn what the device holds, at most, and before it writes: both ends of it.
const LOOKED: [u64; 2] = [1 << 20, 8 << 20];

/// Texts by case and kind.
struct Told(BTreeMap<(String, String), String>);

impl Told {
    fn of(said: &str) -> Told {
        let mut told: BTreeMap<(String, String), String> = BTreeMap::new();
        let mut at = None;
        for line in said.lines() {
            if let Some((case, what)) = line.strip_prefix("@@ ").and_then(|m| m.split_once(' ')) {
                at = Some((case.to_owned(), what.trim().to_owned()));
            } else if let Some(at) = &at {
                let text = told.entry(at.clone()).or_default();
                text.push_str(line);
                text.push('\n');
            }
        }
        assert!(at.is_some_and(|(case, _)| case == "end"), "it did not come to its end: {said}");
        Told(told)
    }

    fn text(&self, case: &str, what: &str) -> &str {
        let at = (case.to_owned(), what.to_owned());
        self.0.get(&at).unwrap_or_else(|| panic!("no {case} {what}")).trim()
    }

    fn json(&self, case: &str, what: &str) -> Value {
        let text = self.text(case, what);
        // Warnings of fio may come first.
        let from = text.find('{').unwrap_or(0);
        serde_json::from_str(&text[from..]).unwrap_or_else(|e| panic!("{case} {what}: {e}: {text}"))
    }

    fn run(&self, case: &str) -> Run<'_> {
        let said = self.json(case, "out");
        Run { told: self, case: case.to_owned(), said }
    }

    /// The doctor's lines of a case, each as `severity fact`, with the fact itself.
    fn doctor(&self, case: &str) -> Doctor {
        Doctor { case: case.to_owned(), said: self.json(case, "doctor-out") }
    }
}

struct Doctor {
    case: String,
    said: Value,
}

impl Doctor {
    fn of(&self, fact: &str) -> Vec<&Value> {
        self.said["lines"].as_array().unwrap().iter().filter(|l| l["fact"] == fact).collect()
    }

    /// One line of this fact and severity has these values.
    #[track_caller]
    fn says(&self, severity: &str, fact: &str, values: &[(&str, Value)]) {
        let lines = self.of(fact);
        let fits = |l: &&&Value| l["severity"] == severity && values.iter().all(|(k, v)| l[*k] == *v);
        assert_eq!(
            lines.iter().filter(fits).count(),
            1,
            "{}: {severity} {fact} {values:?} in {:#}",
            self.case,
            self.said
        );
    }

    #[track_caller]
    fn silent(&self, fact: &str) {
        assert!(self.of(fact).is_empty(), "{}: {fact} in {:#}", self.case, self.said);
    }
}

struct Run<'a> {
    told: &'a Told,
    case: String,
    said: Value,
}

impl Run<'_> {
    fn layers(&self) -> &Value {
        &self.said["fathom"]["layers"]
    }

    /// Bytes read and written of a device as fathom tells them.
    fn device(&self, name: &str) -> [u64; 2] {
        let devices = self.layers()["devices"].as_array().unwrap();
        let device =
            devices.iter().find(|d| d["name"] == name).unwrap_or_else(|| panic!("{}: no {name}", self.case));
        ["read_bytes", "write_bytes"].map(|key| device[key].as_u64().unwrap())
    }

    /// The same as the kernel counted around the run.
    fn kernel(&self, name: &str) -> [u64; 2] {
        let look = |when: &str| -> [u64; 2] {
            let lines =
                self.told.text(&self.case, when).lines().map(|l| l.split_whitespace().collect::<Vec<_>>());
            let line = lines
                .into_iter()
                .find(|l| l[2] == name)
                .unwrap_or_else(|| panic!("{}: no {name}", self.case));
            [5, 9].map(|at| line[at].parse::<u64>().unwrap() * 512)
        };
        let (before, after) = (look("before"), look("after"));
        [after[0] - before[0], after[1] - before[1]]
    }

    fn sum(&self, of: impl Fn(&str) -> [u64; 2], names: &[&str]) -> [u64; 2] {
        names.iter().map(|n| of(n)).fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]])
    }

    fn members(&self, names: &[&str]) -> [u64; 2] {
        self.agree(names);
        self.sum(|n| self.device(n), names)
    }

    /// fathom and the kernel count the same of these devices, but for the look before the run and, meanwhile, a rebuild.
    #[track_caller]
    fn agree(&self, names: &[&str]) {
        // md writes a word into its superblock now and then.
        let looked = [LOOKED[usize::from(self.app()[1] > 0)], 1 << 16];
        let rebuilds = self.rules().contains(&"M32".to_owned());
        for name in names {
            let (ours, kernels) = (self.device(name), self.kernel(name));
            for at in [0, 1] {
                let more = kernels[at].checked_sub(ours[at]);
                let fits = more.is_some_and(|m| rebuilds || m <= ours[at] / 100 + looked[at]);
                assert!(fits, "{} {name}: fathom says {ours:?}, /proc/diskstats {kernels:?}", self.case);
            }
        }
    }

    /// Bytes that the application read and wrote.
    fn app(&self) -> [u64; 2] {
        ["app_read_bytes", "app_write_bytes"].map(|key| self.layers()[key].as_u64().unwrap())
    }

    /// Application, process and the uppermost device moved the same, at least 64 MiB of it one way.
    #[track_caller]
    fn reconciles(&self, top: &str) -> u64 {
        self.ended();
        let (app, device) = (self.app(), self.device(top));
        let process = &self.layers()["process"];
        let process = ["read_bytes", "write_bytes"].map(|key| process[key].as_u64().unwrap());
        for at in [0, 1] {
            assert!(
                near(app[at], process[at]) && near(app[at], device[at]),
                "{}: {app:?} {process:?} {device:?}",
                self.case
            );
        }
        self.agree(&[top]);
        let moved = app[0] + app[1];
        assert!(moved >= 64 << 20, "{}: {moved}", self.case);
        moved
    }

    #[track_caller]
    fn ended(&self) {
        assert_eq!(
            self.told.text(&self.case, "status"),
            "0",
            "{}: {}",
            self.case,
            self.told.text(&self.case, "err")
        );
    }

    /// These rules have findings and, but for what is true of the emulated machine, no others.
    #[track_caller]
    fn finds(&self, rules: &[&str]) {
        let mut found = self.rules();
        found.retain(|r| !EMULATED.contains(&r.as_str()));
        found.dedup();
        assert_eq!(found, rules, "{}: {:#}", self.case, self.said["fathom"]["findings"]);
        assert!(self.said["fathom"]["grade"] != "X" || rules.contains(&"errors"), "{}", self.case);
    }

    fn rules(&self) -> Vec<String> {
        let findings = self.said["fathom"]["findings"].as_array().unwrap();
        findings.iter().map(|f| f["rule"].as_str().unwrap().to_owned()).collect()
    }

    fn latency(&self, direction: &str, which: &str) -> f64 {
        self.said["jobs"][0][direction]["lat_ns"][which].as_f64().unwrap()
    }

    /// `members_read_beyond` and `members_write_beyond` of the array, against what the kernel counted.
    #[track_caller]
    fn beyond(&self, array: &str, members: &[&str]) -> [u64; 2] {
        let devices = self.layers()["devices"].as_array().unwrap();
        let own = devices.iter().find(|d| d["name"] == array).unwrap();
        let told = ["members_read_beyond", "members_write_beyond"].map(|key| own[key].as_u64().unwrap_or(0));
        let (all, top) = (self.members(members), self.device(array));
        assert_eq!(told, [all[0].saturating_sub(top[0]), all[1].saturating_sub(top[1])], "{}", self.case);
        told
    }
}

fn near(a: u64, b: u64) -> bool {
    a.abs_diff(b) * 100 <= a.max(b)
}

/// A device, and what has to hold on it.
type Room = (&'static str, fn(&Told));

/// Every device by itself, so that one look at the guest shows all that is wrong.
pub(super) fn judge(said: &str) {
    let told = Told::of(said);
    let rooms: [Room; 13] = [
        ("nvme", nvme),
        ("raid1", raid1),
        ("raid1 without a member", degraded),
        ("raid1 at work", resync),
        ("raid5", raid5),
        ("raid5, small writes", small_writes),
        ("raid5 at work", recover),
        ("dm-linear", linear),
        ("dm-linear, large blocks", large),
        ("dm-linear, misaligned", odd),
        ("dm-delay", delay),
        ("dm-flakey", flakey),
        ("null_blk", null),
    ];
    let wrong =
        |room: &fn(&Told)| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| room(&told))).is_err();
    let failed: Vec<&str> = rooms.iter().filter(|(_, room)| wrong(room)).map(|(name, _)| *name).collect();
    assert!(failed.is_empty(), "wrong on {failed:?}");
}

const ARRAY: [&str; 3] = ["m0", "m1", "m2"];
const MIRROR: [&str; 2] = ["m0", "m1"];

fn nvme(told: &Told) {
    let d = told.doctor("nvme");
    d.says("note", "sectors", &[("logical", 4096.into()), ("physical", 4096.into())]);
    d.says("fine", "kind", &[("device", "nvme0n2".into()), ("medium", "flash".into())]);
    assert!(d.said["stack"][0]["model"].as_str().unwrap().contains("NVMe"), "{:#}", d.said["stack"]);
    // QEMU's disk has a volatile cache, and nobody flushed it.
    for (case, rules) in [("nvme-write", &["M35"][..]), ("nvme-read", &[])] {
        let run = told.run(case);
        run.reconciles("nvme0n2");
        run.finds(rules);
    }
    // Half a sector is refused, and why is said.
    assert_ne!(told.text("nvme-512", "status"), "0");
    assert!(
        told.text("nvme-512", "err").contains("multiples of its logical block size"),
        "{}",
        told.text("nvme-512", "err")
    );
}

fn raid1(told: &Told) {
    let array = |level: &str| [("device", Value::from("md0")), ("level", level.into())];
    told.doctor("raid1").says("fine", "array", &array("raid1"));
    let run = told.run("raid1-write");
    let moved = run.reconciles("md0");
    run.finds(&[]);
    for m in MIRROR {
        assert!(near(run.device(m)[1], moved), "{m}: {:?} of {moved}", run.device(m));
    }
    assert!(near(run.beyond("md0", &MIRROR)[1], moved));
    let run = told.run("raid1-read");
    let moved = run.reconciles("md0");
    run.finds(&[]);
    assert!(near(run.members(&MIRROR)[0], moved), "{:?}", run.members(&MIRROR));
}

fn degraded(told: &Told) {
    let d = told.doctor("raid1-degraded");
    d.says("spoils", "degraded", &[("device", "md0".into()), ("missing", 1.into()), ("disks", 2.into())]);
    d.silent("array_busy");
    assert_eq!(told.text("raid1-degraded", "doctor-status"), "1");
    let run = told.run("raid1-degraded");
    let moved = run.reconciles("md0");
    run.finds(&[]);
    assert!(near(run.device("m0")[0], moved));
}

fn resync(told: &Told) {
    let d = told.doctor("raid1-resync");
    d.says("spoils", "array_busy", &[("device", "md0".into()), ("work", "resync".into())]);
    d.silent("degraded");
    d.silent("array");
    let run = told.run("raid1-resync");
    run.reconciles("md0");
    run.finds(&["M32"]);
    rebuilding(&run, "resync");
    assert!(run.beyond("md0", &MIRROR).iter().sum::<u64>() > 0);
}

fn rebuilding(run: &Run<'_>, action: &str) {
    let findings = run.said["fathom"]["findings"].as_array().unwrap();
    let found = findings.iter().find(|f| f["name"] == "rebuilding").unwrap();
    assert_eq!((&found["evidence"]["device"], &found["evidence"]["action"]), (&"md0".into(), &action.into()));
}

fn raid5(told: &Told) {
    let d = told.doctor("raid5");
    d.says("note", "array", &[("device", "md0".into()), ("level", "raid5".into())]);
    d.says("note", "stripe", &[("chunk", 65536.into()), ("stripe", 131072.into())]);
    // A parity block for every two of data.
    let run = told.run("raid5-write");
    let moved = run.reconciles("md0");
    run.finds(&[]);
    let written = run.members(&ARRAY)[1];
    assert!(written * 100 >= moved * 149 && written <= 2 * moved, "{written} of {moved}");
    run.beyond("md0", &ARRAY);
    let run = told.run("raid5-read");
    let moved = run.reconciles("md0");
    run.finds(&[]);
    assert!(near(run.members(&ARRAY)[0], moved), "{:?} of {moved}", run.members(&ARRAY));
}

fn small_writes(told: &Told) {
    // Data and parity are written, and something is read for each.
    let run = told.run("raid5-small");
    run.ended();
    run.finds(&[]);
    let (app, all) = (run.app(), run.members(&ARRAY));
    assert_eq!(app, [0, 8 << 20]);
    assert!(near(run.device("md0")[1], app[1]), "{:?}", run.device("md0"));
    // (Two that meet in one stripe share their parity.)
    assert!(near(all[1], 2 * app[1]) && all[0] >= app[1] / 2, "{all:?} of {app:?}");
    assert_eq!(run.beyond("md0", &ARRAY), [all[0], all[1] - run.device("md0")[1]]);
    assert!(told.text("raid5-small", "layers").contains("mirrors, parity, other I/O"));
}

fn recover(told: &Told) {
    let d = told.doctor("raid5-recover");
    d.says("spoils", "array_busy", &[("device", "md0".into()), ("work", "recover".into())]);
    d.says("spoils", "degraded", &[("device", "md0".into()), ("missing", 1.into()), ("disks", 3.into())]);
    let run = told.run("raid5-recover");
    run.reconciles("md0");
    run.finds(&["M32"]);
    rebuilding(&run, "recover");
}

fn linear(told: &Told) {
    let d = told.doctor("linear");
    d.silent("kernel_says_misaligned");
    assert_eq!(d.said["stack"].as_array().unwrap().len(), 3);
    for (case, at) in [("linear-write", 1), ("linear-read", 0)] {
        let run = told.run(case);
        let moved = run.reconciles("dm-0");
        run.finds(&[]);
        let all = run.members(&["m0", "m1"]);
        assert!(near(all[at], moved) && near(run.device("m0")[at], moved / 2), "{case}: {all:?} of {moved}");
    }
}

fn large(told: &Told) {
    let run = told.run("linear-large");
    run.ended();
    run.finds(&[]);
    let (app, top) = (run.app()[0], run.device("dm-0")[0]);
    assert!(near(run.members(&["m0", "m1"])[0], app) && near(top, 2 * app), "{app} {top}");
}

fn odd(told: &Told) {
    let d = told.doctor("odd");
    d.says("spoils", "kernel_says_misaligned", &[("device", "dm-0".into()), ("offset_bytes", 512.into())]);
    for case in ["odd-write", "odd-read"] {
        let run = told.run(case);
        run.reconciles("dm-0");
        run.finds(&["M26"]);
    }
    told.doctor("even").silent("kernel_says_misaligned");
    let run = told.run("even-read");
    run.reconciles("dm-0");
    run.finds(&[]);
}

fn delay(told: &Told) {
    let run = told.run("delay");
    let moved = run.reconciles("dm-0");
    run.finds(&[]);
    assert!(near(run.members(&["m0"])[0], moved));
    // Not the least: of ticks that the emulation delivers late several come at once, and 20 ms are five ticks.
    assert!(run.latency("read", "mean") >= 20e6, "{:#}", run.said["jobs"][0]["read"]["lat_ns"]);
}

fn flakey(told: &Told) {
    let run = told.run("flakey-up");
    let moved = run.reconciles("dm-0");
    run.finds(&[]);
    assert!(near(run.members(&["m0"])[0], moved));
    // What cannot be read is judged without reading it.
    told.doctor("flakey-down").says("fine", "no_io_cap", &[]);
    for how in ["flakey-stops", "flakey-goes-on"] {
        assert_eq!(told.text(how, "fathom-status"), told.text(how, "fio-status"), "{how}");
        let [fio, ours] = ["fio-out", "fathom-out"].map(|what| told.json(how, what));
        for key in ["error", "total_err", "first_error"] {
            assert_eq!(ours["jobs"][0][key], fio["jobs"][0][key], "{how} {key}");
        }
    }
    for case in ["flakey-down", "flakey"] {
        let run = told.run(case);
        let errors = run.said["jobs"][0]["total_err"].as_u64().unwrap();
        assert!(errors > 0, "{case}: no error");
        // Where all I/Os failed, nothing was measured.
        let all: &[&str] = if case == "flakey-down" { &["errors", "end"] } else { &["errors"] };
        run.finds(all);
        let text = run.said["fathom"]["findings"].to_string();
        assert!(text.contains(&format!("{errors} of ")), "{case}: {text}");
        // dm-flakey counts only what it lets through; the process counts all that it sent.
        let (app, device) = (run.app()[0], run.device("dm-0")[0]);
        let process = run.layers()["process"]["read_bytes"].as_u64().unwrap();
        assert!(
            near(app, device) && near(app + errors * 65536, process),
            "{case}: {app} {errors} {device} {process}"
        );
        run.agree(&["dm-0"]);
    }
    assert_eq!(told.run("flakey-down").app(), [0, 0]);
    let [read, _] = told.run("flakey").app();
    assert!(read > 1 << 20, "{read}");
}

fn null(told: &Told) {
    let d = told.doctor("null");
    d.says("matters", "kind", &[("device", "slow".into()), ("medium", "memory".into())]);
    for (case, direction) in [("null-write", "write"), ("null-read", "read")] {
        let run = told.run(case);
        run.reconciles("slow");
        run.finds(&["memory"]);
        assert!(run.latency(direction, "min") >= 1e6, "{case}: {}", run.latency(direction, "min"));
    }
}
