//! Tests of the table of scenarios, and of the repeatability of random choices.
use super::*;

fn told(found: &[&str], allowed: &[&str]) -> Told {
    let set = |of: &[&str]| of.iter().map(|r| r.to_string()).collect();
    let first = found.iter().take(TOP).map(|r| r.to_string()).collect();
    Told {
        found: set(found),
        first,
        allowed: set(allowed),
        as_planted: true,
        starved: 0.0,
        line: String::new(),
    }
}

#[test]
fn a_rule_is_a_hit_where_it_was_planted_and_an_alarm_where_it_was_not() {
    let scenario = &SCENARIOS[0];
    let found = told(&["M1", "M22", "M27", "M99"], &["M27"]);
    assert!(!found.missed(scenario, Side::Planted));
    assert_eq!(found.alarms(scenario, Side::Planted), ["M22"]);
    assert_eq!(found.alarms(scenario, Side::Innocent), ["M1", "M22"]);
    let silent = told(&[], &["M27"]);
    assert!(silent.missed(scenario, Side::Planted) && !silent.missed(scenario, Side::Innocent));
}

#[test]
fn a_table_fails_for_one_weak_rule_for_recall_and_for_alarms() {
    let good = Row { positives: 10, found: 10, first: 10, near: 10, near_alarms: 0, all: 90, all_alarms: 0 };
    let check = |rows: [Row; 2], alarmed| {
        let mut tally = Tally::default();
        verdict(&BTreeMap::from([("M1", rows[0]), ("M2", rows[1])]), (100, alarmed), &mut tally);
        tally.failed
    };
    assert_eq!(check([good, good], 5), 0);
    assert_eq!(check([good, good], 6), 1);
    assert_eq!(check([good, Row { found: 9, ..good }], 0), 0);
    assert_eq!(check([good, Row { found: 7, ..good }], 0), 2, "the rule and the recall of all");
    assert_eq!(check([Row { first: 9, ..good }, good], 0), 0);
    assert_eq!(check([Row { first: 8, ..good }, good], 0), 1, "found, and too far down to be read");
    assert_eq!(check([good, Row { near_alarms: 3, ..good }], 0), 1);
}

#[test]
fn draw_is_repeated_by_its_seed_on_both_sides_of_a_pair() {
    let Ok(fathom) = Tool::fathom() else { return };
    let bench = |seed| Bench { fathom: fathom.clone(), seed, proof: true };
    let of = |seed, side, number| {
        let mut draw = bench(seed).draw(&SCENARIOS[3], side, number);
        (0..8).map(|_| draw.dice.below(1000)).collect::<Vec<_>>()
    };
    assert_eq!(of(7, Side::Planted, 0), of(7, Side::Removed, 0));
    for other in [of(8, Side::Planted, 0), of(7, Side::Innocent, 0), of(7, Side::Planted, 1)] {
        assert_ne!(of(7, Side::Planted, 0), other);
    }
}

#[test]
fn every_scenario_has_its_own_name() {
    let names: BTreeSet<&str> = SCENARIOS.iter().map(|s| s.name).collect();
    assert_eq!(names.len(), SCENARIOS.len());
}
