//! Samples of a study as CSV.

use crate::export::line;
use stats::pts::{
    PtsBlock, PtsDemand, PtsMatrix, PtsPhase, PtsResult, PtsSample, PtsSteady, PtsStudy, PtsTestRun,
};

const HEAD: &str = "study,test,part,phase,round,cell,in_window,order,reads_percent,bs_bytes,threads,iodepth,began_ms,\
                    idle_s,seconds,iops,bytes_per_second,mean_ns,p99999_ns,max_ns,cpu_percent,read_ios,write_ios,\
                    read_bytes,written_bytes,errors,celsius\n";

/// Returns the study as CSV with a header, one row per sample in the order of measurement. `bs_bytes` is empty for the
/// composite workload; `in_window` is 1 for the cells of the measurement window, and `idle_s` the time between two jobs without their start and
/// end.
pub fn csv(study: &PtsStudy) -> String {
    let mut text = String::from(HEAD);
    for run in &study.runs {
        let (samples, steady) = samples(run);
        for (part, sample) in samples {
            let cell = sample.place.phase == PtsPhase::Round;
            let window = cell && steady.get(part).is_some_and(|s| s.contains(sample.place.round));
            line(&mut text, &row(study, run, sample, window));
        }
    }
    text
}

fn row(study: &PtsStudy, run: &PtsTestRun, s: &PtsSample, window: bool) -> Vec<String> {
    let some = |value: Option<String>| value.unwrap_or_default();
    let block = match s.load.block {
        PtsBlock::Bytes(bytes) => bytes.to_string(),
        PtsBlock::Composite => String::new(),
    };
    vec![
        study.id.to_string(),
        run.test.name().into(),
        s.place.part.to_string(),
        phase(s.place.phase).into(),
        s.place.round.to_string(),
        s.place.cell.to_string(),
        u8::from(window).to_string(),
        if s.load.random { "random" } else { "sequential" }.into(),
        s.load.reads.to_string(),
        block,
        s.load.threads.to_string(),
        s.load.depth.to_string(),
        s.began_ms.to_string(),
        s.idle_s.to_string(),
        s.seconds.to_string(),
        s.iops.to_string(),
        s.bytes_per_second.to_string(),
        s.mean_ns.to_string(),
        some(s.p99999_ns.map(|ns| ns.min(s.max_ns).to_string())),
        s.max_ns.to_string(),
        s.cpu_percent.to_string(),
        s.ios[0].to_string(),
        s.ios[1].to_string(),
        s.bytes[0].to_string(),
        s.bytes[1].to_string(),
        s.errors.to_string(),
        some(s.celsius.map(|celsius| celsius.to_string())),
    ]
}

fn phase(phase: PtsPhase) -> &'static str {
    match phase {
        PtsPhase::Fill => "fill",
        PtsPhase::Precondition => "precondition",
        PtsPhase::Round => "round",
        PtsPhase::Slice => "slice",
        PtsPhase::PreWrite => "pre_write",
        PtsPhase::Saturation => "saturation",
        PtsPhase::Burst => "burst",
        PtsPhase::Return => "return",
        PtsPhase::FirstGroup => "first_group",
        PtsPhase::Between => "between",
        PtsPhase::SecondGroup => "second_group",
        PtsPhase::OperatingWrites => "operating_writes",
        PtsPhase::Histogram => "histogram",
    }
}

/// Returns the samples of a test in the order of measurement, each with the index of the steady state that its rounds
/// belong to, and these steady states.
fn samples(run: &PtsTestRun) -> (Vec<(usize, &PtsSample)>, Vec<&PtsSteady>) {
    let mut all: Vec<(usize, &PtsSample)> = Vec::new();
    let mut steady = Vec::new();
    match &run.result {
        PtsResult::Iops(matrix) => of_matrix(&mut all, &mut steady, matrix),
        PtsResult::Throughput(parts) => {
            parts.iter().for_each(|part| of_matrix(&mut all, &mut steady, &part.matrix));
        }
        PtsResult::Latency(latency) => {
            of_matrix(&mut all, &mut steady, &latency.matrix);
            all.extend(latency.histogram.iter().map(|sample| (0, sample)));
        }
        PtsResult::Wsat(saturation) => {
            all.extend(saturation.minutes.iter().chain(&saturation.histogram).map(|sample| (0, sample)));
        }
        PtsResult::Hir(recovery) => {
            all.extend(recovery.preconditioning.minutes.iter().map(|sample| (0, sample)));
            let states = recovery.states.iter();
            let states = states.flat_map(|state| state.bursts.iter().chain(&state.return_minutes));
            all.extend(states.map(|sample| (0, sample)));
        }
        PtsResult::Xsr(recovery) => {
            let groups = [&recovery.first, &recovery.between, &recovery.second];
            all.extend(groups.into_iter().flatten().map(|sample| (0, sample)));
        }
        PtsResult::Cbw(demand) | PtsResult::Dirth(demand) => of_demand(&mut all, &mut steady, demand),
        PtsResult::HddIops(slices) | PtsResult::HddThroughput(slices) => {
            let samples = slices.slices.iter().flat_map(|slice| &slice.samples).chain(&slices.unfinished);
            all.extend(samples.map(|sample| (0, sample)));
        }
    }
    // The sort is stable: samples that began in the same millisecond keep their order.
    all.sort_by_key(|(_, sample)| sample.began_ms);
    (all, steady)
}

fn of_matrix<'a>(
    all: &mut Vec<(usize, &'a PtsSample)>,
    steady: &mut Vec<&'a PtsSteady>,
    matrix: &'a PtsMatrix,
) {
    let part = steady.len();
    let rounds = matrix.rounds.iter().flat_map(|round| &round.samples);
    all.extend(matrix.fill.iter().chain(rounds).chain(&matrix.unfinished).map(|sample| (part, sample)));
    steady.push(&matrix.steady);
}

fn of_demand<'a>(
    all: &mut Vec<(usize, &'a PtsSample)>,
    steady: &mut Vec<&'a PtsSteady>,
    demand: &'a PtsDemand,
) {
    of_matrix(all, steady, &demand.matrix);
    let minutes = demand.preconditioning.minutes.iter().chain(&demand.pre_writes);
    all.extend(minutes.map(|sample| (0, sample)));
    let operating = demand.operating.iter().flat_map(|point| point.writes.iter().chain(&point.histogram));
    all.extend(operating.map(|sample| (0, sample)));
}
