//! Text to document.

use super::document::*;
use super::fault::{FieldName, ParseFault, ParseFaultKind};
use super::lines::{Line, decode, lines};
use job::access_spec::{MOST_BURST, MOST_BYTES, MOST_DELAY_MS, MOST_LINES};
use job::job::AccessLine;

type Read<T> = Result<T, ParseFault>;

/// Beginnings of the keys of the sections.
const SECTIONS: [&str; 4] = ["TEST SETUP", "RESULTS DISPLAY", "ACCESS SPECIFICATIONS", "MANAGER LIST"];
/// Keys of the test setup.
const SETUP: [&str; 11] = [
    "Test Description",
    "Run Time",
    "Ramp Up Time",
    "Default Disk Workers to Spawn",
    "Default Network Workers to Spawn",
    "Default Workers to Spawn",
    "Record Results",
    "Worker Cycling",
    "Disk Cycling",
    "Queue Depth Cycling",
    "Test Type",
];
/// Keys of the other sections and their parts.
const OTHERS: [&str; 13] = [
    "Access specification name",
    "size,% of size",
    "Manager ID",
    "Manager network address",
    "Worker type",
    "Worker",
    "Default target settings for worker",
    "Number of outstanding IOs",
    "Disk maximum size",
    "Assigned access specs",
    "Target assignments",
    "Target type",
    "Target",
];

/// Oldest version whose access specifications have the present form.
const OLDEST: (u32, u32, u32) = (1998, 5, 21);
/// First number of a version from which it is a year.
const FIRST_YEAR: u32 = 1900;

/// Returns whether a file that begins with these bytes is a configuration file of Iometer.
pub fn is_icf(head: &[u8]) -> bool {
    let text = decode(head);
    let found = lines(&text);
    found.first().is_some_and(|line| {
        version_text(line).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
            || SECTIONS.iter().any(|section| line.begins(section))
    })
}

fn version_text<'t>(line: &Line<'t>) -> Option<&'t str> {
    let (word, text) = line.text.split_once(char::is_whitespace)?;
    (!line.is_key && word.eq_ignore_ascii_case("Version")).then(|| text.trim())
}

/// Reads a configuration file.
///
/// # Errors
/// The first fault of the file with its line.
pub fn parse(bytes: &[u8]) -> Result<Document, ParseFault> {
    let text = decode(bytes);
    let found = lines(&text);
    let Some((first, last)) = found.first().zip(found.last()) else {
        return Err(ParseFault { line: 1, kind: ParseFaultKind::NoVersion });
    };
    let stated = version_text(first);
    if stated.is_none() && !SECTIONS.iter().any(|section| first.begins(section)) {
        return first.fault(ParseFaultKind::NoVersion);
    }
    let ends_with = version_text(last).filter(|_| last.number > first.number);
    let version = match (stated, ends_with) {
        (Some(text), None) => {
            version(first, text)?;
            return last.fault(ParseFaultKind::NoLastVersion);
        }
        (Some(text), Some(end)) => {
            let (start, end_version) = (version(first, text)?, version(last, end)?);
            if start != end_version {
                let (first, last_text) = (text.to_owned(), end.to_owned());
                return last.fault(ParseFaultKind::OtherVersion { first, last: last_text });
            }
            start
        }
        (None, Some(end)) => version(last, end)?,
        (None, None) => Version::Number(1, 1, 0),
    };
    let body = found.iter().filter(|line| version_text(line).is_none()).copied().collect();
    let last = last.number;
    Reader { lines: body, at: 0, last, assigned: Vec::new() }.document(version)
}

fn version(line: &Line<'_>, text: &str) -> Read<Version> {
    let parts: Vec<Option<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
    let [Some(a), Some(b), Some(c)] = parts[..] else {
        return line.fault(ParseFaultKind::BadVersion { text: text.to_owned() });
    };
    match a > FIRST_YEAR {
        true if (a, b, c) < OLDEST => line.fault(ParseFaultKind::TooOld { text: text.to_owned() }),
        true => Ok(Version::Date(a, b, c)),
        false => Ok(Version::Number(a, b, c)),
    }
}

struct Reader<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
    /// Number of the last line.
    last: usize,
    /// Names of assigned specifications with their lines.
    assigned: Vec<(Line<'t>, String)>,
}

/// Returns whether a key may have a value, or begins a part that has some.
fn is_known(line: &Line<'_>) -> bool {
    // These are also beginnings of other keys.
    let part = |key: &str| match key {
        "Worker" | "Target" => line.text.eq_ignore_ascii_case(key),
        _ => line.begins(key),
    };
    SETUP.iter().chain(&OTHERS).any(|key| part(key)) || begins_section(line)
}

