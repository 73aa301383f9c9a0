//! Exit statuses of the program.

/// Exit statuses of the program with their meaning, as shown by the man page and `fathom help status`.
pub const EXIT_STATUS: [(&str, &str); 9] = [
    ("0", "Success"),
    (
        "1",
        "Failure; with fathom fio and fathom run the number of failed jobs (run: at most 127), or wrong usage",
    ),
    ("2", "Wrong usage of one of the other commands"),
    (
        "3",
        "Refused for safety: nothing is written after the refusal, or nothing beyond --wear-budget; the message says how to override",
    ),
    (
        "4",
        "The grade is worse than --fail-under allows, something is slower than --fail-if-slower allows, fathom fit says no, fathom cloud says not kept, or fathom audit found a result of grade X",
    ),
    ("5", "The result could not be written"),
    (
        "6",
        "Nothing is known to be slower than --fail-if-slower allows, but the data cannot decide for at least one metric; fathom fit is not sure; fathom cloud says at most likely; fathom explain cannot tell; fathom audit found a result of grade C",
    ),
    ("128", "Ended early by a signal; the number of failed jobs is added"),
    ("141", "The reader of standard output closed it before the end, as head does"),
];

/// Exit status of all commands after a refusal for safety.
pub const REFUSED: i32 = 3;
