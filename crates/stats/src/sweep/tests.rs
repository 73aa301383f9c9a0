use super::*;
use crate::access::Access;

fn cell(iodepth: u32, numjobs: u32) -> SweepCell {
    let access = Access { rw: "randread".into(), bs: 4096, ..Access::default() };
    SweepCell { access, iodepth, numjobs, runtime_s: 1.0, percent: None }
}

fn asked(cells: Vec<SweepCell>, repeats: u32) -> SweepAsked {
    SweepAsked { cells, repeats, ..SweepAsked::default() }
}

#[test]
fn order_visits_every_cell_once_in_every_round() {
    let asked = asked((1..=20).map(|depth| cell(depth, 1)).collect(), 3);
    let order = asked.order(1);
    for round in order.chunks(20) {
        let mut sorted = round.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
        assert_ne!(sorted, round);
    }
    assert_ne!(order[..20], order[20..40]);
    assert_ne!(order, asked.order(2));
    assert_eq!(order, asked.order(1));
}
