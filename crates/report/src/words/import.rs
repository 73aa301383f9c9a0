//! Texts for the errors of `import` and for its remarks about fio's files.

use crate::Lang;
use crate::catalog::{say, word};
use import::{Column, ImportError, LineFault, Remark, Text};
use rustix::io::Errno;

/// Returns the reason why no file could be read.
pub fn error(lang: Lang, error: &ImportError) -> String {
    match error {
        ImportError::Unreadable { path, why } => format!("{}: {why}", path.display()),
        ImportError::Nothing { path, why, others: 0 } => format!("{}: {}", path.display(), remark(lang, why)),
        ImportError::Nothing { path, why, others } => {
            let (path, why) = (path.to_string_lossy(), remark(lang, why));
            say!(lang, "import-nothing-of-several", path, why, others)
        }
    }
}

/// Returns a remark about a file: the reason why it was skipped, or a peculiarity of a file that was read.
pub fn remark(lang: Lang, remark: &Remark) -> String {
    match remark {
        Remark::System(errno) => system(*errno),
        Remark::EmptyDirectory => word!(lang, "import-empty-directory").into(),
        Remark::NoPath => word!(lang, "import-no-path").into(),
        Remark::TooLong { most_mib } => say!(lang, "import-too-long", most = most_mib.to_string()),
        Remark::NotRegular => word!(lang, "import-not-regular").into(),
        Remark::Compressed => word!(lang, "import-compressed").into(),
        Remark::SameLoad { first } => say!(lang, "import-same-load", first = first.to_string_lossy()),
        Remark::EmptyLog => word!(lang, "import-empty-log").into(),
        Remark::Line { number, fault } => {
            say!(lang, "import-line", line = number.to_string(), fault = line_fault(lang, fault))
        }
        Remark::LastLine { number, fault } => {
            say!(lang, "import-last-line", line = number.to_string(), fault = line_fault(lang, fault))
        }
        Remark::NoRate { direction } => say!(lang, "import-no-rate", direction = direction.name()),
        Remark::EarlierReports { reports } => say!(lang, "import-earlier-reports", reports),
        Remark::NoIo { job } => say!(lang, "import-no-io", job = quoted(job)),
        Remark::NoJob => word!(lang, "import-no-job").into(),
        Remark::Empty => word!(lang, "import-empty").into(),
        Remark::BreaksOff { line, error } => say!(lang, "import-breaks-off", line = line.to_string(), error),
        Remark::DocumentBreaksOff { line } => {
            say!(lang, "import-document-breaks-off", line = line.to_string())
        }
        Remark::TextBefore { lines, first } => say!(lang, "import-text-before", lines, first),
        Remark::NoJson(text) => no_json(lang, *text),
        Remark::JobsNotListed => word!(lang, "import-jobs-not-listed").into(),
        Remark::Unified { job } => say!(lang, "import-unified", job = quoted(job)),
        Remark::JobFailed { job, error } => {
            say!(lang, "import-job-failed", job = quoted(job), error = error.to_string())
        }
    }
}

fn no_json(lang: Lang, text: Text) -> String {
    let readable = word!(lang, "import-readable");
    match text {
        Text::Terse => say!(lang, "import-terse", readable),
        Text::Report => say!(lang, "import-text-report", readable),
        Text::Foreign => say!(lang, "import-foreign", readable),
        Text::UnnamedLog => word!(lang, "import-unnamed-log").into(),
    }
}

fn line_fault(lang: Lang, fault: &LineFault) -> String {
    match fault {
        LineFault::System(errno) => system(*errno),
        LineFault::TooLong => word!(lang, "import-line-too-long").into(),
        LineFault::Columns { columns } => say!(lang, "import-line-columns", columns),
        LineFault::HistogramColumns { columns } => say!(lang, "import-line-histogram-columns", columns),
        LineFault::NotWhole { column, text } => {
            say!(lang, "import-line-not-whole", column = column_name(lang, *column), text = quoted(text))
        }
        LineFault::NotNumber { text } => say!(lang, "import-line-not-number", text = quoted(text)),
        LineFault::NotDirection { number } => {
            say!(lang, "import-line-not-direction", number = number.to_string())
        }
        LineFault::Buckets { buckets } => say!(lang, "import-line-buckets", buckets),
        LineFault::Count { ios } => say!(lang, "import-line-count", ios = ios.to_string()),
    }
}

fn column_name(lang: Lang, column: Column) -> &'static str {
    match column {
        Column::Time => word!(lang, "import-column-time"),
        Column::Direction => word!(lang, "import-column-direction"),
        Column::BlockSize => word!(lang, "import-column-block-size"),
        Column::Fifth => word!(lang, "import-column-fifth"),
        Column::Count => word!(lang, "import-column-count"),
    }
}

