//! fio's own messages, word for word: what scripts that call fio look for. English only.

// Values of options.

// Sections, job files, the command line.

// Runs.
