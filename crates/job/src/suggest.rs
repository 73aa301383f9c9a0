//! Search for the known name that is most similar to a mistyped one.

/// Returns the name with the smallest edit distance to `wrong`, at most half of its length (fio's bound); the first of
/// several. `None` if no name is similar.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A name of more than 100 letters is not a typing error, and the distance takes quadratic time.
    if wrong.len() > 100 {
        return None;
    }
    let length = wrong.chars().count();
    let bound = length.div_ceil(2);
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        // Names are ASCII; the distance is at least the difference of the lengths.
        let least = length.abs_diff(name.len());
        if least > bound || best.is_some_and(|(d, _)| least >= d) {
            continue;
        }
        let d = distance(wrong, name);
        if d <= bound && best.is_none_or(|(known, _)| d < known) {
            best = Some((d, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Returns the Levenshtein distance of two texts.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(
            (
                distance("", "abc"),
                distance("abc", "abc"),
                distance("iodepht", "iodepth"),
                distance("kitten", "sitting")
            ),
            (3, 0, 2, 3)
        );
        let names = ["ba", "bs", "iodepth", "flow"];
        assert_eq!(nearest("iodepht", names.into_iter()), Some("iodepth"));
        assert_eq!(nearest("bar", names.into_iter()), Some("ba"));
        assert_eq!(nearest("foobarbazqux", names.into_iter()), None);
    }
}