/// Returns a text from a file in quotes, with control characters escaped.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn system(errno: Errno) -> String {
    std::io::Error::from(errno).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_words_of_every_remark_and_error() {
        let job = || "j".to_owned();
        let line = |fault| Remark::Line { number: 2, fault };
        let readable = "fathom reads fio's JSON (--output-format=json or json+) and its logs (write_bw_log \
                        and similar options)";
        let remarks = [
            (Remark::System(Errno::ACCESS), "Permission denied (os error 13)".to_owned()),
            (Remark::EmptyDirectory, "no .json and no .log file in this directory".into()),
            (Remark::NoPath, "no file or directory to read".into()),
            (Remark::TooLong { most_mib: 256 }, "longer than 256 MiB, which no result is".into()),
            (Remark::NotRegular, "not a regular file".into()),
            (
                Remark::Compressed,
                "compressed histograms cannot be read: fio stores addresses in them instead of counts".into(),
            ),
            (
                Remark::SameLoad { first: "a.json".into() },
                "the same load as in a.json: both are kept, no mean is taken".into(),
            ),
            (Remark::EmptyLog, "the log has no line".into()),
            (
                Remark::LastLine { number: 3, fault: LineFault::Columns { columns: 1 } },
                "line 3, the last, is cut off and left out: 1 column; fio's logs have time, value, direction, \
                 block size"
                    .into(),
            ),
            (
                Remark::NoRate { direction: stats::Direction::Write },
                "no rate: all I/Os (write) completed in the first millisecond of the log".into(),
            ),
            (
                Remark::EarlierReports { reports: 2 },
                "2 earlier reports of the same run left out: the last one includes them".into(),
            ),
            (Remark::NoIo { job: job() }, "job \"j\" did no I/O: it has no chart".into()),
            (Remark::NoJob, "the JSON has no job".into()),
            (Remark::Empty, "empty".into()),
            (
                Remark::BreaksOff { line: 4, error: "EOF while parsing a string".into() },
                "the JSON breaks off at line 4: EOF while parsing a string".into(),
            ),
            (
                Remark::DocumentBreaksOff { line: 4 },
                "the JSON document that begins at line 4 breaks off and is left out".into(),
            ),
            (
                Remark::TextBefore { lines: 2, first: "fio: pid=7".into() },
                "2 lines of text before the JSON left out, the first: fio: pid=7".into(),
            ),
            (
                Remark::NoJson(Text::Terse),
                format!("terse output of fio, which has neither pattern nor depth; {readable}"),
            ),
            (Remark::NoJson(Text::Report), format!("a text report of fio; {readable}")),
            (Remark::NoJson(Text::Foreign), format!("no output of fio; {readable}")),
            (
                Remark::NoJson(Text::UnnamedLog),
                "a log whose name does not say what it counts; fio's logs are named PREFIX_bw.1.log, and _iops, \
                 _lat, _slat, _clat, _clat_hist"
                    .into(),
            ),
            (Remark::JobsNotListed, "\"jobs\" is not a list".into()),
            (
                Remark::Unified { job: job() },
                "job \"j\" counts all directions as one (unified_rw_reporting): reads and writes cannot be told \
                 apart"
                    .into(),
            ),
            (
                Remark::JobFailed { job: job(), error: 5 },
                "job \"j\" ended with error 5: its figures cover the time before it".into(),
            ),
            (line(LineFault::TooLong), "line 2: longer than any line of fio's logs".into()),
            (
                line(LineFault::HistogramColumns { columns: 2 }),
                "line 2: 2 columns; fio's histogram logs have time, direction, block size, counts".into(),
            ),
            (
                line(LineFault::NotWhole { column: Column::BlockSize, text: "-1".into() }),
                "line 2: the block size \"-1\" is not a whole number from 0 up".into(),
            ),
            (
                line(LineFault::NotNumber { text: "nan".into() }),
                "line 2: the value \"nan\" is not a number from 0 up".into(),
            ),
            (
                line(LineFault::NotDirection { number: 5 }),
                "line 2: 5 is not a direction; fio has 0 for read, 1 for write, 2 for trim".into(),
            ),
            (
                line(LineFault::Buckets { buckets: 3 }),
                "line 2: 3 counts; fio's histograms have 1856, or half as many for each step of \
                 log_hist_coarseness"
                    .into(),
            ),
            (line(LineFault::Count { ios: 7 }), "line 2: 7 I/Os in one interval are not possible".into()),
        ];
        for (found, expected) in remarks {
            assert_eq!(remark(Lang::En, &found), expected, "{found:?}");
        }
        let one = ImportError::Nothing { path: "x".into(), why: Remark::Empty, others: 0 };
        let several = ImportError::Nothing { path: "x".into(), why: Remark::Empty, others: 2 };
        assert_eq!(error(Lang::En, &one), "x: empty");
        assert_eq!(error(Lang::En, &several), "x: empty (2 other files could not be read either)");
    }
}
