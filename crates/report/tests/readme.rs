//! The card in README.md is what the renderer makes of a stored result (samples/readme.json, a run of `fathom run`).
#![allow(clippy::unwrap_used)]

use report::Lang;
use stats::RunResult;
use std::path::Path;

/// Lines before and after the card.
const FENCES: (&str, &str) = ("```text\n", "```\n");

#[test]
fn readme_card_is_as_rendered() {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sample = std::fs::read_to_string(crate_root.join("tests/samples/readme.json")).unwrap();
    let result: RunResult = serde_json::from_str(&sample).unwrap();
    let card = report::card::render(Lang::En, &result, 100);
    let path = crate_root.join("../../README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let start = readme.find(FENCES.0).expect("README.md has a text block") + FENCES.0.len();
    let end = start + readme[start..].find(FENCES.1).expect("the text block ends");
    if std::env::var_os("FATHOM_BLESS").is_some() {
        std::fs::write(&path, format!("{}{card}{}", &readme[..start], &readme[end..])).unwrap();
    } else {
        assert!(
            readme[start..end] == card,
            "the card in README.md is stale; FATHOM_BLESS=1 cargo test -p fathom-report --test readme writes it:\n{card}"
        );
    }
}
