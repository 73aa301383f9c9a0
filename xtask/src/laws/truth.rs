//! True rates of devices: closed forms where they exist, otherwise a simulation that shares no code with fathom.

/// Generator of uniform random numbers (splitmix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Returns the smallest depth with 95 % of the highest rate, and this rate, over depths 1 to `deepest`.
pub fn knee(deepest: u32, rate: impl Fn(u32) -> f64) -> (u32, f64) {
    let rates: Vec<f64> = (1..=deepest).map(rate).collect();
    let most = rates.iter().copied().fold(0.0, f64::max);
    let knee = rates.iter().position(|x| *x >= 0.95 * most).unwrap_or(0);
    (knee as u32 + 1, most)
}

/// Returns the rate of a closed loop of `n` requests, each of which spends `work` seconds (exponential mean) at one of
/// `k` servers and `think` seconds elsewhere, by the product form (Gordon and Newell 1967; rates from normalising
/// constants, Buzen 1973).
pub fn beside_servers(n: u32, k: u32, work: f64, think: f64) -> f64 {
    // Logarithms of the weights of j requests at the servers and n - j elsewhere.
    let constant = |n: u32| -> f64 {
        let (mut servers, mut beside) = (0.0, vec![0.0]);
        for j in 1..=n {
            beside.push(beside[j as usize - 1] + (think / f64::from(j)).ln());
        }
        let mut weights = vec![beside[n as usize]];
        for j in 1..=n {
            servers += (work / f64::from(j.min(k))).ln();
            weights.push(servers + beside[(n - j) as usize]);
        }
        let most = weights.iter().copied().fold(f64::MIN, f64::max);
        most + weights.iter().map(|w| (w - most).exp()).sum::<f64>().ln()
    };
    (constant(n - 1) - constant(n)).exp()
}

/// Returns the simulated IOPS of a disk with one head: the next request is the cheapest of up to `ncq`, or the oldest
/// if it was passed over 8 x `ncq` times. A seek takes `full` x sqrt(distance) seconds, the rotation a uniform time up
/// to `rotation` seconds.
pub fn disk(n: u32, ncq: u32, full: f64, rotation: f64, ios: u32, seed: u64) -> f64 {
    let mut chance = Chance(seed);
    let mut queue: Vec<f64> = (0..n).map(|_| chance.unit()).collect();
    let (mut head, mut now, mut passed) = (0.5, 0.0, 0);
    for _ in 0..ios {
        let seen = if passed >= 8 * ncq { 1 } else { queue.len().min(ncq as usize) };
        let mut best = (f64::MAX, 0);
        for (at, place) in queue[..seen].iter().enumerate() {
            let cost = full * (place - head).abs().sqrt() + rotation * chance.unit();
            if cost < best.0 {
                best = (cost, at);
            }
        }
        passed = if best.1 == 0 { 0 } else { passed + 1 };
        head = queue.remove(best.1);
        now += best.0;
        queue.push(chance.unit());
    }
    f64::from(ios) / now
}
