//! The job of `ioping`: the latency of one request after the other.
