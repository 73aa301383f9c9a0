//! Lists of values on the command line of `fathom sweep`.

use crate::duration;
use lab::sweep::grid::Values;

/// Returns the values of a list like `1,4,8-64`, each once: a range stands for its first value doubled up to its last, with
/// both ends. `wrong` is the message for another text.
fn list<T: Copy + Into<u64> + TryFrom<u64>>(
    text: &str,
    wrong: impl Fn() -> String,
    one: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, String> {
    let mut all: Vec<u64> = Vec::new();
    for part in text.split(',') {
        let ends = part.split_once('-').unwrap_or((part, part));
        let (Some(from), Some(to)) = (one(ends.0.trim()), one(ends.1.trim())) else { return Err(wrong()) };
        let (from, to): (u64, u64) = (from.into(), to.into());
        if from > to {
            return Err(wrong());
        }
        let powers = std::iter::successors(Some(from), |n| n.checked_mul(2));
        all.extend(powers.take_while(|n| *n < to).chain([to]));
    }
    without_repeats(all).into_iter().map(|n| T::try_from(n).map_err(|_| wrong())).collect()
}

/// Returns the numbers of `1,4,8-64`.
///
/// # Errors
/// A message for the user.
pub fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let wrong =
        || format!("{text:?} is no list of numbers from 1 to 65536, like 1,4 or 1-64 (1, 2, 4 ... 64)");
    list(text, wrong, |text| text.parse::<u32>().ok().filter(|n| (1..=65_536).contains(n)))
}

/// Returns the bytes of `4k,64k` or of `1k-64m`.
///
/// # Errors
/// A message for the user.
pub fn sizes(text: &str) -> Result<Vec<u64>, String> {
    let wrong = || {
        format!(
            "{text:?} is no list of block sizes (multiples of 512 up to 1g), like 4k,64k or 1k-64m (1k, 2k, 4k ... 64m)"
        )
    };
    list(text, wrong, |text| {
        let number = job::unit::integer(text, 1024).ok().filter(|n| n.rest.is_empty())?;
        u64::try_from(number.value).ok().filter(|bytes| (512..=1 << 30).contains(bytes) && bytes % 512 == 0)
    })
}

/// Returns the seconds of `10,30s,2m`.
///
/// # Errors
/// A message for the user.
pub fn times(text: &str) -> Result<Vec<f64>, String> {
    let one = |part: &str| {
        let time = duration::parse(part.trim())?.as_secs_f64();
        if (1.0..=86_400.0).contains(&time) {
            Ok(time)
        } else {
            Err("a visit lasts from 1s to 24h".to_string())
        }
    };
    text.split(',').map(one).collect()
}

/// Returns the percentages of `10%..100%` (in steps of the first), of `50%..95%/5%`, or of `10%,50%,90%`.
///
/// # Errors
/// A message for the user.
pub fn percents(text: &str) -> Result<Vec<f64>, String> {
    let wrong = || {
        format!("{text:?} is no list of shares of the maximum, like 10%..100%, 50%..95%/5% or 10%,50%,90%")
    };
    let one = |text: &str| {
        let number = text.trim().trim_end_matches('%').parse::<f64>().ok();
        number.filter(|p| (0.1..=1000.0).contains(p))
    };
    if let Some((from, to)) = text.split_once("..") {
        let (to, step) = to.split_once('/').map_or((to, from), |(to, step)| (to, step));
        let [Some(from), Some(to), Some(step)] = [from, to, step].map(one) else { return Err(wrong()) };
        let count = ((to - from) / step + 1e-9).floor();
        if !(0.0..=1000.0).contains(&count) {
            return Err(wrong());
        }
        let mut all: Vec<f64> = (0..=count as u32).map(|n| from + f64::from(n) * step).collect();
        if all.last().is_some_and(|last| to - last > 1e-6) {
            all.push(to);
        }
        return Ok(all);
    }
    text.split(',').map(|part| one(part).ok_or_else(wrong)).collect()
}

/// Returns the patterns of `randread,randrw70`, each with its share of reads; mixes without one get those of `mixes`.
///
/// # Errors
/// A message for the user.
pub fn patterns(text: &str, mixes: &[u32]) -> Result<Vec<(String, Option<u32>)>, String> {
    let wrong =
        || format!("{text:?} is no list of patterns: read, write, randread, randwrite, rw70 or randrw70");
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        let name = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let given = match &part[name.len()..] {
            "" => None,
            percent => Some(percent.parse::<u32>().ok().filter(|p| *p <= 100).ok_or_else(wrong)?),
        };
        let name = if name == "readwrite" { "rw" } else { name };
        match (name, given) {
            ("read" | "write" | "randread" | "randwrite", None) => all.push((name.to_string(), None)),
            ("rw" | "randrw", Some(_)) => all.push((name.to_string(), given)),
            ("rw" | "randrw", None) if mixes.is_empty() => all.push((name.to_string(), Some(50))),
            ("rw" | "randrw", None) => all.extend(mixes.iter().map(|mix| (name.to_string(), Some(*mix)))),
            _ => return Err(wrong()),
        }
    }
    Ok(without_repeats(all))
}

