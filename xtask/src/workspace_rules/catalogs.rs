//! Tests of the message catalogs: each is complete in every language, and every message is used.
use super::source::files;
use crate::tool::workspace;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use regex_lite::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const LANGUAGES: [&str; 4] = ["en", "zh", "ru", "de"];

/// Messages by key, each with the names of its variables.
type Messages = BTreeMap<String, BTreeSet<String>>;

fn inline(expression: &InlineExpression<String>, out: &mut BTreeSet<String>) {
    match expression {
        InlineExpression::VariableReference { id } => {
            out.insert(id.name.clone());
        }
        InlineExpression::Placeable { expression } => placeable(expression, out),
        _ => {}
    }
}

fn placeable(expression: &Expression<String>, out: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(one) => inline(one, out),
        Expression::Select { selector, variants } => {
            inline(selector, out);
            variants.iter().for_each(|variant| variables(&variant.value, out));
        }
    }
}

fn variables(pattern: &Pattern<String>, out: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            placeable(expression, out);
        }
    }
}

fn locales(language: &str) -> PathBuf {
    workspace().join("crates/report/locales").join(language)
}

/// Returns the messages of a file, and adds its errors to `wrong`.
fn messages(language: &str, area: &str, wrong: &mut Vec<String>) -> Messages {
    let path = locales(language).join(area);
    let Ok(text) = std::fs::read_to_string(&path) else {
        wrong.push(format!("{language}/{area} is missing"));
        return Messages::new();
    };
    let resource = fluent_syntax::parser::parse(text).unwrap_or_else(|(valid, errors)| {
        wrong.extend(errors.iter().map(|error| format!("{language}/{area}: {error}")));
        valid
    });
    let mut found = Messages::new();
    for entry in resource.body {
        let Entry::Message(message) = entry else { continue };
        let mut used = BTreeSet::new();
        message.value.iter().for_each(|value| variables(value, &mut used));
        if found.insert(message.id.name.clone(), used).is_some() {
            wrong.push(format!("{language}/{area}: {} is there twice", message.id.name));
        }
    }
    found
}

fn areas() -> Vec<String> {
    let entries = std::fs::read_dir(locales("en")).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn catalogs_have_the_same_messages_in_every_language() {
    let mut wrong = Vec::new();
    for area in areas() {
        let english = messages("en", &area, &mut wrong);
        for language in &LANGUAGES[1..] {
            let other = messages(language, &area, &mut wrong);
            for (key, variables) in &english {
                match other.get(key) {
                    None => wrong.push(format!("{language}/{area} lacks {key}")),
                    Some(same) if same == variables => {}
                    Some(different) => wrong.push(format!(
                        "{language}/{area}: {key} has the variables {different:?}, in English {variables:?}"
                    )),
                }
            }
            for key in other.keys().filter(|key| !english.contains_key(*key)) {
                wrong.push(format!("{language}/{area}: {key} is not in the English catalog"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_message_of_the_catalogs_is_used_and_exists() {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for area in areas() {
        for key in messages("en", &area, &mut wrong).into_keys() {
            if !known.insert(key.clone()) {
                wrong.push(format!("{key} is in two files"));
            }
        }
    }
    let call = Regex::new(r#"\b(say|word|advised)!\(\s*[\w.]+,\s*"([a-z0-9-]+)""#).unwrap();
    let mut used = BTreeSet::new();
    for path in files(&workspace().join("crates/report/src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for found in call.captures_iter(&text) {
            // Advice consists of three messages: the fact, its reason, and what to do.
            let parts: &[&str] = if &found[1] == "advised" { &["", "-why", "-do"] } else { &[""] };
            for part in parts {
                let key = format!("{}{part}", &found[2]);
                if !known.contains(&key) {
                    wrong.push(format!("{}: no catalog has {key}", path.display()));
                }
                used.insert(key);
            }
        }
    }
    wrong.extend(known.difference(&used).map(|key| format!("{key} is not used")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
