//! What block devices did, from their own counters.
