//! What must hold for any bytes that are read as a trace: shared by the fuzz target and the replay of its corpus.

use job::job::ReplaySpec;
use job::trace::{Names, Replayed, TraceFaultKind, scan};
use std::num::NonZeroU64;

/// Reads the bytes as a trace: the times of its records never go back, each I/O ends below 2^63 and has a file, and the
/// examination counts what the reader returns.
pub fn trace(bytes: &[u8]) {
    for redirect in [None, Some("other".into())] {
        let spec = ReplaySpec {
            traces: vec!["-".into()],
            no_stall: false,
            redirect,
            scale: NonZeroU64::MIN,
            align: NonZeroU64::MIN,
            time_scale: NonZeroU64::MIN,
            skip: [false; 4],
            merge: None,
        };
        let (mut names, mut last, mut ios) = (Names::default(), 0, 0u64);
        let Ok(mut replayed) = Replayed::new(bytes, &spec) else { return };
        let fault = loop {
            match replayed.next(&mut names) {
                Ok(Some(record)) => {
                    assert!(record.nanos >= last && (record.file as usize) < names.files().len());
                    last = record.nanos;
                    ios += u64::from(record.action.direction().is_some());
                    let end = record.offset.checked_add(record.length.into());
                    assert!(end.is_some_and(|end| end <= i64::MAX as u64), "{record:?}");
                    assert_eq!(record.action.direction().is_some(), record.length > 0, "{record:?}");
                }
                Ok(None) => break None,
                Err(fault) => break Some(fault),
            }
        };
        match (fault, scan(bytes, &spec)) {
            (Some(fault), found) => assert_eq!(found.map(|_| ()), Err(fault)),
            (None, Ok(summary)) => assert_eq!(summary.ios.iter().sum::<u64>(), ios),
            // A replay needs one volume of a collection.
            (None, Err(fault)) => assert!(ios == 0 || matches!(fault.kind, TraceFaultKind::Volumes { .. })),
        }
    }
}
