//! Repeated tries of a check that measures time or rates on a shared machine: up to three, and every failed try is
//! reported.

use std::fmt;

/// Number of tries after which a check counts as failed.
pub const TRIES: usize = 3;

/// Tries of one check, in order.
#[derive(Clone, Debug, Default)]
pub struct Tries {
    /// Messages of the failed tries.
    failures: Vec<String>,
    passed: bool,
}

impl Tries {
    /// Records one try: `Ok` if the check passed, else its message.
    pub fn record(&mut self, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed = true,
            Err(seen) => self.failures.push(seen),
        }
    }

    /// Returns whether the check must run once more.
    pub fn unfinished(&self) -> bool {
        !self.passed && self.failures.len() < TRIES
    }

    /// Returns whether a try passed.
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// Returns the line for a check with the name `name` that did not pass at once: `FLAKY` if a later try passed, else
    /// `FAIL`. `None` if the first try passed.
    pub fn report(&self, name: &str) -> Option<String> {
        match (self.failures.is_empty(), self.passed) {
            (true, _) => None,
            (false, true) => Some(format!("FLAKY {name}: {self}")),
            (false, false) => Some(format!("FAIL {name}: {self}")),
        }
    }
}

impl fmt::Display for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, seen) in self.failures.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}try {}: {seen}", index + 1)?;
        }
        if self.passed {
            write!(f, "; try {}: passed", self.failures.len() + 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(results: &[Result<(), &str>]) -> Tries {
        let mut tries = Tries::default();
        let mut results = results.iter();
        while tries.unfinished()
            && let Some(result) = results.next()
        {
            tries.record(result.map_err(String::from));
        }
        tries
    }

    #[test]
    fn a_check_that_passes_at_once_runs_once_and_is_silent() {
        let tries = tried(&[Ok(()), Err("not run")]);
        assert!(tries.passed());
        assert_eq!(tries.report("rate"), None);
    }

    #[test]
    fn a_check_that_passes_later_is_flaky_and_names_each_try() {
        let tries = tried(&[Err("473 IOPS"), Err("480 IOPS"), Ok(())]);
        assert!(tries.passed());
        let line = tries.report("rate").unwrap();
        assert_eq!(line, "FLAKY rate: try 1: 473 IOPS; try 2: 480 IOPS; try 3: passed");
    }

    #[test]
    fn a_check_that_fails_three_times_fails() {
        let tries = tried(&[Err("1"), Err("2"), Err("3"), Ok(())]);
        assert!(!tries.passed() && !tries.unfinished());
        assert_eq!(tries.report("rate").unwrap(), "FAIL rate: try 1: 1; try 2: 2; try 3: 3");
    }
}
