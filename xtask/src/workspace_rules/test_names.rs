//! Test that the names of tests are short: `subject_condition_result`.
use super::source::all;
use syn::visit::{self, Visit};

/// Maximum length of a test name, in characters.
const LONGEST: usize = 70;

#[derive(Default)]
struct Names(Vec<String>);

impl<'a> Visit<'a> for Names {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        if item.attrs.iter().any(|a| a.path().is_ident("test")) {
            self.0.push(item.sig.ident.to_string());
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        if mac.path.is_ident("proptest") {
            let text = mac.tokens.to_string();
            for rest in text.split("fn ").skip(1) {
                self.0.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
            }
        }
    }
}

#[test]
fn test_names_are_short() {
    let mut long = Vec::new();
    for source in all() {
        let mut names = Names::default();
        names.visit_file(&source.file);
        let path = source.path.display().to_string();
        long.extend(
            names.0.into_iter().filter(|n| n.len() > LONGEST).map(|n| format!("{path}: {n} ({})", n.len())),
        );
    }
    assert!(
        long.is_empty(),
        "{} tests have names over {LONGEST} characters:\n{}",
        long.len(),
        long.join("\n")
    );
}
