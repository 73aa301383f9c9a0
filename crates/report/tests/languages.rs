//! Whatever is said is said in every language with the same numbers, and no English is left in the others.
#![allow(clippy::unwrap_used)]

#[macro_use]
#[path = "samples/claims.rs"]
mod claims;
#[path = "samples/facts.rs"]
mod doctor_facts;
#[path = "samples/drawn.rs"]
mod drawn;
#[path = "samples/pts.rs"]
mod pts_sample;
#[path = "samples/reasons.rs"]
mod reasons;
#[path = "samples/results.rs"]
mod results;
use regex_lite::Regex;
use report::Lang;
use stats::doctor::{Diagnosis, LayerRow};
use stats::note::{NoteFact, NoteKind};
use stats::study::{Access, Conclusion, Estimate, MeasuredLoad, Question, Study, StudyTarget, Unanswered};
use stats::{Finding, Grade, NotMeasured};
use std::collections::BTreeSet;

/// Wider than anything that is said: nothing is cut off.
const WIDE: usize = 4000;

/// Words that every language keeps: names of figures, options, programs, engines, links, and of things that the kernel or
/// the standards call so; then words that are German, too.
const KEPT: &str = "append fdp lat clat slat 
    iops max min util await steal fathom prefill explore show resume insists null psync libaio numjobs iodepth pattern dedupe
    compress thinktime cpu dmesg losetup partx partprobe dmsetup table wipefs mkfs swapoff fstrim zramctl iotop pidstat sync taskset
    cpuset iostat sysctl storcli perccli ssacli hdparm blockdev setra cpupower frequency-set performance echo idle none tsc
    aer resync recovery reshape check repair usb-storage uas write through back host-managed host-aware numa pcie sata usb
    ncq ahci raid gpt mbr aio seccomp root disk systemd slice gbit mbit mib kib gib cgroup fsync errno sda vda
    job jobs cache caches block bitmap was hat band backplane index flash flush partition kernel rate test rest hypervisor
    overlayfs trim commit commits merges psi depth median maximum pause volume engine loop
    coordinated omission clocksource chunk chunks stripe stripes container controller scheduler cpus firmware dax extents journal
    tasks offsets option port position adapter rebuild rebuilds zone server signal medium byte still threads usl fio json bytes system budget browser sigstop ctrl ctrl-c sigint
    span grid axis sync little thread aqu-sz note javascript name offset parallel late heat
    runtime verify_backlog ioengine
    nfs smb cephfs ceph rados bucket ceph-fuse fuse virtiofs iscsi nvme tcp mtu rsize wsize nconnect multipath hard soft async export exportfs ethtool qdisc dev tbf
    link stat open syncs client backend subsystem switch mount placement groups pool
    librbd writearound active clean scrub noscrub nodeep-scrub osd osds bluestore memstore ssd nbd fua structured-replies layering parent
    lun rpm detail health cluster clients features image layout host hosts fairness";

fn numbers(text: &str) -> Vec<String> {
    let number = Regex::new(r"[0-9]+(?:\.[0-9]+)?").unwrap();
    let mut found: Vec<String> = number.find_iter(text).map(|m| m.as_str().to_string()).collect();
    found.sort();
    found
}

/// Words of three letters and more in Latin script. What holds a digit or a sign is a name, an option, a path or a unit.
fn words(text: &str) -> BTreeSet<String> {
    let latin = |c: char| c.is_ascii_graphic() || ('\u{c0}'..='\u{24f}').contains(&c);
    text.split(|c| !latin(c))
        .map(|token| token.trim_matches(|c: char| ".,;:()[]!?\"'<>".contains(c)))
        .filter(|token| {
            !token.starts_with('-') && !token.contains(|c: char| c.is_ascii_digit() || "=_/.".contains(c))
        })
        .flat_map(|token| token.split(|c: char| !c.is_alphabetic() && c != '-'))
        .filter(|word| word.chars().count() >= 3)
        .map(str::to_lowercase)
        .collect()
}

/// What is wrong with the other languages of a text. `data` are words that come from outside and stay.
fn differences(say: impl Fn(Lang) -> String, data: &str) -> Vec<String> {
    let english = say(Lang::En);
    let kept: BTreeSet<String> =
        words(data).into_iter().chain(KEPT.split_whitespace().map(str::to_string)).collect();
    let mut wrong = Vec::new();
    for lang in [Lang::Zh, Lang::Ru, Lang::De] {
        let said = say(lang);
        if numbers(&said) != numbers(&english) {
            wrong.push(format!("numbers\n  {english}\n  {said}"));
        }
        let left: Vec<String> =
            words(&said).intersection(&words(&english)).filter(|w| !kept.contains(*w)).cloned().collect();
        if !left.is_empty() {
            wrong.push(format!("{} keeps {}\n  {english}\n  {said}", lang.name(), left.join(" ")));
        }
    }
    wrong
}

