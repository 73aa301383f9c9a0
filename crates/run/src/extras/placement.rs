//! Placement of the data of writes (`dataplacement`): each write gets a placement identifier.

use super::Extra;
use crate::assignment::Assignment;
use crate::job_error::{errno_of, failed, failed_because, of_errno};
use crate::prepare;
use crate::random::{below, generator, stream};
use crate::worker::Worker;
use engine::{Engine, Kind, Op, RingDead};
use job::nvme::{Directive, PlacementSelect, PlacementSpec, SchemeRange, scheme};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use rustix::io::Errno;
use stats::JobError;
use stats::job_error::ErrorCause;

/// Selection of identifiers, by index.
#[derive(Debug)]
enum Select {
    /// One after the other; with the number of writes so far.
    RoundRobin(usize),
    Random(Xoshiro256PlusPlus),
    Scheme(Vec<SchemeRange>),
}

/// Identifiers of the writes of a job.
#[derive(Debug)]
pub(crate) struct Placement {
    select: Select,
    /// Identifiers of each file; with a scheme, all that the device has, or none if the scheme has the identifiers.
    ids: Vec<Vec<u16>>,
}

impl Placement {
    /// Returns `Some` if writes have directives. If an identifier is not one of the device, the job ends with an error.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let spec = a.job().placement.as_ref()?;
        match Self::new(a, spec) {
            Ok(placement) => Some(placement),
            Err(error) => {
                w.failures.open_error = Some(error.into());
                w.live = false;
                None
            }
        }
    }

    fn new(a: &Assignment<'_>, spec: &PlacementSpec) -> Result<Self, JobError> {
        let select = match &spec.select {
            PlacementSelect::RoundRobin => Select::RoundRobin(0),
            PlacementSelect::Random => Select::Random(generator(a.clone.seed, stream::PLACEMENT)),
            PlacementSelect::Scheme(path) => {
                let shown = path.display().to_string();
                let text = std::fs::read_to_string(path)
                    .map_err(|e| of_errno(errno_of(&e), format!("open({shown})")))?;
                let ranges = scheme(&text)
                    .map_err(|line| invalid(ErrorCause::PlacementScheme { path: shown, line }))?;
                Select::Scheme(ranges)
            }
        };
        let wanted: Vec<u16> = match &select {
            Select::Scheme(ranges) => ranges.iter().map(|range| range.id).collect(),
            _ => spec.ids.clone(),
        };
        let ids = |file| -> Result<Vec<u16>, JobError> {
            if spec.directive == Directive::Streams {
                return Ok(if matches!(select, Select::Scheme(_)) { Vec::new() } else { wanted.clone() });
            }
            let device = prepare::open_job_file(a.job(), file, a.targets).map_err(|e| e.error)?;
            let listed = sys::nvme::namespace(&device)
                .and_then(|space| sys::nvme_placement::identifiers(&device, &space))
                .map_err(|e| match e.raw_os_error() {
                    Some(errno) if errno == Errno::IO.raw_os_error() => invalid(ErrorCause::NoPlacement),
                    _ => failed("fdp_fetch_ruhs", &e),
                })?;
            chosen(&listed, &wanted, matches!(select, Select::Scheme(_)))
        };
        let ids = a.clone.files.iter().map(ids).collect::<Result<_, _>>()?;
        Ok(Self { select, ids })
    }

    /// Returns the identifier of a write.
    fn next(&mut self, op: &Op) -> u16 {
        let ids = &self.ids[op.file as usize];
        match &mut self.select {
            Select::RoundRobin(writes) => {
                let id = ids[*writes % ids.len()];
                *writes = (*writes + 1) % ids.len();
                id
            }
            Select::Random(random) => ids[below(random.next_u64(), ids.len() as u64) as usize],
            Select::Scheme(ranges) => {
                let range = ranges.iter().find(|range| (range.start..range.end).contains(&op.offset));
                // Writes outside all ranges have the identifier 0 itself, not that of index 0.
                range.map_or(0, |range| ids.get(usize::from(range.id)).copied().unwrap_or(range.id))
            }
        }
    }
}

/// Returns the identifiers of the device's list at the indices `wanted`, of all if there are none; with a scheme, the whole
/// list.
fn chosen(listed: &[u16], wanted: &[u16], by_scheme: bool) -> Result<Vec<u16>, JobError> {
    if listed.is_empty() {
        return Err(invalid(ErrorCause::NoPlacement));
    }
    if let Some(id) = wanted.iter().copied().find(|id| usize::from(*id) >= listed.len()) {
        return Err(invalid(ErrorCause::PlacementId { id, count: listed.len() as u32 }));
    }
    Ok(match wanted {
        _ if by_scheme => listed.to_vec(),
        [] => listed.to_vec(),
        wanted => wanted.iter().map(|index| listed[usize::from(*index)]).collect(),
    })
}

fn invalid(cause: ErrorCause) -> JobError {
    failed_because("dp_init", &Errno::INVAL.into(), cause)
}

impl<E: Engine> Extra<E> for Placement {
    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        for at in 0..n {
            let op = w.slots.next(n)[at];
            if op.kind == Kind::Write {
                w.engine.set_directive(op.slot, self.next(&op));
            }
        }
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(select: Select, ids: &[u16], offsets: &[u64]) -> Vec<u16> {
        let mut placement = Placement { select, ids: vec![ids.to_vec()] };
        offsets.iter().map(|offset| placement.next(&Op { offset: *offset, ..Op::NONE })).collect()
    }

    #[test]
    fn identifiers_follow_in_turn_at_random_and_by_offset() {
        let ids = [7, 9, 300];
        assert_eq!(drawn(Select::RoundRobin(0), &ids, &[0; 7]), [7, 9, 300, 7, 9, 300, 7]);
        let random = drawn(Select::Random(generator(1, stream::PLACEMENT)), &ids, &[0; 3000]);
        for id in ids {
            // Five standard deviations of a binomial distribution around 1000.
            let n = random.iter().filter(|drawn| **drawn == id).count();
            assert!((871..1129).contains(&n), "{n} of identifier {id}");
        }
        let ranges = || Select::Scheme(scheme("0,4096,2\n0,8192,1\n16384,20480,0").unwrap());
        let offsets = [0, 4095, 4096, 8191, 8192, 16384, 20479, 20480];
        assert_eq!(drawn(ranges(), &ids, &offsets), [300, 300, 9, 9, 0, 7, 7, 0], "the first range counts");
        assert_eq!(drawn(ranges(), &[], &offsets), [2, 2, 1, 1, 0, 0, 0, 0], "identifiers of streams");
    }

    #[test]
    fn indices_that_the_device_lacks_are_refused() {
        let listed = [5, 6, 8];
        assert_eq!(chosen(&listed, &[], false).unwrap(), listed);
        assert_eq!(chosen(&listed, &[2, 0], false).unwrap(), [8, 5]);
        assert_eq!(chosen(&listed, &[2, 0], true).unwrap(), listed);
        let cause =
            |wanted: &[u16], listed: &[u16]| *chosen(listed, wanted, false).unwrap_err().cause.unwrap();
        assert_eq!(cause(&[0, 3], &listed), ErrorCause::PlacementId { id: 3, count: 3 });
        assert_eq!(cause(&[], &[]), ErrorCause::NoPlacement);
    }
}
