//! Lists of NUMA nodes, in the syntax of libnuma, which fio uses.

use crate::bad_value::{BadValue, NodeFault, NodesOf, PolicyFault};
use crate::files::Files;
use std::path::Path;

/// Largest number of nodes of a machine.
const MOST: u32 = 1024;

/// List of NUMA nodes: `0,2-3` or `all`; after `!` all other nodes; after `+` the numbers count the existing nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeList {
    inverted: bool,
    relative: bool,
    /// First and last node of each range; `None` for `all`.
    ranges: Option<Vec<(u32, u32)>>,
}

impl NodeList {
    /// Reads a list of nodes.
    ///
    /// # Errors
    /// The text is not a list of nodes.
    pub fn read(text: &str) -> Result<NodeList, NodeFault> {
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
                return Err(NodeFault::Unparseable { text: rest.to_owned() });
            };
            rest = &rest[digits..];
            let mut high = low;
            if let Some(behind) = rest.strip_prefix('-') {
                let (last, digits) =
                    number(behind).ok_or_else(|| NodeFault::NoLast { text: behind.to_owned() })?;
                (high, rest) = (last, &behind[digits..]);
            }
            ranges.push((low, high));
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None if rest.is_empty() => return Ok(NodeList { inverted, relative, ranges: Some(ranges) }),
                None => return Err(NodeFault::TextBehind),
            }
        }
    }

    /// Returns the listed nodes in ascending order. `there` has the numbers of the machine's nodes, ascending.
    ///
    /// # Errors
    /// A listed node does not exist.
    pub fn of(&self, there: &[u32]) -> Result<Vec<u32>, NodeFault> {
        let mut chosen = Vec::new();
        for (low, high) in self.ranges.iter().flatten() {
            if !self.relative && low < high && there.last().is_none_or(|last| high > last) {
                return Err(NodeFault::RangeBeyond { last: *high });
            }
            for node in *low..=(*high).min(low.saturating_add(MOST)) {
                let found = match self.relative {
                    true => there.get(node as usize),
                    false => there.iter().find(|n| **n == node),
                };
                let named = if self.relative { MOST } else { node };
                chosen.push(*found.ok_or(NodeFault::NoNode { node: named, in_range: low != high })?);
            }
        }
        let takes = |node: &u32| (self.ranges.is_none() || chosen.contains(node)) != self.inverted;
        Ok(there.iter().copied().filter(takes).collect())
    }
}

/// Returns the numbers in a list in the format of sysfs, such as `0,2-3`; `None` if the text is not such a list.
pub fn numbers(text: &str) -> Option<Vec<u32>> {
    let list = NodeList::read(text.trim()).ok()?;
    Some(
        list.ranges?
            .into_iter()
            .flat_map(|(low, high)| low..=high.min(low.saturating_add(1 << 16)))
            .collect(),
    )
}

/// Checks a list of nodes (with `policy`, a memory policy) against the nodes of this machine.
///
/// # Errors
/// The list or policy cannot be read, or a node does not exist.
pub(crate) fn check(text: &str, policy: bool, files: &mut dyn Files) -> Result<(), BadValue> {
    if !policy {
        return nodes(text, NodesOf::Cpus, files);
    }
    let (mode, list) = text.split_once(':').map_or((text, None), |(mode, list)| (mode, Some(list)));
    let wrong = |fault| Err(BadValue::Policy(fault));
    match (mode, list) {
        ("default" | "local", None) => Ok(()),
        ("default" | "local", Some(_)) => wrong(PolicyFault::TakesNoNodes),
        ("prefer", None) => wrong(PolicyFault::NeedsNode),
        ("prefer", Some(one)) if one.bytes().all(|b| b.is_ascii_digit()) => Ok(()),
        ("prefer", Some(_)) => wrong(PolicyFault::NeedsOneNode),
        ("bind", None) => wrong(PolicyFault::NeedsNodes { policy: "bind" }),
        ("interleave", None) => wrong(PolicyFault::NeedsNodes { policy: "interleave" }),
        ("bind" | "interleave", Some("")) => Ok(()),
        ("bind" | "interleave", Some(list)) => nodes(list, NodesOf::Memory, files),
        _ => wrong(PolicyFault::Unknown),
    }
}

fn nodes(text: &str, of: NodesOf, files: &mut dyn Files) -> Result<(), BadValue> {
    let mut is_there = |node: &u32| files.is_dir(Path::new(&format!("/sys/devices/system/node/node{node}")));
    let read = NodeList::read(text).and_then(|list| {
        let there: Vec<u32> = (0..MOST).filter(&mut is_there).collect();
        list.of(&there)
    });
    read.map(drop).map_err(|fault| BadValue::Nodes { of, fault })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(text: &str, there: &[u32]) -> Result<Vec<u32>, NodeFault> {
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

    /// Tests that a node list is refused for the reason that libnuma gives on a machine with one node.
    #[test]
    fn faults_are_those_that_libnuma_finds() {
        let none = |node| NodeFault::NoNode { node, in_range: false };
        let unparseable = |text: &str| NodeFault::Unparseable { text: text.into() };
        for (text, why) in [
            ("1", none(1)),
            ("!1", none(1)),
            ("+1", none(1024)),
            ("0-1", NodeFault::RangeBeyond { last: 1 }),
            ("0-999", NodeFault::RangeBeyond { last: 999 }),
            ("0-", NodeFault::NoLast { text: String::new() }),
            ("0,", unparseable("")),
            ("same", unparseable("same")),
            ("0x", NodeFault::TextBehind),
        ] {
            assert_eq!(of(text, &[0]).unwrap_err(), why, "{text}");
        }
    }
}
