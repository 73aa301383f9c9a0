//! Differential tests against fio 3.33: exit status and stream of everything that parsing decides; text where
//! scripts read it. Without fio they say so and stop.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on should stop")]

mod common;
#[path = "common/ours.rs"]
mod ours;

use common::{Disk, Place, Seen, fio, fio_is_here};
use job::option::{Compat, Kind, Section};
use job::table;
use ours::ours;
use std::ffi::OsString;

/// Both on the same words in the same directory.
fn both(words: &[OsString], place: &Place) -> (Seen, Seen) {
    (fio(words, &place.0), ours(words, &mut Disk { cwd: place.0.clone() }, &place.0))
}

fn words(line: &str) -> Vec<OsString> {
    // `\_` is a blank inside a word.
    line.split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| OsString::from(word.replace("\\_", " ")))
        .collect()
}

/// Exit status equal; if it is an error ours says why on stderr, and every line that fio says there is there, unless
/// it is one of those that name fio's own source or a guess.
fn compare(line: &str, place: &Place, wrong: &mut Vec<String>) {
    let (theirs, ours) = both(&words(line), place);
    if theirs.code != ours.code {
        wrong.push(format!("{line}\n  fio: {theirs:?}\n  ours: {ours:?}"));
        return;
    }
    let own_words = |l: &&str| {
        !(l.starts_with("Did you mean")
            || l.contains("is ambiguous")
            || l.starts_with("Correct format")
            || l.starts_with(' ')
            || l.contains("err="))
    };
    let missing: Vec<&str> = theirs
        .stderr
        .lines()
        .filter(own_words)
        .filter(|l| !l.is_empty() && !ours.stderr.contains(l))
        .collect();
    if !missing.is_empty() || (ours.code != 0 && ours.stderr.trim().is_empty() && !theirs.stderr.is_empty()) {
        wrong.push(format!("{line}\n  fio says on stderr: {missing:?}\n  ours: {ours:?}"));
    }
    if theirs.stdout.contains("valid values:") != ours.stdout.contains("valid values:")
        && theirs.code != 0
        && !line.contains("readonly")
    {
        wrong.push(format!("{line}\n  valid values on stdout: {theirs:?}\n  ours: {ours:?}"));
    }
}

const A: &str = "--name=a --ioengine=null --size=16k";

