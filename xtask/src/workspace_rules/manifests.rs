//! Rules about manifests, first lines of files, and the README.
use crate::tool::workspace;
use std::collections::BTreeMap;
use std::path::Path;

/// Ranks of the crates: a crate may use only crates of lower rank.
const RANKS: [(&str, u32); 15] = [
    ("stats", 0),
    ("sys", 0),
    ("objects", 1),
    ("facts", 1),
    ("job", 1),
    ("engine", 2),
    ("store", 1),
    ("import", 2),
    ("run", 3),
    ("lab", 4),
    ("hosts", 4),
    ("tools", 4),
    ("mpi", 5),
    ("report", 5),
    ("cli", 6),
];

/// Crates with unsafe code.
const UNSAFE: [&str; 4] = ["sys", "engine", "testbed", "mpi"];

/// External crates that the crates below `run` may use.
const LOW: [&str; 5] = ["libc", "rustix", "thiserror", "serde", "rand_xoshiro"];

/// External crates that are the subject of a crate of low rank: SQLite and JSON, answers of Ceph in JSON, HTTP with TLS and
/// signatures, C libraries.
const SUBJECTS: [(&str, &[&str]); 4] = [
    ("store", &["rusqlite", "serde_json"]),
    ("engine", &["serde_json"]),
    ("sys", &["libloading"]),
    ("objects", &["base64", "hmac", "httparse", "md-5", "rustls", "rustls-native-certs", "sha2"]),
];

/// Returns the names of the keys of each `[section]`.
fn sections(manifest: &Path) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(manifest).unwrap_or_else(|e| panic!("{}: {e}", manifest.display()));
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = name.to_string();
        } else if let Some(key) =
            line.split(['=', '.', ' ']).next().filter(|k| !k.is_empty() && !k.starts_with('#'))
        {
            out.entry(section.clone()).or_default().push(key.to_string());
        }
    }
    out
}

fn crates() -> Vec<(String, BTreeMap<String, Vec<String>>)> {
    let mut out: Vec<_> = std::fs::read_dir(workspace().join("crates"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), sections(&p.join("Cargo.toml"))))
        .collect();
    out.sort();
    out
}

fn rank(name: &str) -> Option<u32> {
    RANKS.iter().find(|(n, _)| *n == name).map(|(_, r)| *r)
}

#[test]
fn crates_depend_downward_only() {
    let all = crates();
    assert!(all.len() >= 10);
    for (name, sections) in all.iter().filter(|(n, _)| n != "testbed") {
        let own = rank(name)
            .unwrap_or_else(|| panic!("crates/{name} has no rank in xtask/src/workspace_rules/manifests.rs"));
        for dependency in sections.get("dependencies").into_iter().flatten() {
            assert_ne!(
                dependency, "testbed",
                "crates/{name} ships the testbed; it is for [dev-dependencies]"
            );
            match rank(dependency) {
                Some(other) => assert!(other < own, "crates/{name} uses {dependency}, which is not below it"),
                None if own < 2 => {
                    let subject =
                        SUBJECTS.iter().any(|(of, names)| of == name && names.contains(&dependency.as_str()));
                    assert!(
                        LOW.contains(&dependency.as_str()) || subject,
                        "crates/{name} may not use {dependency}"
                    );
                }
                None => {}
            }
        }
    }
}

#[test]
fn unsafe_code_is_forbidden_outside_its_islands() {
    for (name, _) in crates() {
        if UNSAFE.contains(&name.as_str()) {
            continue;
        }
        let src = workspace().join("crates").join(&name).join("src");
        let root = ["lib.rs", "main.rs"].map(|f| src.join(f)).into_iter().find(|p| p.exists()).unwrap();
        let text = std::fs::read_to_string(&root).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "{} does not forbid unsafe code", root.display());
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = std::fs::read_to_string(workspace().join("deny.toml")).unwrap();
    let ours: Vec<&str> = RANKS.iter().map(|(n, _)| *n).chain(["testbed"]).collect();
    for dependency in &sections(&workspace().join("Cargo.toml"))["workspace.dependencies"] {
        let reason = format!("\n# {dependency}: ");
        assert!(
            ours.contains(&dependency.as_str()) || reasons.contains(&reason),
            "deny.toml has no reason for {dependency}"
        );
    }
}

#[test]
fn the_readme_names_the_two_commands_and_files_that_exist() {
    let text = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    assert!(text.contains("cargo run --release") && text.contains("./scripts/test"));
    for link in text.split("](").skip(1).filter_map(|l| l.split(')').next()) {
        assert!(workspace().join(link).exists(), "README.md links to {link}, which does not exist");
    }
}
