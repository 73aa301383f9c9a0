//! `fathom stat --watch`: the devices on the whole screen.

use super::arguments::Request;
use super::{Clock, now_ms};
use crate::screen::{Input, Key, Screen};
use facts::SysRoot;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use report::Lang;
use report::stat::view::{self, Look, State};
use stats::io_counters::IoReport;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tools::stat::Collector;

/// Number of reports that are kept: ten minutes at one a second.
const KEPT: usize = 600;
/// Rows that a page key moves.
const PAGE: isize = 10;
/// Exit status after a signal.
const ENDED: i32 = 128;

fn style(look: Look, colour: bool) -> Style {
    let plain = Style::new();
    match look {
        Look::Title => plain.add_modifier(Modifier::BOLD),
        Look::Heading if colour => plain.fg(Color::Cyan).add_modifier(Modifier::BOLD),
        Look::Heading => plain.add_modifier(Modifier::BOLD),
        Look::Plain => plain,
        Look::Chosen => plain.add_modifier(Modifier::REVERSED),
        Look::Keys if colour => plain.fg(Color::DarkGray),
        Look::Keys => plain,
    }
}

fn draw(screen: &mut Screen, lang: Lang, reports: &[IoReport], state: &State) -> std::io::Result<()> {
    let ((columns, rows), colour) = (screen.size(), screen.colour());
    let lines = view::lines(lang, reports, state, columns.into(), rows.into());
    screen.draw(|frame| {
        let area = frame.area();
        for (row, line) in (area.top()..area.bottom()).zip(&lines) {
            let text = Line::styled(line.text.as_str(), style(line.look, colour));
            frame.buffer_mut().set_line(area.left(), row, &text, area.width);
        }
    })
}

/// Shows the view until the user ends it; returns the exit status.
pub fn main(lang: Lang, root: SysRoot, request: Request) -> i32 {
    let clock = Clock::from_environment();
    let interval = request.interval.unwrap_or(1).min(3600);
    // Devices that the user named stay in iostat's order.
    let (named, mut active) = (!request.selection.listed.is_empty(), BTreeSet::new());
    let mut collector = Collector::new(root, request.selection);
    // The counters from which the first interval starts.
    collector.next(now_ms());
    let mut state = State { interval, time: clock.time(now_ms()), ..State::default() };
    let mut reports: Vec<IoReport> = Vec::new();
    let mut screen = match Screen::enter() {
        Ok(screen) => screen,
        Err(e) => {
            eprintln!("fathom stat: {e}");
            return 1;
        }
    };
    let mut due = Instant::now() + Duration::from_secs(interval);
    let mut left = request.count;
    loop {
        if draw(&mut screen, lang, &reports, &state).is_err() {
            return ENDED;
        }
        let rows = reports.last().map_or(&[][..], |report| report.devices.as_slice());
        let moved = |by| view::moved(rows, &state, by).unwrap_or_default();
        match screen.wait(due) {
            Input::End => return ENDED,
            Input::Redraw => {}
            Input::Key(Key::Character('q') | Key::Escape) => return 0,
            Input::Key(Key::Character('p' | ' ')) => state.paused = !state.paused,
            Input::Key(Key::Up | Key::Character('k')) => state.chosen = moved(-1),
            Input::Key(Key::Down | Key::Character('j')) => state.chosen = moved(1),
            Input::Key(Key::PageUp) => state.chosen = moved(-PAGE),
            Input::Key(Key::PageDown) => state.chosen = moved(PAGE),
            Input::Key(Key::Character(_)) => {}
            Input::Nothing => {
                while due <= Instant::now() {
                    due += Duration::from_secs(interval);
                }
                // What happens during a pause is in the first interval after it.
                if !state.paused {
                    let mut report = collector.next(now_ms());
                    if !named {
                        view::active_first(&mut report.devices, &mut active);
                    }
                    reports.push(report);
                    reports.drain(..reports.len().saturating_sub(KEPT));
                    state.time = clock.time(now_ms());
                    left = left.map(|left| left.saturating_sub(1));
                    if left == Some(0) {
                        return 0;
                    }
                }
            }
        }
    }
}