#[test]
fn errors_on_the_command_line() {
    if !fio_is_here() {
        return;
    }
    let place = Place::new("argv");
    let lines = [
        // Sections 2.3 and 2.5 of the specification, and what is beside them.
        "A --rw=foo",
        "A --rw=",
        "A --rw",
        "A --rw=READ",
        "A --rw=read:foo",
        "A --rw=read:",
        "A --rw=randread:foo",
        "A --rw=readx",
        "A --iodepth=0",
        "A --iodepth=abc",
        "A --iodepth=",
        "A --iodepth=2147483648",
        "A --iodepth=1x",
        "A --iodepth=1.5",
        "A --bs=0",
        "A --bs=foo",
        "A --bs=",
        "A --bs=,8k",
        "A --bs=8k,",
        "A --bs=4k,8k,16k,32k",
        "A --bs=32k",
        "A --bsrange=4k",
        "A --bsrange=foo",
        "A --bsrange=0-4k",
        "A --bsrange=8k-4k",
        "A --direct=2",
        "A --direct=",
        "A --direct=abc",
        "A --thread=2",
        "A --thread=",
        "A --thread=x",
        "A --thread 1",
        "A --nosuch=1",
        "A --nosuch",
        "A -nosuch=1",
        "A --iodept=1",
        "A --iodep",
        "A --i=3",
        "A --runtim=2 --parse-only",
        "A --write_bw_log",
        "A --size=abc",
        "A --io_size=9223372036854775808",
        "A --io_size=18446744073709551616",
        "A --io_size=.",
        "A --runtime=abc",
        "A --runtime=",
        "A --sync=bla",
        "A --percentile_list=101",
        "A --percentile_list=a",
        "A --rwmixread=101",
        "A --nice=30 --parse-only",
        "A --cpus_allowed=99",
        "A --directory=/nonexistent",
        "A --significant_figures=0",
        "A --significant_figures=11",
        "A --kb_base=1001",
        "A --unit_base=3",
        "A --clocksource=foo",
        "A --continue_on_error=foo",
        "A --ignore_error=EIO:28,5x,-5",
        "A --ignore_error=foo",
        "A --ignore_error=eio",
        "A --ignore_error=0",
        "A --ignore_error=EIO,ENOSPC:EILSEQ",
        "A --ignore_error=EIO:,:foo,",
        "A --ignore_error=1,2,3,4",
        "A --ignore_error=,,",
        "A --ignore_error=EIO::foo",
        "A --ignore_error=x5",
        "A --buffer_pattern=0x",
        "A --buffer_pattern=abc",
        "A --buffer_pattern=%o",
        "A --buffer_pattern=%o%o",
        "A --buffer_pattern=\"ab",
        "A --buffer_pattern='nosuch'",
        "A --buffer_pattern=''",
        "A --buffer_pattern=2147483648",
        "A --buffer_pattern=12,13",
        "A --buffer_pattern=12\\_13",
        "A --buffer_pattern=12\\_",
        "A --buffer_pattern=\\_\"a\"",
        "A --buffer_pattern=-0x12",
        "A --buffer_pattern=--5",
        "A --buffer_pattern=1.5",
        "A --buffer_pattern=\"abcd\"xyz",
        "A --dedupe_mode=foo",
        "A --rw=write --dedupe_percentage=50 --dedupe_mode=working_set --dedupe_working_set_percentage=60",
        "--name=a --ioengine=null --rw=write --filesize=1m --dedupe_percentage=50 --dedupe_mode=working_set",
        "A --rw=write --dedupe_percentage=50 --dedupe_mode=working_set --nrfiles=2",
        "A --rw=read --dedupe_percentage=50 --dedupe_mode=working_set --dedupe_working_set_percentage=60",
        "A --random_distribution=normal:100",
        "A --random_distribution=normal:-1",
        "A --random_distribution=normal:abc",
        "A --random_distribution=normal:20:2",
        "A --random_distribution=normal:20:x",
        "A --random_distribution=normal:",
        "A --random_distribution=zipf:",
        "A --random_distribution=zipf::0.5",
        "A --random_distribution=zipf:1.2:",
        "A --random_distribution=zipf:1.2:0.5:3",
        "A --file_service_type=normal:20:",
        "A --file_service_type=foo",
        "A --file_service_type=random:x",
        "A --file_service_type=zipf:1",
        "A --file_service_type=zipf:x",
        "A --file_service_type=zipf:",
        "A --file_service_type=pareto:1",
        "A --file_service_type=gauss:100",
        "A --file_service_type=normal:5:7",
        "A --file_service_type=normal:5:0.5",
        "A --fadvise_hint=foo",
        "A --fallocate=foo",
        "A --randseed=abc",
        "A --offset=abc",
        "A --startdelay=abc",
        "A --filesize=abc",
        "A --filename=",
        "A --buffer_compress_percentage=101",
        "A --invalidate=2",
        "A --ioengine=foo",
        "--name=a --ioengine=foo --parse-only",
        "A --ioengine=",
        "--name=a --ioengine=null",
        "A --size=50%",
        "A --loops=0",
        "A --nrfiles=0",
        "A --openfiles=0",
        "A --fixedbufs=1",
        "--fixedbufs=1 A",
        "--name=a --fixedbufs=1 --ioengine=io_uring",
        "--name=a --ioengine=io_uring --fixedbufs=1 --parse-only",
        "nofile.fio",
        "A x=y",
        "-- A",
        "--section=foo A",
        "--section=global A",
        "--section=globalx A",
        "--parse-only",
        "",
        "--output-format=foo A",
        "--output-format A",
        "--status-interval=0 A",
        "--terse-version=9 A",
        "--eta-newline=abc A",
        "--eta-interval=100ms A",
        "--eta=foo A",
        "--readonly A --rw=write",
        "--readonly A --rw=randrw",
        "--readonly A",
        "--readonly A --rw=write --parse-only",
        "A --time_based",
        "--warnings-fatal A --time_based",
        "A --time_based --runtime=0.3s",
        "A --time_based --parse-only",
        "-name a -ioengine null -size 4k",
        "-name=a -ioengine=null -size=4k -thread",
        "--nam=a --ioengine=null --size=4k",
        "--ioengine=null --size=4k --iodepth=0 --name=a",
        "--name=a --ioengine=null --size=4k --name=b --ioengine=null --size=0",
        "--max-jobs=5 A",
        "--version",
        "-v",
        "-h",
        "--help",
        "-direct= 1 -iodepth= 128 -rw= randwrite -ioengine= libaio -bs= 4k -size= 10G -numjobs= 1 -runtime= 600 -group_reporting -filename= /opt/fiotest/fiotest.txt -name= Rand_Write_IOPS_Test",
        "-direct=1 -iodepth= 1 -rw= randread -ioengine =libaio -name=x",
        "-direct=1 -iodepth=1 -rw=randread -ioengine =libaio -name=x --size=4k",
        "--enghelp=nope",
        "--enghelp=psync",
        "--enghelp=io_uring,nope",
        "--cmdhelp=iodepth",
        "--cmdhelp=nosuchthing",
        "--cmdhelp=iodepht",
        "--cmdhelp=all",
        "--enghelp",
        "--cmdhelp",
        "--showcmd A",
        "A --rw=read --rw=randread",
        "A --description=a\\_b",
        // Implicit changes of section 2.6 that show as success.
        "A --iodepth=8 --iodepth_batch=0",
        "A --iodepth=8 --iodepth_batch=9",
        "A --iodepth_low=9",
        "A --iodepth=8 --iodepth_batch_complete_max=2 --iodepth_batch_complete_min=4",
        "A --gtod_reduce=1",
        "A --buffer_compress_percentage=100 --rw=write",
        "A --rwmixread=70 --rwmixwrite=70 --rw=rw",
    ];
    let mut wrong = Vec::new();
    for line in lines {
        compare(&line.replace('A', A).replace(&format!("{A}TE_I"), "ATE_I"), &place, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn errors_in_job_files() {
    if !fio_is_here() {
        return;
    }
    let place = Place::new("files");
    std::fs::write(place.0.join("good.inc"), "iodepth=3\nbs=8k\n").unwrap();
    const J: &str = "ioengine=null|size=4k|";
    let files = [
        "[a]|Jiodepth=0",
        "[a]|Jiodepht=1",
        "[a]|Jfoo",
        "[a]|Jfoobarbazqux=1",
        "foo=1|[a]|J",
        "[a|J",
        "[]|J",
        "[a]b|J",
        "J",
        "",
        "[global]|J",
        "[globalfoo]|iodepth=7|[a]|J",
        "[a]|Jrw= read",
        "[a]|Jrw =read",
        "[a]|Jrw=read ",
        "[a]|Jiodepth= 4",
        "[a]|Jiodepth",
        "[a]|Jiodepth=",
        "[a]|Jthread=1",
        "[a]|Jthread|time_based=0|direct=1|iodepth=0x10|description=foo bar",
        "[global]|bs=2k|[a]|J[b]|stonewall|J",
        "[a]|Jsize=${NOSUCHVARIABLE}4k",
        "[a]|Jiodepth=$ncpus",
        "[a]|Jiodepth=$ncpus*2+1",
        "[a]|Jbs=$pagesize",
        "include nofile",
        "[a]|Jrw=foo",
        "[a]|Jioengine=foo",
        "[a]|Jname=z",
        "[a]|Jdirect",
        "[a]|Jrw",
        "[a]|Jbs=4k # comment|;x|#y",
        "[a]|Jexitall=0",
        "[a]|J[a]|J",
        "[a]|Jdirectory=/nonexistent",
        "[a]|Jiodepth=0|[b]|Jbs=0",
        "[a]|Jiodepth=0|bs=0",
        "[global]|iodepth=0|[b]|J",
        "[a]|Jfixedbufs=1",
        "[a]|fixedbufs=1|size=4k|ioengine=io_uring",
        "[a]|filename=x|fixedbufs=1|size=4k|ioengine=io_uring|bs=8k",
        "[global]|fixedbufs=1|ioengine=io_uring|[a]|J",
        "[global]|fixedbufs=1|[a]|ioengine=io_uring",
        "[a]|Jbs=4k=8k",
        "[a]|Jinclude good.inc",
        "[a]|[b]|J",
        "[a]|J[global]|size=8k|[b]",
        "[ b ]|J",
        "[a]|Jnew_group|[b]|Jnew_group",
        "[a]|Jfoo=1|bar=2",
        "[a]|bs=4k|unlink=1|filename=x|ioengine=null|size=4k|name=q|kb_base=1000|unit_base=8|fallocate=none|filename_format=z|nrfiles=1",
        "\t[a]|\tJ",
        "[a]|Jthread=|",
        "[a]|Jbs=4k;;8k",
    ];
    let mut wrong = Vec::new();
    for file in files {
        let text = file.replace('J', J).replace('|', "\n");
        std::fs::write(place.0.join("j.fio"), format!("{text}\n")).unwrap();
        for line in ["--showcmd j.fio", "j.fio"] {
            let (theirs, ours) = both(&words(line), &place);
            if theirs.code != ours.code {
                wrong.push(format!("{line} of {file:?}\n  fio: {theirs:?}\n  ours: {ours:?}"));
            }
            let needed: Vec<&str> = theirs
                .stderr
                .lines()
                .filter(|l| {
                    !l.starts_with("Did you")
                        && !l.is_empty()
                        && !l.contains("err=")
                        && !ours.stderr.contains(l)
                })
                .collect();
            if theirs.code != 0 && !needed.is_empty() {
                wrong.push(format!("{line} of {file:?}\n  fio says {needed:?}\n  ours: {ours:?}"));
            }
            if line.starts_with("--showcmd") && theirs.code == 0 && theirs.stdout != ours.stdout {
                wrong.push(format!(
                    "{line} of {file:?}\n  fio:  {:?}\n  ours: {:?}",
                    theirs.stdout, ours.stdout
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each option below, above, of the wrong kind, empty, and twice: a third of the cases, drawn anew each time.
#[test]
fn bad_values_made_from_the_table() {
    let part = std::process::id() % 3;
    println!("part {part} of 3");
    bad_values(&|case| case % 3 == part);
}

#[test]
#[ignore = "a minute of starting fio"]
fn all_bad_values_made_from_the_table() {
    bad_values(&|_| true);
}

fn bad_values(wanted: &dyn Fn(u32) -> bool) {
    if !fio_is_here() {
        return;
    }
    // Two of these may run side by side.
    let place = Place::new(if wanted(0) && wanted(1) { "table" } else { "table-part" });
    let mut wrong = Vec::new();
    let mut cases = 0u32;
    let theirs = |compat| !matches!(compat, Compat::Ours | Compat::Newer);
    for row in table::rows().filter(|row| row.compat.works() && theirs(row.compat) && row.name != "name") {
        let mut values = vec!["zzz".to_owned(), String::new()];
        match row.kind {
            Kind::Int { min, max } | Kind::Ints { min, max } => {
                // Below zero fio wraps: docs/compat.md. Our own bounds stand above fio's, which are those of 32 bits.
                values.extend(min.checked_sub(1).filter(|n| *n >= 0 || *n < -2).map(|n| n.to_string()));
                values.extend(
                    max.checked_add(1).filter(|n| *n <= 1 << 31 && row.name != "bs").map(|n| n.to_string()),
                );
            }
            Kind::Bool => values.push("2".into()),
            Kind::Floats { max, .. } => values.push((max + 1.0).to_string()),
            _ => {}
        }
        let engine = if row.engines.contains(&"io_uring") { "io_uring" } else { "null" };
        let base = format!("--parse-only --name=a --ioengine={engine} --size=4k");
        let mut lines: Vec<String> =
            values.iter().map(|value| format!("{base} --{}={value}", row.name)).collect();
        lines.push(format!("{base} --{0}={1} --{0}={1}", row.name, row.example.replace(' ', "\\_")));
        for line in lines {
            cases += 1;
            if !wanted(cases) {
                continue;
            }
            let (theirs, ours) = both(&words(&line), &place);
            // Text that is no number, which fio takes for 0; a profile beside jobs, and its options without it, to which
            // fio is deaf: docs/compat.md.
            let stated = matches!(
                row.name,
                "cpus_allowed" | "verify_async_cpus" | "log_compression_cpus" | "startdelay" | "profile"
            ) || row.section == Section::Profile;
            if theirs.code != ours.code && !stated {
                wrong.push(format!("{line}\n  fio: {theirs:?}\n  ours: {ours:?}"));
            }
            assert!(ours.code == 0 || !ours.stderr.trim().is_empty(), "{line}: {ours:?}");
        }
    }
    assert!(wrong.is_empty(), "{} of {cases} differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{cases} cases");
}

/// Every option that is not built, or that belongs to engines which need something that fathom does not use, is refused
/// with one line that says so and where, and nothing is silently ignored.
#[test]
fn what_is_not_built_is_refused() {
    for row in table::rows() {
        let why = match row.compat {
            Compat::NotYet => "not built yet".to_owned(),
            Compat::Refused(what) => format!("needs {what}, which fathom does not use"),
            _ => continue,
        };
        let text = format!("[a]\nsize=4k\n{}=1\n", row.name);
        let seen = ours(&["j.fio".into()], &mut common::Memory::with("j.fio", &text), "/".as_ref());
        let line = format!("j.fio:3: {}=1: {why}\n", row.name);
        assert!(
            seen.code == 1 && seen.stderr.starts_with(&line) && seen.stderr.lines().count() <= 2,
            "{}: {seen:?}",
            row.name
        );
        let argv = [OsString::from("--name=a"), OsString::from(format!("--{}=1", row.name))];
        let seen = ours(&argv, &mut common::Memory::default(), "/".as_ref());
        // `--cont` of an engine that was not chosen is the beginning of another option, for fio too.
        let beginning = table::rows().any(|other| {
            other.engines.is_empty() && other.name.starts_with(row.name) && other.name != row.name
        });
        assert!(seen.code == 1 && seen.stderr.contains(&why) || beginning, "{}: {seen:?}", row.name);
    }
}

/// An engine that needs something that fathom does not use is refused with that reason, as is an engine from a file.
#[test]
fn an_engine_that_fathom_does_not_use_is_refused_by_reason() {
    for (engine, what) in [
        ("rdma", "librdmacm (RDMA)"),
        ("windowsaio", "Windows"),
        ("external:/x.o", "struct ioengine_ops (fio)"),
    ] {
        let text = format!("[a]\nsize=4k\nioengine={engine}\n");
        let seen = ours(&["j.fio".into()], &mut common::Memory::with("j.fio", &text), "/".as_ref());
        let line = format!(
            "j.fio:3: ioengine={engine}: needs {what}, which fathom does not use; must be one of sync, "
        );
        assert!(seen.code == 1 && seen.stderr.starts_with(&line), "{engine}: {seen:?}");
    }
}
