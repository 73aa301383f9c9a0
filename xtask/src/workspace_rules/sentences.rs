//! Test that crates below `report` return facts, and that sentences are written in catalogs.
use super::source::{Source, is_test_only, shipped};
use syn::visit::{self, Visit};

/// Crates that return facts rather than sentences.
const CRATES: [&str; 13] = [
    "engine", "facts", "hosts", "import", "job", "lab", "mpi", "objects", "run", "stats", "store", "sys",
    "tools",
];

/// Files of fio's tables: help of the options, and the text of the manual.
const TABLES: [&str; 3] = ["crates/job/src/table/", "crates/job/src/doc.rs", "crates/job/src/exit_status.rs"];

/// Literals that are no sentences for a user: file, and beginning of the literal.
const REVIEWED: [(&str, &str); 11] = [
    // The comment at the head of a generated job file, which is stored and reads the same in every language.
    ("crates/lab/src/explore/recommended.rs", "; Recommended by fathom"),
    ("crates/lab/src/explore/recommended.rs", "{HEAD} {}: each pattern"),
    // Operations as fio names them in `func=`, which scripts look for.
    ("crates/engine/src/memory.rs", "open mmap file"),
    ("crates/engine/src/memory.rs", "truncate mmap file"),
    ("crates/run/src/fault.rs", "max latency exceeded"),
    ("crates/run/src/host.rs", "cgroup open "),
    ("crates/run/src/prepare.rs", "fcntl write hint"),
    // The record of a kernel setting, which `kernel_settings.rs` itself reads.
    ("crates/run/src/kernel_settings.rs", "value {value}"),
    // Types of reservations, as the standard and sg_persist name them.
    ("crates/engine/src/reservation.rs", "Write Exclusive, "),
    ("crates/engine/src/reservation.rs", "Exclusive Access, "),
    // What mpirun prints, and is looked for in its output.
    ("crates/hosts/src/complaint.rs", "ORTE was unable"),
];

/// Files whose strings of several words are names: those of cloud providers' disks, as the disks report them, and texts
/// of other programs, which the readers of their output and files look for.
const NAMES: [&str; 3] =
    ["crates/facts/src/cloud.rs", "crates/import/src/tools/", "crates/import/src/iometer/"];

/// Number of words from which a string counts as a sentence.
const WORDS: usize = 3;

fn is_sql(text: &str) -> bool {
    ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "CREATE "]
        .iter()
        .any(|verb| text.starts_with(verb))
}

struct Sentences(Vec<String>);

impl Sentences {
    fn literal(&mut self, text: &str) {
        let words = text
            .split_whitespace()
            .filter(|word| word.chars().filter(|c| c.is_ascii_alphabetic()).count() >= 2)
            .filter(|word| !word.contains(['{', '=', '/', '<', '_']))
            .count();
        if words >= WORDS && !is_sql(text) {
            self.0.push(text.to_owned());
        }
    }

    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut attribute = false;
        for token in tokens {
            // A doc comment inside a macro arrives as an attribute as well.
            let of_attribute = std::mem::replace(
                &mut attribute,
                matches!(&token, proc_macro2::TokenTree::Punct(sign) if sign.as_char() == '#'),
            );
            match token {
                proc_macro2::TokenTree::Group(_) if of_attribute => {}
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                proc_macro2::TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.literal(&text.value());
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Sentences {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(i) => &i.attrs,
            syn::Item::Fn(i) => &i.attrs,
            _ => &[],
        };
        if !is_test_only(attributes) {
            visit::visit_item(self, item);
        }
    }

    // Attributes hold documentation and the texts of `#[error]`, which are not checked.
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}

    fn visit_lit_str(&mut self, text: &'a syn::LitStr) {
        self.literal(&text.value());
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        // Assembly instructions, and messages about broken invariants, which are for programmers.
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if ![
            "asm",
            "global_asm",
            "naked_asm",
            "assert",
            "assert_eq",
            "debug_assert",
            "debug_assert_eq",
            "unreachable",
            "panic",
        ]
        .contains(&name.as_str())
        {
            self.tokens(mac.tokens.clone());
        }
    }
}

fn sentences(source: &Source) -> Vec<String> {
    let mut found = Sentences(Vec::new());
    found.visit_file(&source.file);
    found.0
}

#[test]
fn crates_below_report_hold_no_sentences() {
    let mut wrong = Vec::new();
    for krate in CRATES {
        let found = shipped(krate)
            .into_iter()
            .filter(|source| !TABLES.iter().chain(&NAMES).any(|path| source.path.starts_with(path)))
            .flat_map(|source| {
                let path = source.path.display().to_string();
                sentences(&source).into_iter().map(move |text| (path.clone(), text))
            })
            .filter(|(path, text)| !REVIEWED.iter().any(|(of, begin)| path == of && text.starts_with(begin)));
        wrong.extend(found.map(|(path, text)| format!("  {path}: {text:?}")));
    }
    assert!(wrong.is_empty(), "sentences below `report`:\n{}", wrong.join("\n"));
}
