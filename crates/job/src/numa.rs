//! Lists of NUMA nodes, as libnuma reads them for fio.

use crate::bad_value::BadValue;
use crate::files::Files;
use std::path::Path;

/// Nodes of one machine at most.
const MOST: u32 = 1024;

/// `0,2-3` or `all`; with `!` all but these, with `+` counted among the nodes that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeList {
    inverted: bool,
    relative: bool,
    /// First and last; none for `all`.
    ranges: Option<Vec<(u32, u32)>>,
}

impl NodeList {
    /// Reads a list.
    ///
    /// # Errors
    /// What libnuma says about it; it has no words for text behind a number.
    pub fn read(text: &str) -> Result<NodeList, String> {
        let rest = text.trim_start();
        let (inverted, rest) = rest.strip_prefix('!').map_or((false, rest), |rest| (true, rest));
        let (relative, rest) = rest.strip_prefix('+').map_or((false, rest), |rest| (true, rest));
        if rest == "all" {
            return Ok(NodeList { inverted, relative, ranges: None });
        }
        let number = |text: &str| -> Option<(u32, usize)> {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0).then(|| (text[..digits].parse().unwrap_or(u32::MAX), digits))
        };
        let (mut ranges, mut rest) = (Vec::new(), rest);
        loop {
            let Some((low, digits)) = number(rest) else {
                return Err(format!("unparseable node description `{rest}'"));
            };
            rest = &rest[digits..];
            let mut high = low;
            if let Some(behind) = rest.strip_prefix('-') {
                let (last, digits) =
                    number(behind).ok_or_else(|| format!("missing node argument {behind}"))?;
                (high, rest) = (last, &behind[digits..]);
            }
            ranges.push((low, high));
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None if rest.is_empty() => return Ok(NodeList { inverted, relative, ranges: Some(ranges) }),
                None => return Err(String::new()),
            }
        }
    }

    /// The nodes, of those that are there, ascending.
    ///
    /// # Errors
    /// What libnuma says where one is not.
    pub fn of(&self, there: &[u32]) -> Result<Vec<u32>, String> {
        let mut chosen = Vec::new();
        for (low, high) in self.ranges.iter().flatten() {
            let is = if low == high { "is " } else { "" };
            if !self.relative && low < high && there.last().is_none_or(|last| high > last) {
                return Err(format!("node argument {high} out of range"));
            }
            for node in *low..=(*high).min(low.saturating_add(MOST)) {
                let found = match self.relative {
                    true => there.get(node as usize),
                    false => there.iter().find(|n| **n == node),
                };
                let named = if self.relative { MOST } else { node };
                chosen.push(*found.ok_or_else(|| format!("node argument {named} {is}out of range"))?);
            }
        }
        let takes = |node: &u32| (self.ranges.is_none() || chosen.contains(node)) != self.inverted;
        Ok(there.iter().copied().filter(takes).collect())
    }
}

/// The numbers of a list as sysfs has it, like `0,2-3`.
pub fn numbers(text: &str) -> Option<Vec<u32>> {
    let list = NodeList::read(text.trim()).ok()?;
    Some(
        list.ranges?
            .into_iter()
            .flat_map(|(low, high)| low..=high.min(low.saturating_add(1 << 16)))
            .collect(),
    )
}

/// Whether a list, or with `policy` a memory policy, is one of this machine.
///
/// # Errors
/// fio's words and ours.
pub(crate) fn check(text: &str, policy: bool, files: &mut dyn Files) -> Result<(), BadValue> {
    if !policy {
        return nodes(text, "options.c:803, func=str_numa_cpunodes_cb", files);
    }
    let (mode, list) = text.split_once(':').map_or((text, None), |(mode, list)| (mode, Some(list)));
    let right = "must be default, local, prefer:NODE, bind:NODES or interleave:NODES";
    match (mode, list) {
        ("default" | "local", None) => Ok(()),
        ("default" | "local", Some(_)) => Err(BadValue::fio("fio: NO nodelist for 'local'", right)),
        ("prefer", None) => Err(BadValue::fio("fio: one node is needed for 'prefer'", right)),
        ("prefer", Some(one)) if one.bytes().all(|b| b.is_ascii_digit()) => Ok(()),
        ("prefer", Some(_)) => Err(BadValue::fio("fio: one node only for 'prefer'", right)),
        ("bind" | "interleave", None) => {
            Err(BadValue::fio(format!("fio: a nodelist is needed for '{mode}'"), right))
        }
        ("bind" | "interleave", Some("")) => Ok(()),
        ("bind" | "interleave", Some(list)) => nodes(list, "options.c:902, func=str_numa_memnodes_cb", files),
        _ => Err(BadValue::fio(
            "fio: memory policy should be: default, prefer, bind, interleave, local",
            right,
        )),
    }
}

fn nodes(text: &str, place: &str, files: &mut dyn Files) -> Result<(), BadValue> {
    let mut is_there = |node: &u32| files.is_dir(Path::new(&format!("/sys/devices/system/node/node{node}")));
    let read = NodeList::read(text).and_then(|list| {
        let there: Vec<u32> = (0..MOST).filter(&mut is_there).collect();
        list.of(&there)
    });
    read.map(drop).map_err(|why| {
        let warning = if why.is_empty() { String::new() } else { format!("libnuma: Warning: {why}\n\n") };
        BadValue {
            stdout: format!("fio: file:{place}, error=Operation not permitted\n"),
            ..BadValue::fio(
                format!("{warning}fio: numa_parse_nodestring failed"),
                "must be NUMA nodes of this machine like 0,2-3, or all (see /sys/devices/system/node)",
            )
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(text: &str, there: &[u32]) -> Result<Vec<u32>, String> {
        NodeList::read(text).and_then(|list| list.of(there))
    }

    #[test]
    fn lists_are_counted_turned_round_and_relative() {
        let there = [0, 1, 4, 5];
        for (text, nodes) in [
            ("0", &[0][..]),
            (" 0,4-5", &[0, 4, 5]),
            ("0,0", &[0]),
            ("all", &there),
            ("+all", &there),
            ("!all", &[]),
            ("!1", &[0, 4, 5]),
            ("+2-3", &[4, 5]),
            ("!+0-1", &[4, 5]),
        ] {
            assert_eq!(of(text, &there).unwrap(), nodes, "{text}");
        }
        assert_eq!(numbers("0-1,4\n"), Some(vec![0, 1, 4]));
        assert_eq!(numbers(""), None);
    }

    /// The words are what fio 3.33 prints on a machine with one node.
    #[test]
    fn what_is_wrong_is_said_in_libnumas_words() {
        for (text, why) in [
            ("1", "node argument 1 is out of range"),
            ("!1", "node argument 1 is out of range"),
            ("+1", "node argument 1024 is out of range"),
            ("0-1", "node argument 1 out of range"),
            ("0-999", "node argument 999 out of range"),
            ("0-", "missing node argument "),
            ("0,", "unparseable node description `'"),
            ("same", "unparseable node description `same'"),
            ("0x", ""),
        ] {
            assert_eq!(of(text, &[0]).unwrap_err(), why, "{text}");
        }
    }
}