fn begins_section(line: &Line<'_>) -> bool {
    SECTIONS.iter().any(|section| line.begins(section))
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<Line<'t>> {
        let line = self.lines.get(self.at).copied();
        self.at += 1;
        line
    }

    fn peek(&self) -> Option<Line<'t>> {
        self.lines.get(self.at).copied()
    }

    /// Returns the next key of the part that ends with `end`; `None` at its end.
    fn key(&mut self, end: &'static str) -> Read<Option<Line<'t>>> {
        let missing = ParseFaultKind::NoEnd { end };
        let Some(line) = self.next() else { return Err(ParseFault { line: self.last, kind: missing }) };
        if !line.is_key {
            return line.fault(ParseFaultKind::NoKey { text: line.text.to_owned() });
        }
        if begins_section(&line) {
            return line.fault(missing);
        }
        if line.begins("END") {
            let words = line.text.trim_end_matches(['=', ' ']);
            return if words.eq_ignore_ascii_case(end) { Ok(None) } else { line.fault(missing) };
        }
        Ok(Some(line))
    }

    /// Returns the value of `key`; comments between them are skipped.
    fn value(&mut self, key: &Line<'t>) -> Read<Line<'t>> {
        loop {
            match self.peek() {
                Some(line) if !line.is_key => {
                    self.at += 1;
                    return Ok(line);
                }
                Some(line) if !is_known(&line) && !line.begins("END") => self.at += 1,
                _ => return key.fault(ParseFaultKind::NoValue { key: key.text.to_owned() }),
            }
        }
    }

    /// Returns the lines up to the next key.
    fn values(&mut self) -> Vec<Line<'t>> {
        let from = self.at.min(self.lines.len());
        let n = self.lines[from..].iter().take_while(|line| !line.is_key).count();
        self.at = from + n;
        self.lines[from..from + n].to_vec()
    }

    fn document(mut self, version: Version) -> Read<Document> {
        let mut document = Document { version, setup: None, display: None, specs: None, managers: None };
        while let Some(line) = self.next() {
            if !line.is_key {
                return line.fault(ParseFaultKind::NoKey { text: line.text.to_owned() });
            }
            let section = SECTIONS.iter().position(|section| line.begins(section));
            let twice = [
                document.setup.is_some(),
                document.display.is_some(),
                document.specs.is_some(),
                document.managers.is_some(),
            ];
            if let Some(at) = section.filter(|at| twice[*at]) {
                return line.fault(ParseFaultKind::Twice { section: SECTIONS[at] });
            }
            match section {
                Some(0) => document.setup = Some(self.setup()?),
                Some(1) => document.display = Some(self.display()?),
                Some(2) => document.specs = Some(self.specs()?),
                Some(_) => document.managers = Some(self.managers()?),
                None => {}
            }
        }
        let specs = document.specs.as_deref().unwrap_or_default();
        let unknown = |(_, name): &&(Line<'_>, String)| specs.iter().all(|spec| spec.name != *name);
        match self.assigned.iter().find(unknown) {
            Some((line, name)) => line.fault(ParseFaultKind::UnknownSpec { spec: name.clone() }),
            None => Ok(document),
        }
    }

    fn setup(&mut self) -> Read<TestSetup> {
        let mut setup = TestSetup::default();
        while let Some(key) = self.key("END test setup")? {
            match SETUP.iter().position(|known| key.begins(known)) {
                Some(0) => {
                    setup.description = self.values().iter().map(|line| line.text.to_owned()).collect();
                }
                Some(1) => {
                    let line = self.value(&key)?;
                    let fields = line.blanks(3, "hours minutes seconds")?;
                    let number = |at: usize, field| line.small(fields[at], field, 0);
                    setup.run_time = Some([
                        number(0, FieldName::Hours)?,
                        number(1, FieldName::Minutes)?,
                        number(2, FieldName::Seconds)?,
                    ]);
                }
                Some(2) => {
                    let line = self.value(&key)?;
                    setup.ramp_s = Some(line.small(line.text, FieldName::Ramp, 0)?);
                }
                Some(3) => setup.disk_workers = Some(self.spawn(&key)?),
                Some(4) => setup.network_workers = Some(self.spawn(&key)?),
                Some(5) => setup.workers = Some(self.spawn(&key)?),
                Some(6) => {
                    let line = self.value(&key)?;
                    setup.record = Some(line.choice(line.text, &Record::ALL, Record::name)?);
                }
                Some(7) => setup.worker_cycling = Some(self.cycling(&key)?),
                Some(8) => setup.disk_cycling = Some(self.cycling(&key)?),
                Some(9) => {
                    let line = self.value(&key)?;
                    let fields = line.blanks(4, "start end step step-type")?;
                    setup.queue_cycling = Some(QueueCycling {
                        start: line.small(fields[0], FieldName::Start, 1)?,
                        end: line.small(fields[1], FieldName::End, 1)?,
                        step: line.small(fields[2], FieldName::Step, 1)?,
                        kind: line.choice(fields[3], &[Step::Linear, Step::Exponential], Step::name)?,
                    });
                }
                Some(_) => {
                    let line = self.value(&key)?;
                    setup.test_type = Some(line.choice(line.text, &TestType::ALL, TestType::name)?);
                }
                None => {}
            }
        }
        Ok(setup)
    }

    fn spawn(&mut self, key: &Line<'t>) -> Read<Spawn> {
        let line = self.value(key)?;
        if line.text.eq_ignore_ascii_case("NUMBER_OF_CPUS") {
            return Ok(Spawn::Cpus);
        }
        Ok(Spawn::Number(line.small(line.text, FieldName::Spawn, 0)?))
    }

    fn cycling(&mut self, key: &Line<'t>) -> Read<Cycling> {
        let line = self.value(key)?;
        let fields = line.blanks(3, "start step step-type")?;
        Ok(Cycling {
            start: line.small(fields[0], FieldName::Start, 1)?,
            step: line.small(fields[1], FieldName::Step, 1)?,
            kind: line.choice(fields[2], &[Step::Linear, Step::Exponential], Step::name)?,
        })
    }

    fn display(&mut self) -> Read<Display> {
        let mut entries = Vec::new();
        while let Some(key) = self.key("END results display")? {
            let values = self.values().iter().map(|line| line.text.to_owned()).collect();
            entries.push((key.text.to_owned(), values));
        }
        Ok(Display { entries })
    }

    fn specs(&mut self) -> Read<Vec<AccessSpec>> {
        let mut specs: Vec<(Line<'t>, AccessSpec)> = Vec::new();
        while let Some(key) = self.key("END access specifications")? {
            if key.begins("Access specification name") {
                let line = self.value(&key)?;
                let fields = line.commas(&[2], "name,default assignment")?;
                let name = fields[0].to_owned();
                if name.is_empty() {
                    return line.fault(ParseFaultKind::NoName);
                }
                if specs.iter().any(|(_, spec)| spec.name == name) {
                    return line.fault(ParseFaultKind::SameName { spec: name });
                }
                let assignment = line.choice(fields[1], &Assignment::ALL, Assignment::name)?;
                specs.push((line, AccessSpec { name, assignment, lines: Vec::new() }));
            } else if key.begins("size,% of size") {
                let lines = self.values();
                let Some((_, spec)) = specs.last_mut() else {
                    return match lines.first() {
                        Some(line) => line.fault(ParseFaultKind::NoKey { text: line.text.to_owned() }),
                        None => key.fault(ParseFaultKind::NoValue { key: key.text.to_owned() }),
                    };
                };
                for line in lines {
                    spec.lines.push(access_line(&line)?);
                }
            }
        }
        for (line, spec) in &specs {
            let (spec, lines) = (spec.name.clone(), &spec.lines);
            let sum = lines.iter().map(|line| u32::from(line.share)).sum();
            match lines.len() {
                0 => return line.fault(ParseFaultKind::NoLines { spec }),
                n if n > MOST_LINES => return line.fault(ParseFaultKind::TooManyLines { spec }),
                _ if sum != 100 => return line.fault(ParseFaultKind::Sum { spec, sum }),
                _ => {}
            }
        }
        Ok(specs.into_iter().map(|(_, spec)| spec).collect())
    }

    fn managers(&mut self) -> Read<Vec<Manager>> {
        let mut managers = Vec::new();
        while let Some(key) = self.key("END manager list")? {
            if key.begins("Manager ID") {
                managers.push(self.manager(&key)?);
            }
        }
        Ok(managers)
    }

    fn manager(&mut self, key: &Line<'t>) -> Read<Manager> {
        let line = self.value(key)?;
        let Some((id, name)) = line.text.split_once(',') else {
            return line.fault(ParseFaultKind::Fields { found: 1, expected: "manager ID,manager name" });
        };
        let id = line.small(id.trim(), FieldName::ManagerId, 0)?;
        let name = name.trim().to_owned();
        if name.is_empty() {
            return line.fault(ParseFaultKind::NoName);
        }
        let mut manager = Manager { id, name, address: None, workers: Vec::new() };
        while let Some(key) = self.key("End manager")? {
            if key.begins("Manager network address") {
                // A manager of the same host has none.
                manager.address = self.values().first().map(|line| line.text.to_owned());
            } else if key.text.eq_ignore_ascii_case("Worker") {
                manager.workers.push(self.worker(&key)?);
            } else if key.begins("Manager ID") {
                return key.fault(ParseFaultKind::NoEnd { end: "End manager" });
            }
        }
        Ok(manager)
    }

    fn worker(&mut self, key: &Line<'t>) -> Read<Worker> {
        let name = self.value(key)?.text.to_owned();
        let mut worker = Worker { name, kind: None, settings: None, specs: Vec::new(), targets: Vec::new() };
        const KINDS: [WorkerKind; 3] =
            [WorkerKind::Disk, WorkerKind::Network(NetworkKind::Tcp), WorkerKind::Network(NetworkKind::Vi)];
        while let Some(key) = self.key("End worker")? {
            if key.begins("Worker type") {
                let line = self.value(&key)?;
                let text: String = line.text.split_whitespace().collect();
                worker.kind = Some(line.choice(&text, &KINDS, WorkerKind::name)?);
            } else if key.begins("Default target settings for worker") {
                worker.settings = Some(self.settings()?);
            } else if key.begins("Assigned access specs") {
                let end = "End assigned access specs";
                worker.specs = self.assigned(end)?;
            } else if key.begins("Target assignments") {
                worker.targets = self.targets()?;
            } else if key.text.eq_ignore_ascii_case("Worker") || key.begins("Manager ID") {
                return key.fault(ParseFaultKind::NoEnd { end: "End worker" });
            }
        }
        Ok(worker)
    }

    fn assigned(&mut self, end: &'static str) -> Read<Vec<String>> {
        let mut names = Vec::new();
        loop {
            for line in self.values() {
                names.push(line.text.to_owned());
                self.assigned.push((line, line.text.to_owned()));
            }
            if self.key(end)?.is_none() {
                return Ok(names);
            }
        }
    }

    fn settings(&mut self) -> Read<Settings> {
        let mut settings = Settings::default();
        while let Some(key) = self.key("End default target settings for worker")? {
            if key.begins("Number of outstanding IOs") {
                let line = self.value(&key)?;
                let fields = line.commas(
                    &[3, 5],
                    "outstanding IOs,test connection rate,transactions per connection[,use fixed seed,fixed seed value]",
                )?;
                let on = |text: &str| line.choice(text, &[false, true], switch);
                settings.queue = Some((
                    line.number(fields[0], FieldName::Outstanding, (1, 65_535))? as u32,
                    on(fields[1])?,
                    line.small(fields[2], FieldName::Transactions, 0)?,
                ));
                if let [_, _, _, fixed, seed] = fields[..] {
                    let most = i64::MAX as u64;
                    settings.seed = Some((on(fixed)?, line.number(seed, FieldName::Seed, (0, most))?));
                }
            } else if key.begins("Disk maximum size") {
                let line = self.value(&key)?;
                let fields = line.commas(&[2, 3], "maximum size,starting sector[,data pattern]")?;
                let most = i64::MAX as u64 / 1024;
                let pattern = match fields.get(2) {
                    Some(text) => Some(line.number(text, FieldName::DataPattern, (0, 2))? as u8),
                    None => None,
                };
                settings.disk = Some(DiskSettings {
                    sectors: line.number(fields[0], FieldName::MaximumSize, (0, most))?,
                    start: line.number(fields[1], FieldName::StartingSector, (0, most))?,
                    pattern,
                });
            }
        }
        Ok(settings)
    }

    fn targets(&mut self) -> Read<Vec<Target>> {
        let mut targets = Vec::new();
        while let Some(key) = self.key("End target assignments")? {
            if key.text.eq_ignore_ascii_case("Target") {
                let name = self.value(&key)?.text.to_owned();
                let mut target = Target { name, kind: None };
                while let Some(key) = self.key("End target")? {
                    if key.begins("Target type") {
                        target.kind = Some(self.value(&key)?.text.to_owned());
                    } else if key.text.eq_ignore_ascii_case("Target") {
                        return key.fault(ParseFaultKind::NoEnd { end: "End target" });
                    }
                }
                targets.push(target);
            }
        }
        Ok(targets)
    }
}

/// Returns the word of a switch.
pub(super) fn switch(on: bool) -> &'static str {
    if on { "ENABLED" } else { "DISABLED" }
}

fn access_line(line: &Line<'_>) -> Read<AccessLine> {
    let fields = line.commas(&[8], "size,% of size,% reads,% random,delay,burst,align,reply")?;
    let number = |at: usize, field, range| line.number(fields[at], field, range);
    Ok(AccessLine {
        size: number(0, FieldName::Size, (1, MOST_BYTES))?,
        share: number(1, FieldName::Share, (0, 100))? as u8,
        reads: number(2, FieldName::Reads, (0, 100))? as u8,
        random: number(3, FieldName::Random, (0, 100))? as u8,
        delay_ms: number(4, FieldName::Delay, (0, MOST_DELAY_MS.into()))? as u32,
        burst: number(5, FieldName::Burst, (1, MOST_BURST.into()))? as u32,
        align: number(6, FieldName::Align, (0, MOST_BYTES))?,
        reply: number(7, FieldName::Reply, (0, MOST_BYTES))?,
    })
}
