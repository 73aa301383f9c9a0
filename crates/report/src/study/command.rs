//! The recommended job as a command line.

use crate::columns;
use stats::study::Study;

/// Returns the words of the command that runs the first job of the recommended job file. `None` if there is no such
/// file, and for a simulated device, which no job file can name.
pub(super) fn of_first_job(study: &Study) -> Option<Vec<String>> {
    if study.recommended.is_empty() || study.asked.engine == "model" {
        return None;
    }
    let (mut global, mut job) = (Vec::new(), Vec::new());
    for line in study.recommended.lines().filter(|line| !line.is_empty() && !line.starts_with(';')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some("global") => {}
            Some(_) if !job.is_empty() => break,
            Some(name) => job.push(word(&format!("--name={name}"))),
            // `stonewall` waits for the job before, and there is only one job.
            None if line == "stonewall" => {}
            None if job.is_empty() => global.push(word(&format!("--{line}"))),
            None => job.push(word(&format!("--{line}"))),
        }
    }
    // In the job file, the last job removes the scratch file; this command has only the first.
    let at = study.loads.first().map_or(0, |load| load.target);
    let scratch = study.targets.get(at).is_some_and(|target| target.scratch);
    if scratch && !job.iter().any(|word| word == "--unlink=1") {
        job.push("--unlink=1".into());
    }
    let mut start = vec!["fathom".to_owned(), "run".into()];
    if !study.asked.hosts.is_empty() {
        start.extend(["--hosts".to_owned(), word(&study.asked.hosts.join(","))]);
        if !study.asked.share.is_empty() {
            start.extend(["--share".to_owned(), study.asked.share.clone()]);
        }
    }
    Some([start, job, global].concat())
}

/// Returns the text quoted as one word of a shell.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./,:+@%^~".contains(c);
    if text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Returns the command in lines of at most `width` columns, joined by `\` for the shell.
pub(super) fn fold(words: &[String], width: usize) -> Vec<String> {
    let mut lines = vec![String::from(" ")];
    for word in words {
        let Some(line) = lines.last_mut() else { continue };
        // Two columns stay free for the backslash.
        if !line.trim().is_empty() && columns(line) + 1 + columns(word) + 2 > width {
            line.push_str(" \\");
            lines.push(format!("    {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::study::StudyTarget;

    #[test]
    fn first_job_is_one_command_in_several_lines() {
        let mut study = Study {
            recommended: "; by fathom\n[global]\nioengine=libaio\ndirect=1\n\n[4k-randread]\nstonewall\n\
                          filename=/a b\nrw=randread\n\n[other]\nrw=read\n"
                .into(),
            ..Study::default()
        };
        let words = of_first_job(&study).unwrap_or_default();
        assert_eq!(
            words,
            [
                "fathom",
                "run",
                "--name=4k-randread",
                "'--filename=/a b'",
                "--rw=randread",
                "--ioengine=libaio",
                "--direct=1"
            ]
        );
        assert_eq!(
            fold(&words, 40),
            [
                "  fathom run --name=4k-randread \\",
                "    '--filename=/a b' --rw=randread \\",
                "    --ioengine=libaio --direct=1"
            ]
        );
        // The job that removes the scratch file is the last of the job file, which this command does not run.
        study.targets = vec![StudyTarget { scratch: true, ..StudyTarget::default() }];
        assert!(of_first_job(&study).unwrap_or_default().contains(&"--unlink=1".to_string()));
        study.asked.engine = "model".into();
        assert_eq!(of_first_job(&study), None);
    }
}
