//! `fathom catalog [CLASS]`: what classes of devices reach.

use crate::output::print;
use crate::terminal;
use lab::device_class::catalogue;
use report::Lang;

/// List classes of devices with their usual rates and latencies
///
/// Disks, SSDs, SD cards, cloud volumes and others.
#[derive(clap::Args)]
pub struct Arguments {
    /// Class in the list; shows the published figures of its devices
    class: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit status.
pub fn main(lang: Lang, asked: &Arguments) -> i32 {
    let (all, width) = (catalogue(), terminal::width());
    let text = match &asked.class {
        None if asked.json => report::device_class::json(all),
        None => report::device_class::list(lang, all, width),
        Some(name) => match all.class(name) {
            Ok(class) if asked.json => report::device_class::class_json(all, class),
            Ok(class) => report::device_class::class(lang, all, class, width),
            Err(near) => {
                eprintln!("fathom catalog: {}", report::device_class::unknown(lang, name, near));
                return 2;
            }
        },
    };
    print(&text);
    0
}
