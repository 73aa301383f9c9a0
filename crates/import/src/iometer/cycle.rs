//! The tests of a document: for each access specification, one test for each point of the cycle.

use super::document::*;
use super::fault::ConversionFault;

/// Largest number of tests.
const MOST_TESTS: usize = 10_000;

/// One worker in one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Active {
    /// Index of the manager.
    pub manager: usize,
    /// Index of the worker among those of its manager.
    pub worker: usize,
    /// Number of its targets that are used, from the first.
    pub targets: usize,
    /// Outstanding I/Os of each target.
    pub outstanding: u32,
}

/// Returns the workers of each test of a document, without regard to access specifications: the points of its cycle.
///
/// # Errors
/// The cycle does not grow, or has too many points.
pub fn points(document: &Document) -> Result<Vec<Vec<Active>>, ConversionFault> {
    let setup = document.setup.clone().unwrap_or_default();
    let managers = document.managers.as_deref().unwrap_or_default();
    let workers: Vec<(Active, usize)> = managers
        .iter()
        .enumerate()
        .flat_map(|(manager, of)| {
            of.workers.iter().enumerate().filter(|(_, w)| !w.targets.is_empty()).map(move |(worker, w)| {
                let queue = w.settings.as_ref().and_then(|settings| settings.queue);
                let (targets, outstanding) = (w.targets.len(), queue.map_or(1, |queue| queue.0));
                (Active { manager, worker, targets, outstanding }, targets)
            })
        })
        .collect();
    let most = workers.iter().map(|(_, targets)| *targets).max().unwrap_or(0) as u64;
    let all: u64 = workers.iter().map(|(_, targets)| *targets as u64).sum();
    let one = Cycling { start: 1, step: 1, kind: Step::Linear };
    let of = |cycling: Option<Cycling>, end: u64| {
        let c = cycling.unwrap_or(one);
        steps(c.start, c.step, c.kind, end)
    };
    let targets_to = |most: u64| of(setup.disk_cycling, most);
    let workers_to = || of(setup.worker_cycling, workers.len() as u64);
    let depths = || {
        let usual = QueueCycling { start: 1, end: 32, step: 2, kind: Step::Exponential };
        let q = setup.queue_cycling.unwrap_or(usual);
        steps(q.start, q.step, q.kind, q.end.into())
    };
    let limited = |workers: &[(Active, usize)], most: u64, depth: Option<u64>| -> Vec<Active> {
        let limit = |(active, own): &(Active, usize)| Active {
            targets: (*own).min(most as usize),
            outstanding: depth.map_or(active.outstanding, |depth| depth as u32),
            ..*active
        };
        workers.iter().map(limit).filter(|active| active.targets > 0).collect()
    };
    // The targets of the first workers come first.
    let serial = |number: u64| -> Vec<Active> {
        let mut left = number as usize;
        let mut taken = Vec::new();
        for (active, own) in &workers {
            let targets = left.min(*own);
            left -= targets;
            if targets > 0 {
                taken.push(Active { targets, ..*active });
            }
        }
        taken
    };
    let points: Vec<Vec<Active>> = match setup.test_type.unwrap_or_default() {
        TestType::Normal => vec![limited(&workers, most, None)],
        TestType::CycleTargets | TestType::IncrementTargetsParallel => {
            targets_to(most)?.into_iter().map(|n| limited(&workers, n, None)).collect()
        }
        TestType::IncrementTargetsSerial => targets_to(all)?.into_iter().map(serial).collect(),
        TestType::CycleWorkers => {
            workers_to()?.into_iter().map(|n| limited(&workers[..n as usize], most, None)).collect()
        }
        TestType::CycleWorkersAndTargets => {
            let mut points = Vec::new();
            for n in workers_to()? {
                let used = &workers[..n as usize];
                let most = used.iter().map(|(_, targets)| *targets).max().unwrap_or(0) as u64;
                points.extend(targets_to(most)?.into_iter().map(|n| limited(used, n, None)));
            }
            points
        }
        TestType::CycleOutstandingIos => {
            depths()?.into_iter().map(|depth| limited(&workers, most, Some(depth))).collect()
        }
        TestType::CycleOutstandingIosAndTargets => {
            let mut points = Vec::new();
            for n in targets_to(most)? {
                points.extend(depths()?.into_iter().map(|depth| limited(&workers, n, Some(depth))));
            }
            points
        }
    };
    match points.len() {
        n if n > MOST_TESTS => Err(ConversionFault::TooManyTests { most: MOST_TESTS }),
        _ => Ok(points),
    }
}

/// Returns the values from `start` that do not exceed `end`.
fn steps(start: u32, step: u32, kind: Step, end: u64) -> Result<Vec<u64>, ConversionFault> {
    let (start, step) = (u64::from(start), u64::from(step));
    let grows = match kind {
        Step::Linear => step > 0,
        Step::Exponential => step > 1,
    };
    if !grows && start < end {
        return Err(ConversionFault::EndlessCycle);
    }
    let next = |v: &u64| match kind {
        Step::Linear => v.checked_add(step),
        Step::Exponential => v.checked_mul(step.max(2)),
    };
    let values: Vec<u64> =
        std::iter::successors(Some(start), next).take_while(|v| *v <= end).take(MOST_TESTS + 1).collect();
    if values.len() > MOST_TESTS {
        Err(ConversionFault::TooManyTests { most: MOST_TESTS })
    } else {
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_with_the_last_value_that_fits() {
        assert_eq!(steps(1, 2, Step::Exponential, 32).unwrap(), [1, 2, 4, 8, 16, 32]);
        assert_eq!(steps(1, 3, Step::Linear, 8).unwrap(), [1, 4, 7]);
        assert_eq!(steps(3, 2, Step::Exponential, 20).unwrap(), [3, 6, 12]);
        assert_eq!(steps(9, 2, Step::Linear, 8).unwrap(), [0u64; 0]);
        assert_eq!(steps(1, 1, Step::Exponential, 8), Err(ConversionFault::EndlessCycle));
        assert_eq!(steps(4, 1, Step::Exponential, 4).unwrap(), [4]);
    }
}
