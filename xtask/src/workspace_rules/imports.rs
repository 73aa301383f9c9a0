//! Test that the modules of a crate do not import each other in a circle.
//!
//! A module is a file or a directory directly below `src`; the root file counts as one (`lib`). A name that the root
//! re-exports counts as an import of the module that defines it.
use super::source::{Source, crates, is_test_only, shipped};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// Number of modules in circles, by crate; to be lowered, never raised.
const KNOWN: [(&str, usize); 0] = [];

type Edges = BTreeMap<String, BTreeSet<String>>;

struct Imports<'a> {
    /// Module path of the file and of the enclosing inline modules.
    here: Vec<String>,
    modules: &'a BTreeSet<String>,
    exports: &'a BTreeMap<String, String>,
    found: BTreeSet<String>,
}

impl Imports<'_> {
    fn path(&mut self, segments: &[String]) {
        let mut at = match segments.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self" | "super") => self.here.clone(),
            _ => return,
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => {
                    at.pop();
                }
                name => at.push(name.to_owned()),
            }
        }
        let first = at.first().map(String::as_str).unwrap_or_default();
        let module = if self.modules.contains(first) {
            first
        } else {
            self.exports.get(first).map_or("lib", String::as_str)
        };
        self.found.insert(module.to_owned());
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with =
            |name: &syn::Ident| -> Vec<String> { before.iter().cloned().chain([name.to_string()]).collect() };
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            syn::UseTree::Name(name) => self.path(&with(&name.ident)),
            syn::UseTree::Rename(name) => self.path(&with(&name.ident)),
            syn::UseTree::Glob(_) => self.path(before),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(before, item)),
        }
    }

    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let text = tokens.to_string();
        let mut rest = text.as_str();
        while let Some(at) = rest.find("crate :: ") {
            rest = &rest[at + "crate :: ".len()..];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            self.path(&["crate".to_owned(), name]);
        }
    }
}

impl<'a> Visit<'a> for Imports<'_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(i) => &i.attrs,
            syn::Item::Fn(i) => &i.attrs,
            syn::Item::Use(i) => &i.attrs,
            syn::Item::Impl(i) => &i.attrs,
            _ => &[],
        };
        if !is_test_only(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.here.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.here.pop();
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        // A public re-export of the root is not an import.
        if self.here.is_empty() && matches!(item.vis, syn::Visibility::Public(_)) {
            return;
        }
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.path(&segments);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }
}

/// Returns the names that the root re-exports, each with its module.
fn exports(root: &Source, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    fn walk(module: &str, tree: &syn::UseTree, out: &mut BTreeMap<String, String>) {
        match tree {
            syn::UseTree::Path(path) => walk(module, &path.tree, out),
            syn::UseTree::Name(name) => {
                out.insert(name.ident.to_string(), module.to_owned());
            }
            syn::UseTree::Rename(name) => {
                out.insert(name.rename.to_string(), module.to_owned());
            }
            syn::UseTree::Glob(_) => {}
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| walk(module, item, out)),
        }
    }
    let mut out = BTreeMap::new();
    for item in &root.file.items {
        let syn::Item::Use(item) = item else { continue };
        let syn::UseTree::Path(path) = &item.tree else { continue };
        let mut first = path;
        if ["crate", "self"].iter().any(|name| first.ident == name)
            && let syn::UseTree::Path(next) = &*first.tree
        {
            first = next;
        }
        let module = first.ident.to_string();
        if modules.contains(&module) {
            walk(&module, &first.tree, &mut out);
        }
    }
    out
}

fn edges(krate: &str) -> Edges {
    let sources = shipped(krate);
    let modules: BTreeSet<String> = sources.iter().filter_map(|s| s.module.first().cloned()).collect();
    let root = sources.iter().find(|s| s.module.is_empty()).unwrap();
    let exports = exports(root, &modules);
    let mut edges = Edges::new();
    for source in &sources {
        let own = source.module.first().cloned().unwrap_or_else(|| "lib".into());
        let mut imports = Imports {
            here: source.module.clone(),
            modules: &modules,
            exports: &exports,
            found: BTreeSet::new(),
        };
        imports.visit_file(&source.file);
        imports.found.remove(&own);
        edges.entry(own).or_default().extend(imports.found);
    }
    edges
}

/// Returns the modules that `from` imports, directly or through others.
fn reach(edges: &Edges, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<&String> = edges.get(from).into_iter().flatten().collect();
    while let Some(module) = next.pop() {
        if seen.insert(module.clone()) {
            next.extend(edges.get(module).into_iter().flatten());
        }
    }
    seen
}

/// Returns the circles of modules: sets of modules that reach each other.
fn circles(edges: &Edges) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<String>> = edges.keys().map(|m| (m, reach(edges, m))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (module, all) in reached.iter().filter(|(module, all)| all.contains(**module)) {
        let circle =
            all.iter().filter(|m| reached.get(m).is_some_and(|r| r.contains(*module))).cloned().collect();
        if !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

#[test]
fn modules_of_a_crate_do_not_import_in_a_circle() {
    let mut wrong = Vec::new();
    for krate in crates() {
        let edges = edges(&krate);
        let circles = circles(&edges);
        let modules: usize = circles.iter().map(BTreeSet::len).sum();
        let known = KNOWN.iter().find(|(name, _)| *name == krate).map_or(0, |(_, n)| *n);
        if modules > known {
            for circle in circles {
                wrong.push(format!("crates/{krate}: a circle of {} modules:", circle.len()));
                for module in &circle {
                    let to: Vec<&String> = edges[module].iter().filter(|m| circle.contains(*m)).collect();
                    wrong.push(format!("  {module} imports {to:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "modules import in circles:\n{}", wrong.join("\n"));
}
