//! Default values of options, from the option table.

use crate::files::NoFiles;
use crate::reading::Reading;
use crate::spec::FieldValue;
use crate::table;

/// Returns the typed value of `option`, else the default in the option table.
pub fn or_default<T: FieldValue + Clone + Default>(typed: &Option<T>, option: &str) -> T {
    typed.clone().unwrap_or_else(|| {
        let default = default_of(option);
        debug_assert!(default.is_some(), "the row of {option} has no default");
        default.unwrap_or_default()
    })
}

/// Returns the default of `option` as typed; empty if the option has none.
pub fn default_text(option: &str) -> &'static str {
    table::find(option).map_or("", |row| row.default)
}

fn default_of<T: FieldValue>(option: &str) -> Option<T> {
    let row = table::find(option)?;
    let mut reading = Reading { kb_base: 1024, parse_only: false, files: &mut NoFiles };
    let (value, _) = row.read(Some(row.default), &mut reading).ok()?;
    T::from_value(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::JobSpec;

    /// `JobSpec` has its own copy of these two defaults, because it cannot depend on the option table.
    #[test]
    fn defaults_of_job_spec_are_those_of_the_table() {
        assert_eq!(JobSpec::default().engine(), default_text("ioengine"));
        assert_eq!(JobSpec::default().base().to_string(), default_text("kb_base"));
    }
}