fn without_repeats<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut once: Vec<T> = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

/// Mixes that take their shares of reads from `--rwmixread`.
const MIXES: [&str; 3] = ["rw", "readwrite", "randrw"];

/// Options that `--option` may not set: they name targets, start programs, or belong to the cell.
const NOT_HERE: [&str; 31] = [
    "filename",
    "directory",
    "name",
    "include",
    "opendir",
    "filename_format",
    "nrfiles",
    "exec_prerun",
    "exec_postrun",
    "rw",
    "readwrite",
    "bs",
    "blocksize",
    "iodepth",
    "numjobs",
    "runtime",
    "ramp_time",
    "time_based",
    "ioengine",
    "group_reporting",
    "rwmixread",
    "rwmixwrite",
    "rate",
    "rate_iops",
    "read_iolog",
    "write_iolog",
    "unlink",
    "loops",
    "allow_mounted_write",
    "stonewall",
    "wait_for",
];

/// Returns `--KEY=VALUE` for an argument of `--option`.
///
/// # Errors
/// A message for the user.
pub fn option(text: &str) -> Result<String, String> {
    let key = text.split_once('=').map_or(text, |(key, _)| key).trim_start_matches('-');
    if NOT_HERE.contains(&key) {
        return Err(format!("{key} belongs to the target or the grid of a sweep"));
    }
    if job::table::find(key).is_none() {
        return Err(format!("{key:?} is no option of a job (fathom help run)"));
    }
    Ok(format!("--{}", text.trim_start_matches('-')))
}

/// Lists of the command line, as typed.
pub struct Typed<'a> {
    /// `--rw`.
    pub rw: Option<&'a str>,
    /// `--rwmixread`.
    pub mixes: &'a [u32],
    /// `--bs`.
    pub bs: Option<&'a str>,
    /// `--iodepth`.
    pub iodepth: Option<&'a str>,
    /// `--numjobs`.
    pub numjobs: Option<&'a str>,
    /// `--runtime`.
    pub runtime: Option<&'a str>,
    /// `--curve`.
    pub curve: Option<&'a str>,
}

impl Typed<'_> {
    /// Returns the values of all lists.
    ///
    /// # Errors
    /// A message for the user, with the switch.
    pub fn values(&self) -> Result<Values, String> {
        fn of<T: Default>(
            switch: &str,
            text: Option<&str>,
            read: impl Fn(&str) -> Result<T, String>,
        ) -> Result<T, String> {
            text.map_or(Ok(T::default()), |text| read(text).map_err(|why| format!("{switch}: {why}")))
        }
        let mixed = self.rw.is_some_and(|text| text.split(',').any(|p| MIXES.contains(&p.trim())));
        if !self.mixes.is_empty() && !mixed {
            return Err("--rwmixread: needs a mix without a number in --rw, like --rw randrw".into());
        }
        Ok(Values {
            patterns: of("--rw", self.rw, |text| patterns(text, self.mixes))?,
            bs: of("--bs", self.bs, sizes)?,
            iodepth: of("--iodepth", self.iodepth, numbers)?,
            numjobs: of("--numjobs", self.numjobs, numbers)?,
            runtime_s: of("--runtime", self.runtime, times)?,
            percents: of("--curve", self.curve, percents)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_read() {
        assert_eq!(numbers("1-64").unwrap(), [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(numbers("1,3,8-20,3").unwrap(), [1, 3, 8, 16, 20]);
        assert_eq!(sizes("4k,64k-256k").unwrap(), [4096, 65536, 131_072, 262_144]);
        assert_eq!(times("10,2m").unwrap(), [10.0, 120.0]);
        assert_eq!(percents("10%..100%").unwrap().len(), 10);
        assert_eq!(percents("50%..95%/15%").unwrap(), [50.0, 65.0, 80.0, 95.0]);
        assert_eq!(percents("10,99.5%").unwrap(), [10.0, 99.5]);
        let mixed = patterns("read,randrw70,rw", &[10, 90]).unwrap();
        assert_eq!(mixed.len(), 4);
        assert_eq!(mixed[1], ("randrw".to_string(), Some(70)));
    }

    #[test]
    fn wrong_lists_are_refused() {
        for text in ["", "0", "a", "8-1", "1,,2", "1-99999"] {
            assert!(numbers(text).is_err(), "{text}");
        }
        for text in ["", "100", "4q", "0", "64k-4k"] {
            assert!(sizes(text).is_err(), "{text}");
        }
        for text in ["", "0", "0.5", "25h"] {
            assert!(times(text).is_err(), "{text}");
        }
        for text in ["", "0%", "90%..10%", "10%..", "1%..100%/0%"] {
            assert!(percents(text).is_err(), "{text}");
        }
        for text in ["", "reads", "read70", "randrw101", "trim"] {
            assert!(patterns(text, &[]).is_err(), "{text}");
        }
        assert!(
            option("size=5g").is_ok() && option("filename=/dev/sda").is_err() && option("nosuch=1").is_err()
        );
    }
}
