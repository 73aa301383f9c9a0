//! Question `grid`: the full table iodepth x numjobs, measured in random order.

use super::answer;
use super::point::worthless;
use super::session::{Session, StopReason};
use stats::study::{Access, Cell, Conclusion, Question, StudyClaim, Unit};

const DEPTHS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
const JOBS: [u32; 5] = [1, 2, 4, 8, 16];
const WITHIN: f64 = 5.0;

/// Measures every cell and returns the best: of the cells within 5 % of the highest rate, the one with the fewest I/Os
/// in flight.
pub(super) fn study(
    session: &mut Session<'_>,
    target: usize,
    access: &Access,
) -> Result<Vec<Conclusion>, StopReason> {
    let mut cells: Vec<Cell> = Vec::new();
    for jobs in JOBS {
        for depth in DEPTHS {
            cells.push(Cell::of(target, access, depth * jobs, jobs));
        }
    }
    // A change over time must not look like an effect of the depth.
    let mut random = session.study.asked.seed | 1;
    for n in (1..cells.len()).rev() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        cells.swap(n, (random >> 33) as usize % (n + 1));
    }
    let from = session.used();
    for (nth, cell) in cells.iter().enumerate() {
        let most_s = session.left_s() / (cells.len() - nth) as f64;
        let at = session.visit(cell, WITHIN, (0.0, most_s.min(5.0)))?;
        if worthless(session.point(at)) {
            return Err(StopReason::not_the_device(at));
        }
    }
    let points = session.since(from);
    let most = points.iter().map(|p| p.iops.value).fold(0.0, f64::max);
    let near = points.iter().filter(|p| p.iops.value >= 0.95 * most);
    let Some(best) = near.min_by_key(|p| (p.cell.in_flight(), p.cell.jobs)).cloned() else {
        return Ok(Vec::new());
    };
    let claim = StudyClaim::Best { depth: best.cell.depth, jobs: best.cell.jobs };
    let evidence = points.iter().map(|p| p.ordinal).collect();
    Ok(vec![answer(
        session,
        target,
        access,
        Question::Grid,
        claim,
        best.iops,
        Unit::Iops,
        evidence,
        Vec::new(),
    )])
}
