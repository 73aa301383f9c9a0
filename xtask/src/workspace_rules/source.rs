//! Reads and parses the source files of the workspace.
use crate::tool::workspace;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub struct Source {
    /// Path in the workspace.
    pub path: PathBuf,
    /// Module path within the crate; empty for the crate root and for test binaries.
    pub module: Vec<String>,
    pub file: syn::File,
}

/// Returns the paths of all `.rs` files below `dir`, sorted within each directory.
pub fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else { return found };
    let mut entries: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

fn module(below_src: &Path) -> Vec<String> {
    let mut parts: Vec<String> = below_src
        .with_extension("")
        .components()
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|last| last == "mod" || parts.len() == 1 && (last == "lib" || last == "main"))
    {
        parts.pop();
    }
    parts
}

/// Returns whether an item is compiled for tests only.
pub fn is_test_only(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

fn parse(root: &Path, dir: &Path) -> Vec<Source> {
    files(dir)
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let module = module(path.strip_prefix(dir).unwrap());
            Source { path: path.strip_prefix(root).unwrap().to_owned(), module, file }
        })
        .collect()
}

/// Returns the sources that a crate ships: `src` without files for tests.
pub fn shipped(krate: &str) -> Vec<Source> {
    let root = workspace();
    let sources = parse(&root, &root.join("crates").join(krate).join("src"));
    let test_only: BTreeSet<Vec<String>> = sources
        .iter()
        .flat_map(|source| {
            source.file.items.iter().filter_map(|item| match item {
                syn::Item::Mod(m) if m.content.is_none() && is_test_only(&m.attrs) => {
                    let name = m.ident.to_string();
                    Some(source.module.iter().cloned().chain([name]).collect())
                }
                _ => None,
            })
        })
        .collect();
    sources.into_iter().filter(|s| !test_only.iter().any(|t| s.module.starts_with(t))).collect()
}

/// Returns every source of the workspace, including tests and tools.
pub fn all() -> Vec<Source> {
    let root = workspace();
    let mut found = parse(&root, &root.join("xtask"));
    for krate in crates() {
        found.extend(parse(&root, &root.join("crates").join(&krate)));
    }
    found
}

/// Returns the names of the directories below `crates`.
pub fn crates() -> Vec<String> {
    let entries = std::fs::read_dir(workspace().join("crates")).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