fn agree(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn conclusion(claim: stats::study::StudyClaim, unit: stats::study::Unit, value: f64) -> Conclusion {
    Conclusion {
        target: 0,
        access: Access { rw: "randread".into(), bs: 4096, reads: None, sync: None },
        question: Question::Depth,
        claim,
        estimate: Estimate { value, low: 0.98 * value, high: 1.02 * value },
        unit,
        measured: MeasuredLoad { seconds: 12.5, bytes: 51_200, span: 1 << 30 },
        evidence: vec![0],
        caveats: Vec::new(),
    }
}

#[test]
fn every_finding_and_grade_is_said_in_every_language() {
    let mut wrong = Vec::new();
    for claim in claims::findings() {
        wrong.extend(differences(
            |lang| {
                let what = report::findings::statement(lang, &claim);
                let next = report::findings::advice(lang, &claim);
                assert!(!what.is_empty());
                format!("{}: {what}; {next}", report::findings::rule(lang, &claim))
            },
            "",
        ));
    }
    for grade in Grade::ALL {
        wrong.extend(differences(|lang| report::findings::grade(lang, grade).into(), ""));
    }
    agree(wrong);
}

#[test]
fn every_answer_of_a_study_and_what_limits_it_is_said_in_every_language() {
    let mut wrong = Vec::new();
    for (claim, unit) in claims::answers() {
        // A ratio is more, less or the same, and each has its words.
        for value in [0.5, 1.0, 1.5, 900.0] {
            let one = conclusion(claim.clone(), unit, value);
            wrong.extend(differences(|lang| report::study::sentence(lang, &one), ""));
        }
        let untold = Conclusion {
            estimate: Estimate { value: 1.0, low: 0.5, high: 1.5 },
            ..conclusion(claim.clone(), unit, 1.0)
        };
        wrong.extend(differences(|lang| report::study::sentence(lang, &untold), ""));
    }
    for caveat in claims::caveats() {
        let (claim, unit) = claims::answers().swap_remove(0);
        let one = Conclusion { caveats: vec![caveat], ..conclusion(claim, unit, 800.0) };
        wrong.extend(differences(|lang| report::study::sentence(lang, &one), ""));
    }
    agree(wrong);
}

fn study() -> Study {
    let mut study = Study { id: 12, spent_s: 66.0, ..Study::default() };
    study.asked.budget_s = 120.0;
    let access = Access { rw: "randread".into(), bs: 4096, reads: None, sync: None };
    study.asked.patterns =
        vec![access.clone(), Access { rw: "write".into(), bs: 65_536, reads: None, sync: None }];
    let target = |name: &str, scratch, stack: &[&str]| StudyTarget {
        name: name.into(),
        size: 1 << 30,
        stack: stack.iter().map(ToString::to_string).collect(),
        scratch,
        ..StudyTarget::default()
    };
    study.targets = vec![target("/data", true, &["ext4", "vda1"]), target("/dev/sdb", false, &[])];
    for (claim, unit) in claims::answers() {
        for (target, value) in [(0, 1.0), (1, 900.0)] {
            let question = match claim {
                stats::study::StudyClaim::Jobs { .. } => Question::Jobs,
                stats::study::StudyClaim::Span { .. } => Question::Span,
                stats::study::StudyClaim::Hosts { .. } => Question::Hosts,
                stats::study::StudyClaim::Crossover { .. } => Question::Bs,
                stats::study::StudyClaim::Runtime { .. } => Question::Runtime,
                _ => Question::Depth,
            };
            study.conclusions.push(Conclusion { target, question, ..conclusion(claim.clone(), unit, value) });
        }
    }
    for question in Question::ALL {
        for why in claims::reasons() {
            study.unanswered.push(Unanswered { target: 1, access: access.clone(), question, why });
        }
    }
    study
}

/// Words of the kernel's texts, which are the same in every language.
const KERNEL: &str = " permission denied allocate cannot memory operation not permitted function implemented invalid argument enospc pid ulimit ring";

#[test]
fn the_card_of_a_study_is_said_in_every_language() {
    let open = study();
    let done = Study { complete: true, id: 0, ..open.clone() };
    let mut wrong = Vec::new();
    let data = &format!("randread write {KERNEL}");
    for study in [&open, &done, &Study::default()] {
        wrong.extend(differences(|lang| report::study::render(lang, study, WIDE), data));
        wrong.extend(differences(|lang| report::study::reasons(lang, study, WIDE), data));
        for lang in Lang::ALL {
            let card = report::study::render(lang, study, 100);
            assert!(card.lines().all(|l| report::columns(l) <= 100), "{card}");
        }
    }
    agree(wrong);
}

#[test]
fn the_card_of_a_run_and_its_layers_are_said_in_every_language() {
    let mut wrong = Vec::new();
    for (name, mut result) in results::cases() {
        let layers = |lang| report::card::layer_table(lang, &result, WIDE);
        wrong.extend(differences(layers, "loop ext disk ssd"));
        // Names, notes and errors come as text from below.
        let mut data = format!("{name} loop disk ssd all-errors");
        for job in &result.jobs {
            let error = job.error.as_ref().map_or(String::new(), |e| format!("{} {}", e.function, e.text));
            data += &format!(" {} {error}", job.name);
        }
        for note in &result.notes {
            data += &format!(" {}", note.job);
            if let NoteFact::Text(text) = &note.fact {
                data += &format!(" {text}");
            }
        }
        for lang in Lang::ALL {
            let card = report::card::render(lang, &result, 100);
            assert!(card.lines().all(|l| report::columns(l) <= 100), "{card}");
        }
        // A card shows five findings.
        let all: Vec<Finding> =
            claims::findings().into_iter().map(|claim| Finding::new("a1".into(), claim)).collect();
        result.findings.truncate(5);
        for findings in std::iter::once(result.findings.clone()).chain(all.chunks(7).map(<[Finding]>::to_vec))
        {
            result.findings = findings;
            wrong.extend(differences(|lang| report::card::render(lang, &result, WIDE), &data));
        }
    }
    agree(wrong);
}

/// An NFS mount with the requests of a run.
fn remote() -> stats::remote::RemoteLayer {
    use stats::remote::{NfsMount, RemoteClient, RemoteLayer, RemoteOperation, RemoteTraffic};
    let operation = RemoteOperation {
        name: "READ".into(),
        ops: 500,
        queue_ms: 350,
        round_trip_ms: 1160,
        execute_ms: 1696,
        ..Default::default()
    };
    RemoteLayer {
        name: "/mnt/n1".into(),
        client: RemoteClient::Nfs(NfsMount::default()),
        servers: Vec::new(),
        path: None,
        traffic: Some(RemoteTraffic {
            operations: vec![operation],
            server_bytes: [2_048_000, 8 << 20],
            reconnects: 0,
        }),
    }
}

/// Times at the server stand on the card, and each operation in the table of layers.
#[test]
fn requests_to_a_server_are_said_in_every_language() {
    let mut result = results::cases().remove(0).1;
    result.layers.remote = vec![remote()];
    result.layers.tcp = Some(stats::remote::TcpSegments { sent: 700, retransmitted: 3 });
    result.layers.connections = vec![stats::server_fact::ServerConnections {
        server: "10.0.0.1:3260".into(),
        connections: 4,
        segments: stats::remote::TcpSegments { sent: 900, retransmitted: 7 },
        out_of_order: 2,
        round_trip_us: 250.0,
        least_us: 190,
        reconnects: 1,
    }];
    result.layers.targets[0].stack = vec!["nfs4".into()];
    let table = |lang| report::card::layer_table(lang, &result, WIDE);
    agree(differences(table, "nfs loop disk ssd tcp"));
    let english = table(Lang::En);
    assert!(
        english.contains("READ 500: mean 3.39 ms, of which 700 us before sending and 2.32 ms network"),
        "{english}"
    );
    let card = report::card::render(Lang::En, &result, WIDE);
    assert!(card.contains("READ: network and server 2.32 ms of 3.39 ms"), "{card}");
}

#[test]
fn the_card_of_the_check_is_said_in_every_language() {
    let mut card = results::quick_card();
    card.not_measured = vec![
        NotMeasured::SustainedWrites,
        NotMeasured::FullDevice,
        NotMeasured::BeyondScratch,
        NotMeasured::Writes,
        NotMeasured::BusyOrFull,
    ];
    let mut failed = card.clone();
    failed.rows[2].error = Some(stats::quick::RowError::Text("E5".into()));
    failed.kind = stats::QuickTarget::Device;
    failed.findings =
        claims::findings().into_iter().map(|claim| Finding::new("4k".into(), claim)).take(9).collect();
    let file = stats::QuickCard { kind: stats::QuickTarget::File, ..card.clone() };
    let objects = stats::QuickCard { kind: stats::QuickTarget::ScratchObjects, ..card.clone() };
    let mut wrong = Vec::new();
    for card in [&card, &failed, &file, &objects, &stats::QuickCard::default()] {
        // How many caveats there is room for depends on the length of the words: one is always there.
        let one = stats::QuickCard {
            findings: card.findings.iter().take(1).cloned().collect(),
            caveats: if card.findings.is_empty() {
                card.caveats.iter().take(1).cloned().collect()
            } else {
                vec![]
            },
            ..card.clone()
        };
        wrong.extend(differences(|lang| report::quick::render(lang, &one, WIDE), "loop disk ssd partition"));
        for lang in Lang::ALL {
            let text = report::quick::render(lang, card, 100);
            assert!(text.lines().all(|l| report::columns(l) <= 100) && text.lines().count() <= 17, "{text}");
        }
    }
    agree(wrong);
}

/// Fields of a fact that hold names from outside.
const NAMES: [&str; 16] = [
    "what", "on", "device", "above", "at", "option", "backing", "by", "name", "names", "driver", "level",
    "model", "layer", "setting", "state",
];

#[test]
fn every_fact_of_the_doctor_is_said_in_every_language() {
    let mut wrong = Vec::new();
    for line in doctor_facts::all() {
        let fields = serde_json::to_value(&line).unwrap();
        let fields = fields.as_object().unwrap();
        let of = |(key, value): (&String, &serde_json::Value)| {
            (NAMES.contains(&key.as_str()) || fields["fact"] == "on_file_system" && key == "kind")
                .then(|| value.to_string())
        };
        let mut data: Vec<String> = fields.iter().filter_map(of).collect();
        data.push("disk xfs amazon google azure".into());
        let stack = vec![LayerRow { name: "sda".into(), kind: "disk".into(), size: None, model: None }];
        for stack in [stack, Vec::new()] {
            let d = Diagnosis {
                target: "/data/f1".into(),
                stack,
                lines: vec![line.clone()],
                ..Diagnosis::default()
            };
            wrong.extend(differences(|lang| report::doctor::render(lang, &d, WIDE), &data.join(" ")));
            for lang in Lang::ALL {
                let said = report::doctor::render(lang, &d, 100);
                assert!(said.lines().all(|l| report::columns(l) <= 100), "{said}");
            }
        }
    }
    agree(wrong);
}

#[test]
fn lists_points_questions_and_live_lines_are_said_in_every_language() {
    use stats::{Listed, Live, Prefill, PrefillEnd, PrefillTarget, StoredId, StoredKind, Unfilled};
    let mut wrong = Vec::new();
    for (kind, id, points) in [
        (StoredKind::Run, StoredId::Run(7), None),
        (StoredKind::Check, StoredId::Run(8), None),
        (StoredKind::Study, StoredId::Study(12), Some(1)),
        (StoredKind::Study, StoredId::Study(13), Some(44)),
    ] {
        let one = Listed {
            id,
            kind,
            began_ms: 5,
            version: "0.1.0".into(),
            title: "/dev/sdb1".into(),
            grade: None,
            points,
            complete: false,
        };
        let list = |lang| report::stored::render(lang, std::slice::from_ref(&one), 5, |_| "0".into(), WIDE);
        wrong.extend(differences(list, ""));
    }
    wrong.extend(differences(|lang| report::stored::render(lang, &[], 0, |_| String::new(), WIDE), ""));
    let mut prefill = Prefill {
        target: "/data/f1".into(),
        size: 100 << 20,
        length: 90 << 20,
        offset: 5 << 20,
        found: Unfilled { holes: 1 << 20, unwritten: 2 << 20, zeros: 3 << 20 },
        to_write: 6 << 20,
        written: 6 << 20,
        seconds: 0.5,
        remembered_in: Some(stats::RecordedIn::Text("/state/1".into())),
        ..Prefill::default()
    };
    for kind in [PrefillTarget::File, PrefillTarget::ScratchFile, PrefillTarget::Device] {
        for end in [
            PrefillEnd::Whole,
            PrefillEnd::FilledBefore,
            PrefillEnd::Declined,
            PrefillEnd::Interrupted,
            PrefillEnd::Filled,
        ] {
            for pieces in [1, 3] {
                (prefill.kind, prefill.end, prefill.pieces) = (kind, end, pieces);
                wrong.extend(differences(|lang| report::prefill::render(lang, &prefill, WIDE), ""));
            }
        }
    }
    wrong.extend(differences(|lang| report::prefill::question(lang, &prefill), ""));
    wrong.extend(differences(|lang| report::prefill::question_before(lang, 12.0, "/data/f1", 1 << 30), ""));
    wrong.extend(differences(|lang| report::prefill::several(lang, 3, "/data/f1"), ""));
    let live = Live {
        bytes_per_second: [50_400_000, 4_000_000, 7_000],
        iops: [12_300, 1000, 17],
        percent: Some(42.0),
        eta_s: Some(11),
        elapsed_ms: 8900,
        ..Live::default()
    };
    wrong.extend(differences(
        |lang| {
            let what = report::quick::measuring(lang, "4k random", "write", 32);
            report::live::status_line(lang, &what, &live)
                + &report::live::preparing(lang, &what, 1 << 30, 2 << 30)
        },
        "",
    ));
    let access = Access { rw: "randread".into(), bs: 4096, reads: None, sync: None };
    for question in Question::ALL {
        let asking = |lang| report::live::asking(lang, question, &access, "/dev/sdb1", 40.0);
        wrong.extend(differences(asking, "randread"));
    }
    wrong.extend(differences(report::live::filling, ""));
    agree(wrong);
}

#[test]
fn every_error_and_note_of_a_study_is_said_in_every_language() {
    use report::words::lab as words;
    let mut wrong = Vec::new();
    // The kernel's texts, names of options and what a use or a signature is called are the same in every language.
    let known: Vec<&str> = lab::target::model_options().collect();
    let data = "permission denied space left device error write xfs sysfs home size ".to_owned();
    let data = &(data + &known.join(" ") + KERNEL);
    let path = std::path::Path::new("/data/f1");
    for fault in reasons::faults() {
        let data = &format!("{data} run");
        wrong.extend(differences(|lang| words::target_fault(lang, path, &fault), data));
    }
    for error in reasons::axes() {
        wrong.extend(differences(|lang| words::axis_error(lang, &error), data));
    }
    for error in reasons::prefill_errors() {
        wrong.extend(differences(|lang| words::prefill_error(lang, &error), data));
    }
    for note in reasons::prefill_notes() {
        wrong.extend(differences(|lang| words::prefill_note(lang, &note), data));
    }
    for place in reasons::places() {
        wrong.extend(differences(|lang| words::recorded_in(lang, &place), data));
    }
    for caveat in reasons::caveats() {
        wrong.extend(differences(|lang| words::quick_caveat(lang, &caveat), data));
    }
    for note in reasons::run_notes() {
        wrong.extend(differences(|lang| report::words::note::note(lang, &note), data));
    }
    for fault in reasons::output_faults() {
        let data = &format!("{data} terminal pipe socket sqlite swap text");
        wrong.extend(differences(|lang| report::words::run::output_fault(lang, &fault), data));
    }
    for error in reasons::job_errors() {
        let data = &format!(
            "{data} blkio weight proc sys fs aio max nr iodepth io uring kernel worker posixaio block splice engines version swap"
        );
        wrong.extend(differences(|lang| report::words::run::job_error(lang, &error), data));
    }
    for failure in claims::failures() {
        wrong.extend(differences(|lang| words::failure(lang, &failure), data));
    }
    agree(wrong);
}

/// The result of an older version has text where this one has a fact, and in JSON facts are words.
#[test]
fn failures_caveats_and_notes_are_words_in_json_and_read_back() {
    use stats::failure::Failure;
    use stats::study::Why;
    let study = study();
    let json: Study = serde_json::from_str(&report::study::json(&study)).unwrap();
    let text = |study: &Study| -> Vec<String> {
        let failed = study.unanswered.iter().filter_map(|one| match &one.why {
            Why::Failed { text: Failure::Text(text) } => Some(text.clone()),
            Why::Failed { text } => panic!("{text:?}"),
            _ => None,
        });
        failed.collect()
    };
    assert!(text(&json).contains(&"point 7 did not measure the device".to_owned()));
    // The store keeps the facts.
    let stored: Study = serde_json::from_str(&serde_json::to_string(&study).unwrap()).unwrap();
    assert!(stored == study);
    for (fact, words) in
        [("no_direct_io", "the file system refuses O_DIRECT"), ("interrupted", "ended early by a signal")]
    {
        let caveat: stats::QuickCaveat = serde_json::from_str(&format!("\"{fact}\"")).unwrap();
        let card = stats::QuickCard { caveats: vec![caveat], ..stats::QuickCard::default() };
        assert!(report::quick::json(&card).contains(words), "{fact}");
        let back: stats::QuickCard = serde_json::from_str(&report::quick::json(&card)).unwrap();
        assert!(matches!(&back.caveats[..], [stats::QuickCaveat::Text(text)] if text.starts_with(words)));
    }
    let prefill = stats::Prefill {
        notes: reasons::prefill_notes(),
        remembered_in: reasons::places().pop(),
        ..Default::default()
    };
    let back: stats::Prefill = serde_json::from_str(&report::prefill::json(&prefill)).unwrap();
    assert!(back.notes.iter().all(|note| matches!(note, stats::PrefillNote::Text(_))), "{:?}", back.notes);
    assert_eq!(back.remembered_in, prefill.remembered_in);
    let unanswered = stats::Note::new(NoteKind::Remark, "", NoteFact::Unanswered { ios: 3 });
    let run = stats::RunResult { notes: vec![unanswered.clone()], ..Default::default() };
    assert!(report::export::run_json(&run).contains("3 I/Os in flight never completed"));
    let study = Study { notes: vec![unanswered.fact], ..Study::default() };
    assert!(report::study::json(&study).contains("3 I/Os in flight never completed"));
    // A note of a run was a text under another key.
    let note: stats::Note = serde_json::from_str(r#"{"kind":"remark","job":"j","text":"E1"}"#).unwrap();
    assert_eq!(note.fact, NoteFact::Text("E1".into()));
    for fact in reasons::run_notes() {
        let stored = serde_json::to_string(&fact).unwrap();
        assert_eq!(serde_json::from_str::<NoteFact>(&stored).unwrap(), fact);
    }
}

#[test]
fn every_chart_and_what_stands_in_the_page_is_said_in_every_language() {
    use report::chart::{self, Chart, Form};
    let loads = [drawn::load("a", stats::Direction::Read, 1), drawn::load("b", stats::Direction::Write, 3)];
    let run = results::cases().into_iter().find(|(name, _)| *name == "normal").map(|(_, run)| run).unwrap();
    let charts = |lang| {
        let mut all = chart::study::charts(&drawn::study(), lang);
        all.extend(chart::load::charts(&loads, lang));
        all.extend(chart::load::layers(&run.layers, lang));
        all.extend(chart::ranges::charts(&drawn::ranking(), lang));
        all
    };
    let said = |c: &Chart| {
        let mut parts =
            vec![c.section.clone(), c.title.clone(), c.note.clone(), c.x.label.clone(), c.y.label.clone()];
        parts.extend(c.marks.iter().map(|m| m.label.clone()));
        parts.extend(c.spans.iter().map(|s| s.label.clone()));
        parts.extend(c.form.series().iter().map(|s| s.name.clone()));
        if let Form::Heat { value, .. } = &c.form {
            parts.push(value.label.clone());
        }
        if let Form::Ranges { sets } = &c.form {
            parts.extend(sets.iter().map(|set| set.name.clone()));
        }
        parts.join("; ")
    };
    let mut wrong = Vec::new();
    for at in 0..charts(Lang::En).len() {
        wrong.extend(differences(|lang| said(&charts(lang)[at]), "randread read write catalog"));
    }
    // What is read of the page: not its script, style and data.
    let hidden = Regex::new("(?s)<(script|style)[^>]*>.*?</(script|style)>|<[^>]*>").unwrap();
    let page = |page: report::page::Page, lang| {
        let text = page.render(lang).unwrap();
        hidden.replace_all(&text, " ").replace("&#x27;", "'").replace("&quot;", "\"").replace("&#x2f;", "/")
    };
    let study = drawn::study();
    wrong.extend(differences(
        |lang| page(report::page::Page::of_study("S7", &study, "2026-11-22 19:09".into(), lang), lang),
        "randread",
    ));
    wrong.extend(differences(
        |lang| page(report::page::Page::of_run("R7", &run, &loads, "2026-11-22 19:09".into(), lang), lang),
        // Names, the time as ctime words it, and a note from below.
        "read write mixed seqread plain loop ssd sat nov registered buffers could not used were memlock",
    ));
    agree(wrong);
}

/// Terms of the SNIA specification that every language keeps, and names of the sample's devices.
const PTS_TERMS: &str = "rnd seq art mrt toio oio pts sss lba wipc wdpc wsat hir xsr cbw dirth alpha beta nvme format sanitize lab \
    linux ioengine discard purge wcd wce minute burst bursts variation feature pts-e ssd |---| throughput latency hir max mid min pass test tests holm host kapazität queue-tiefe";

#[test]
fn report_of_pts_is_said_in_every_language() {
    use report::pts::{compare, header, tables};
    use stats::pts::{PtsDeviation, PtsTest, comparison};
    let mut study = pts_sample::study("Alpha", 1.0, pts_sample::asked(&PtsTest::ALL, 60));
    let faster = pts_sample::study("Beta", 1.3, pts_sample::asked(&PtsTest::ALL, 60));
    let compared = comparison::compare(("S1", &study), ("S2", &faster), false);
    study.runs[0].deviations = vec![
        PtsDeviation::Scaled { by: 60 },
        PtsDeviation::Simulated,
        PtsDeviation::Rotating,
        PtsDeviation::UnknownMedium,
        PtsDeviation::PageCache,
        PtsDeviation::NotPurged,
        PtsDeviation::DiscardOnly,
        PtsDeviation::WriteCacheUnknown,
        PtsDeviation::WriteCacheNotSet,
        PtsDeviation::ActiveRange { required: 75, used: 50 },
        PtsDeviation::BlocksLeftOut { sector: 4096 },
        PtsDeviation::FewerRounds { most: 7 },
        PtsDeviation::Resumed,
        PtsDeviation::FailedIos { errors: 3 },
    ];
    let mut wrong = Vec::new();
    let drawn: Vec<(Lang, Vec<report::chart::Chart>)> =
        Lang::ALL.iter().map(|lang| (*lang, report::chart::pts::charts(&study, *lang))).collect();
    for at in 0..drawn[0].1.len() {
        let say = |lang| {
            let chart = &drawn.iter().find(|(own, _)| *own == lang).unwrap().1[at];
            let lines: Vec<&str> = chart.form.series().iter().map(|line| line.name.as_str()).collect();
            let axes = format!("{}; {}", chart.x.label, chart.y.label);
            format!("{}: {}; {}; {axes}; {}", chart.section, chart.title, chart.note, lines.join("; "))
        };
        wrong.extend(differences(say, PTS_TERMS));
    }
    let stated = header::Stated { tested_by: "Lab".into(), ..header::Stated::default() };
    let facts = |lang| format!("{:?}", header::header(&study, &[&study.runs[0]], &stated, lang));
    wrong.extend(differences(facts, PTS_TERMS));
    let runs: Vec<&stats::pts::PtsTestRun> = study.runs.iter().collect();
    let facts = |lang| format!("{:?}", header::header(&study, &runs, &stated, lang));
    wrong.extend(differences(facts, PTS_TERMS));
    wrong.extend(differences(|lang| header::statement_of(&study, lang), PTS_TERMS));
    wrong.extend(differences(|lang| tables::text(&study, lang, WIDE), PTS_TERMS));
    wrong.extend(differences(|lang| compare::render(&compared, lang, WIDE), PTS_TERMS));
    wrong.extend(differences(|lang| compare::markdown(&compared, lang), PTS_TERMS));
    agree(wrong);
}

/// A card of `fathom files` with every row, each caveat and each end.
#[test]
fn the_card_of_files_is_said_in_every_language() {
    use stats::files::{Durability, FilesAsked, FilesCard, FilesCaveat, FilesEnd, FilesMount, FilesPhase};
    use stats::files::{FilesPhaseResult, FilesSample};
    let mut latency = stats::Latency::default();
    (1..=12_000).for_each(|n| {
        latency.moments.record(n * 100, 1);
        latency.histogram.record(n * 100, 1);
    });
    let sample = |seconds| FilesSample {
        operations: 12_000,
        entries: 24_000,
        bytes: 48_000_000,
        seconds,
        cut: true,
        latency: latency.clone(),
    };
    let phases: Vec<FilesPhaseResult> = FilesPhase::ALL
        .into_iter()
        .filter_map(|phase| FilesPhaseResult::of(phase, &[sample(1.0), sample(2.0)]))
        .collect();
    let durable =
        [Durability::Not, Durability::NamesNotSynced, Durability::DataNotSynced, Durability::ServerDecides];
    let mut caveats: Vec<FilesCaveat> =
        durable.into_iter().map(|durability| FilesCaveat::NotDurable { durability }).collect();
    for network in [false, true] {
        let phases = vec![FilesPhase::Stat, FilesPhase::Read];
        caveats.push(FilesCaveat::ClientCaches { phases, network, shifted: true });
    }
    caveats.push(FilesCaveat::Memory { file_system: "tmpfs".into() });
    caveats.push(FilesCaveat::OneIteration);
    caveats.push(FilesCaveat::WideInterval { phase: FilesPhase::List, half_percent: 34.0, iterations: 3 });
    let card = FilesCard {
        version: String::new(),
        target: "/srv/x".into(),
        mount: FilesMount {
            file_system: "nfs4".into(),
            source: "host:/x".into(),
            at: "/srv".into(),
            options: vec!["relatime".into(), "actimeo=3".into()],
        },
        stack: vec!["nfs4".into()],
        asked: FilesAsked {
            workers: 4,
            depth: 2,
            branching: 4,
            files: 50,
            leaves_only: false,
            bytes: 4096,
            shared: false,
            shift: 1,
            random: true,
            fsync: false,
            fsync_dir: false,
            write_on_create: false,
            drop_caches: false,
            phases: FilesPhase::ALL.to_vec(),
            iterations: None,
            seconds: Some(30.0),
            seed: 1,
        },
        directories: 21,
        files_per_worker: 1050,
        iterations: 2,
        seconds: 12.5,
        phases,
        durability: Durability::Synced,
        caveats,
        ended: None,
        kept: Some("/srv/x/kept-7".into()),
        foreign: vec!["i.0/w.1/x".into()],
        hosts: Vec::new(),
    };
    let failed = |errno| FilesEnd::Failed {
        phase: FilesPhase::Create,
        call: "openat".into(),
        name: "i.0/w.1/f.1.2".into(),
        errno,
    };
    let ends = [
        None,
        Some(FilesEnd::Interrupted),
        Some(failed(0)),
        Some(failed(1)),
        Some(FilesEnd::Stuck { phase: FilesPhase::Read, seconds: 30 }),
    ];
    let data = &format!(
        "relatime actimeo actime noac capabilities inodes inode openat export stddev async tmpfs files phase mount-option cephfs nfs client {KERNEL}"
    );
    let mut wrong = Vec::new();
    for ended in ends {
        let durability = if ended.is_some() { Durability::SyncMount } else { Durability::Synced };
        let card = FilesCard { ended, durability, ..card.clone() };
        wrong.extend(differences(|lang| report::files::render(lang, &card, WIDE), data));
        for lang in Lang::ALL {
            let text = report::files::render(lang, &card, 100);
            assert!(text.lines().all(|line| report::columns(line) <= 100), "{text}");
            assert!(!text.contains("files-"), "{text}");
        }
    }
    let outcome = |name: &str, lost| stats::hosts::HostOutcome {
        name: name.into(),
        machine: String::new(),
        clock: Some(stats::hosts::ClockOffset { offset_ns: 5, uncertainty_ns: 7000 }),
        began_ns: vec![(20_000, 30_000)],
        lost,
        lost_at_s: None,
        status: 0,
        result: Some(FilesCard { ended: Some(failed(1)), ..card.clone() }),
    };
    let lost = stats::hosts::HostLoss::Silent { seconds: 8 };
    let hosts = vec![outcome("alpha", None), outcome("beta", None), outcome("gamma", Some(lost))];
    let several = FilesCard { hosts, ended: Some(failed(1)), ..card.clone() };
    let of_hosts = &format!("{data} alpha beta gamma jain fairness worker workers host hosts start");
    wrong.extend(differences(|lang| report::files::render(lang, &several, WIDE), of_hosts));
    for lang in Lang::ALL {
        let text = report::files::render(lang, &several, 100);
        assert!(!text.contains("hosts-") && text.contains("gamma"), "{text}");
    }
    for phase in FilesPhase::ALL {
        wrong.extend(differences(|lang| report::files::measuring(lang, phase, 1, 50), data));
    }
    agree(wrong);
}

/// A card of `fathom ceph` with each advice, and its errors.
#[test]
fn the_card_of_ceph_is_said_in_every_language() {
    use lab::ceph::CephError;
    use stats::ceph::{
        CephAdvice, CephCard, CephClient, CephMeasurement, CephOsd, CephPattern, CephPoolFacts, CephRow,
        DiskFigure, FigureSource, OsdCounters, OsdLoad, OsdWork, expected,
    };
    let pattern = CephPattern::RandomWrite;
    let figure = |source| Some(DiskFigure { rate: 400.0, source });
    let sources = [FigureSource::Measured, FigureSource::Limit, FigureSource::Given].map(figure);
    let loads = vec![OsdLoad { id: 0, operations: 3.0, device_factor: Some(1.5), disk: Some(400.0) }];
    let counters = OsdCounters {
        client_bytes: [4_096_000, 4_096_000],
        wal_bytes: 2_000_000,
        deferred_ops: 500,
        ..OsdCounters::default()
    };
    let measured = |client| CephMeasurement {
        client,
        depth: 64,
        rate: 88.0,
        mean_ns: 1e6,
        p99_ns: Some(5_000_000),
        loads: loads.clone(),
        expected: expected(&loads),
        work: vec![OsdWork {
            id: 0,
            counters: Some(counters),
            device_ios: Some([1500, 1500]),
            device_merges: Some([0, 0]),
            device_bytes: Some([6_000_000, 6_000_000]),
            cpu_s: Some(0.5),
        }],
        cpu_busy: Some(0.5),
        link_rate: None,
    };
    let clients = [CephClient::Rados, CephClient::Rbd, CephClient::CephFs].map(measured).to_vec();
    let advice = vec![
        CephAdvice::Recovery { states: vec!["x".into()] },
        CephAdvice::DiskUnknown { pattern, osds: vec![1, 2] },
        CephAdvice::ReadsFromCache { pattern, device_reads: 0.4 },
        CephAdvice::Copies { pattern, copies: 3.0 },
        CephAdvice::Journal { pattern, factor: 2.5, deferred: 0.9 },
        CephAdvice::Placement { pattern, factor: 1.5, osd: 0, pgs: 32 },
        CephAdvice::SlowDisk { pattern, osd: 1, share: 0.3 },
        CephAdvice::Cpu { pattern, busy: 0.97 },
        CephAdvice::Link { pattern },
        CephAdvice::Latency { pattern, reached: 0.5, depth: 64, pgs: 8, mean_ns: 2e6 },
        CephAdvice::Client { pattern, client: CephClient::Rbd, share: 0.7 },
        CephAdvice::AboveExpected { pattern, reached: 1.3 },
    ];
    let pool = CephPoolFacts {
        name: "p".into(),
        size: 3,
        min_size: 2,
        pgs: 32,
        health: "HEALTH_OK".into(),
        checks: vec!["x".into()],
        ..CephPoolFacts::default()
    };
    let osd = CephOsd {
        device: "/dev/sda".into(),
        disk: [sources[0], sources[1], sources[2], None],
        ..CephOsd::default()
    };
    let rows = CephPattern::ALL.map(|pattern| CephRow { pattern, disks: None, clients: clients.clone() });
    let card = CephCard {
        pool,
        osds: vec![osd],
        scratch_bytes: 1 << 28,
        scratch: vec!["rados:p/fathom/x".into()],
        rows: rows.to_vec(),
        advice,
        interrupted: true,
        ..CephCard::default()
    };
    let data = &format!(
        "osd osds pool ceph rados rbd cephfs pg pgs pg_num min_size size health_ok wal op ops randread randwrite \
         bluestore_prefer_deferred_size_ssd block.db block.wal host hosts log client clients balancer cluster p99 x scrub latency {KERNEL}"
    );
    let erasure = CephCard {
        pool: CephPoolFacts { erasure: Some((4, 2)), ..card.pool.clone() },
        advice: Vec::new(),
        interrupted: false,
        ..card.clone()
    };
    let mut wrong = Vec::new();
    for card in [card, erasure] {
        wrong.extend(differences(|lang| report::ceph::render(lang, &card, WIDE), data));
        for lang in Lang::ALL {
            let text = report::ceph::render(lang, &card, 100);
            assert!(text.lines().all(|line| report::columns(line) <= 100), "{text}");
            assert!(!text.contains("ceph-"), "{text}");
        }
    }
    let errors = [
        CephError::NoPool { pool: "x".into(), pools: vec!["y".into()] },
        CephError::Answer { command: "osd dump".into() },
        CephError::TooManyRuns,
        CephError::NoOsd { osd: 3 },
    ];
    for error in errors {
        wrong.extend(differences(|lang| report::ceph::error(lang, &error), &format!("{data} dump y")));
    }
    agree(wrong);
}
