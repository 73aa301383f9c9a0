//! Access to values of fio's JSON, where numbers may be strings and strings may be numbers.

use serde_json::{Map, Value};

pub(crate) fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

/// Largest valid number: fio counts with 64 bits, so a larger number was not measured.
const LARGEST: f64 = u64::MAX as f64;

pub(crate) fn number(object: &Map<String, Value>, key: &str) -> Option<f64> {
    object.get(key).and_then(Value::as_f64).filter(|v| v.abs() <= LARGEST)
}

pub(crate) fn count(object: &Map<String, Value>, key: &str) -> u64 {
    let value = object.get(key);
    value
        .and_then(Value::as_u64)
        .unwrap_or_else(|| value.and_then(Value::as_f64).filter(|v| *v <= LARGEST).unwrap_or(0.0) as u64)
}
