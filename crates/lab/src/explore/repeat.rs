//! Question repeat: the same cells are measured in rounds over hours, to compare the differences between runs with the
//! intervals of the single runs.

use super::answer;
use super::point::worthless;
use super::session::{Session, StopReason};
use stats::converge::{self, RunSpread};
use stats::failure::Failure;
use stats::study::{Caveat, Cell, Conclusion, Estimate, Question, Repeat, StudyClaim, Unit};

/// Half-width of the interval of a visit, percent (99 %).
const WITHIN: f64 = 2.0;
/// Longest duration of a visit, in seconds.
const MOST_S: f64 = 10.0;

/// Visits every cell once per round. Rounds begin at equal intervals, also if the study was interrupted between them.
pub(super) fn study(
    session: &mut Session<'_>,
    cells: &[Cell],
    asked: Repeat,
) -> Result<Vec<Conclusion>, StopReason> {
    let from = session.used();
    let every_s = asked.over_s / f64::from(asked.rounds);
    // Visits take at most half of the interval between rounds, so that rounds do not overlap.
    let most_s = (0.5 * every_s / cells.len().max(1) as f64).clamp(0.4, MOST_S);
    let mut ended = None;
    'rounds: for round in 0..asked.rounds {
        if let Some(first) = session.since(from).first() {
            let due_ms = first.began_ms as f64 + f64::from(round) * every_s * 1e3;
            session.wait(due_ms as u64);
        }
        for cell in cells {
            // The time of the rounds is not part of the budget.
            session.until_s = f64::INFINITY;
            if let Err(over) = session.visit(cell, WITHIN, (most_s / 3.0, most_s)) {
                ended = Some(over);
                break 'rounds;
            }
        }
    }
    if let Some(over) = ended {
        return Err(over);
    }
    let mut found = Vec::new();
    for cell in cells {
        let points: Vec<_> = session.since(from).iter().filter(|p| p.cell == *cell).collect();
        let mut caveats = Vec::new();
        let worst = points.iter().map(|p| p.grade).max().unwrap_or_default();
        if worst > stats::Grade::Caveats {
            caveats.push(Caveat::Grade { grade: worst });
        }
        let usable: Vec<_> = points.iter().filter(|p| !worthless(p)).collect();
        let rates: Vec<Estimate> = usable.iter().map(|p| p.iops).collect();
        let Some(RunSpread { mean, between_percent, within_percent }) = converge::run_spread(&rates) else {
            continue;
        };
        let (Some(first), Some(last)) = (usable.first(), usable.last()) else { continue };
        let over_s = last.began_ms.saturating_sub(first.began_ms) as f64 / 1e3 + last.seconds;
        let rounds = rates.len() as u32;
        let claim = StudyClaim::Repeat {
            rounds,
            over_s,
            in_flight: cell.in_flight(),
            between_percent,
            within_percent,
        };
        let evidence = usable.iter().map(|p| p.ordinal).collect();
        let (question, unit) = (Question::Repeat, Unit::Iops);
        found.push(answer(
            session,
            cell.target,
            &cell.access,
            question,
            claim,
            mean,
            unit,
            evidence,
            caveats,
        ));
    }
    if found.is_empty() { Err(StopReason::Failed(Failure::TooFewRounds)) } else { Ok(found) }
}
