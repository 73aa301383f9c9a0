//! The full-screen view of a run: the keys that open and close it, the alternate screen, and the state of the terminal.
//!
//! Standard error is the terminal that is drawn on, standard input the one whose keys are read. Ctrl-C and the other signals
//! keep their meaning: the terminal delivers them, not the view.

use crate::{signal, terminal};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style as Look};
use ratatui::text::{Line, Span, Text};
use ratatui::{TerminalOptions, Viewport};
use report::Lang;
use report::live_view::{LiveView, Row, Style};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use signal_hook::iterator::{Handle, Signals};
use stats::Live;
use std::io::{IsTerminal, Stderr, stderr, stdin};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Once, PoisonError};

/// The view of one run, shown or not.
pub struct LiveScreen {
    view: LiveView,
    /// Whether the view shall be shown when the next sample arrives.
    wanted: bool,
    /// Whether the view is paused: samples are kept, rows stay.
    frozen: bool,
    drawn: Vec<Row>,
    screen: Option<Terminal<CrosstermBackend<Stderr>>>,
    keys: Option<Keys>,
    /// Messages to print on the normal screen when the view is left.
    held: Vec<String>,
    colours: bool,
}

impl LiveScreen {
    /// Returns the view of a run; `None` if the program is not in the foreground of a terminal.
    pub fn new(lang: Lang) -> Option<Self> {
        if !stderr().is_terminal() || !stdin().is_terminal() || !in_foreground() {
            return None;
        }
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Some(Self {
            view: LiveView::new(lang),
            wanted: false,
            frozen: false,
            drawn: Vec::new(),
            screen: None,
            keys: None,
            held: Vec::new(),
            colours,
        })
    }

    /// Shows the view as soon as there is a sample.
    pub fn open(&mut self) {
        self.wanted = true;
    }

    /// Returns whether the view is shown or about to be.
    pub fn wanted(&self) -> bool {
        self.wanted
    }

    /// Returns whether the view is on the screen.
    pub fn shown(&self) -> bool {
        self.screen.is_some()
    }

    /// Adds a message to the events of the view, and prints it when the view is left.
    pub fn say(&mut self, line: &str) {
        self.view.event(line);
        self.held.push(line.to_owned());
    }

    /// Adds a sample, handles the keys that were pressed, and draws the view of the activity `what` if it is wanted.
    pub fn look(&mut self, what: &str, live: &Live) {
        self.view.add(live);
        // The first signal asks for the end: what follows belongs on the normal screen.
        if signal::asked() {
            self.leave();
            self.wanted = false;
            return;
        }
        if self.keys.is_none() {
            self.keys = Keys::read();
        }
        for key in self.keys.as_ref().map(Keys::pressed).unwrap_or_default() {
            match key {
                b'v' => self.wanted = !self.wanted,
                b'q' => self.wanted = false,
                b'p' if self.shown() => {
                    self.frozen = !self.frozen;
                    self.drawn.clear();
                }
                _ => {}
            }
        }
        match (self.wanted, self.shown()) {
            (true, false) => self.enter(),
            (false, true) => self.leave_view(),
            _ => {}
        }
        self.draw(what);
    }

    fn enter(&mut self) {
        // `Terminal::clear` and `resize` would ask the terminal for the place of its cursor, and wait for the answer.
        let clear = Clear(ClearType::All);
        // Said first: a fault in between leaves a screen that was not entered, which does no harm.
        sys::terminal_fault::alternate_screen(true);
        if execute!(stderr(), EnterAlternateScreen, cursor::Hide, clear).is_ok() {
            ON_SCREEN.store(true, Relaxed);
            let options = TerminalOptions { viewport: Viewport::Fixed(area()) };
            let screen = Terminal::with_options(CrosstermBackend::new(stderr()), options).ok();
            if let Some(before) = std::mem::replace(&mut self.screen, screen) {
                terminal::drop_picture(before);
            }
            self.drawn.clear();
        }
    }

    fn draw(&mut self, what: &str) {
        let wanted = area();
        // After a stop, the shell's screen is shown, and after a panic of a worker its message.
        let stopped = self.keys.as_ref().is_some_and(Keys::was_stopped) || !ON_SCREEN.load(Relaxed);
        if self.screen.as_mut().is_some_and(|screen| stopped || screen.get_frame().area() != wanted) {
            self.enter();
        }
        let Some(screen) = &mut self.screen else { return };
        if !self.frozen || self.drawn.is_empty() {
            let (width, height) = (usize::from(wanted.width), usize::from(wanted.height));
            self.drawn = self.view.rows(what, width, height, self.frozen);
        }
        let text = text(&self.drawn, self.colours);
        // A terminal that is gone cannot be drawn on; the run continues.
        let _ = screen.draw(|frame| frame.render_widget(text, frame.area()));
    }

    fn leave_view(&mut self) {
        if let Some(screen) = self.screen.take() {
            terminal::drop_picture(screen);
            back_to_normal_screen();
            self.frozen = false;
            self.drawn.clear();
        }
        for line in self.held.drain(..) {
            eprintln!("{line}");
        }
    }

    /// Leaves the view and restores the terminal; the next sample shows the view again if it was shown.
    pub fn leave(&mut self) {
        self.leave_view();
        self.keys = None;
    }
}

impl Drop for LiveScreen {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Whether the alternate screen is shown, for the thread that handles signals.
static ON_SCREEN: AtomicBool = AtomicBool::new(false);

fn back_to_normal_screen() {
    if ON_SCREEN.swap(false, Relaxed) {
        sys::terminal_fault::alternate_screen(false);
        // The status line may be there still.
        let line = Clear(ClearType::CurrentLine);
        let _ = execute!(stderr(), LeaveAlternateScreen, cursor::Show, cursor::MoveToColumn(0), line);
    }
}

fn area() -> Rect {
    let (columns, rows) = terminal::screen_size(&stderr());
    Rect::new(0, 0, columns, rows)
}

/// Returns whether this process may change the terminal of standard input without being stopped.
fn in_foreground() -> bool {
    rustix::termios::tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn text(rows: &[Row], colours: bool) -> Text<'static> {
    let line = |row: &Row| {
        let spans = row.iter().map(|piece| Span::styled(piece.text.clone(), look(piece.style, colours)));
        Line::from(spans.collect::<Vec<_>>())
    };
    Text::from(rows.iter().map(line).collect::<Vec<_>>())
}

fn look(style: Style, colours: bool) -> Look {
    let plain = Look::default();
    match style {
        Style::Strong => plain.add_modifier(Modifier::BOLD),
        _ if !colours => plain,
        Style::Spark(0) => plain.fg(Color::Cyan),
        Style::Spark(1) => plain.fg(Color::Yellow),
        Style::Spark(_) => plain.fg(Color::Magenta),
        Style::Heat(share) if share >= 5 => plain.fg(Color::Red),
        Style::Heat(share) if share >= 2 => plain.fg(Color::Yellow),
        Style::Heat(_) => plain.fg(Color::Blue),
        Style::Event => plain.fg(Color::Yellow),
        Style::Plain => plain,
    }
}

/// The terminal delivers each key at once and does not show it, until this value is dropped.
struct Keys {
    /// State of the terminal before, which the thread that handles signals restores, too.
    before: Arc<Mutex<Option<Termios>>>,
    /// Whether the process was stopped (Ctrl-Z) and continued since the last question.
    stopped: Arc<AtomicBool>,
    signals: Option<Handle>,
}

impl Keys {
    /// Starts to read keys; `None` if the terminal refuses.
    fn read() -> Option<Keys> {
        if !in_foreground() {
            return None;
        }
        let saved = tcgetattr(stdin()).ok()?;
        let before = Arc::new(Mutex::new(Some(saved.clone())));
        let stopped = Arc::new(AtomicBool::new(false));
        // A terminal that cannot be remembered is restored on all ways but these.
        let _ = sys::terminal_fault::remember(&stdin(), &stderr());
        static HOOKED: Once = Once::new();
        terminal::before_panic_messages(&HOOKED, back_to_normal_screen);
        one_by_one(saved)?;
        let signals = handle_signals(before.clone(), stopped.clone());
        Some(Keys { before, stopped, signals })
    }

    /// Returns the keys pressed since the last call.
    fn pressed(&self) -> Vec<u8> {
        let mut keys = vec![0; 64];
        let input = stdin();
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut polled = [PollFd::new(&input, PollFlags::IN)];
        let ready = in_foreground() && poll(&mut polled, Some(&now)).is_ok_and(|ready| ready > 0);
        let read = if ready { rustix::io::read(&input, &mut keys).unwrap_or(0) } else { 0 };
        keys.truncate(read);
        keys
    }

    fn was_stopped(&self) -> bool {
        self.stopped.swap(false, Relaxed)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        if let Some(signals) = self.signals.take() {
            signals.close();
        }
        restore(&self.before);
        sys::terminal_fault::forget();
    }
}

/// Makes the terminal deliver each key at once, without showing it; signals of keys stay.
fn one_by_one(mut state: Termios) -> Option<()> {
    state.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    state.special_codes[SpecialCodeIndex::VMIN] = 0;
    state.special_codes[SpecialCodeIndex::VTIME] = 0;
    tcsetattr(stdin(), OptionalActions::Now, &state).ok()
}

fn restore(before: &Mutex<Option<Termios>>) {
    let before = before.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before.filter(|_| in_foreground()) {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &before);
    }
}

/// Restores the terminal as soon as a signal asks for the end, because a second one ends the process at once; and gives it back
/// while the process is stopped.
fn handle_signals(before: Arc<Mutex<Option<Termios>>>, stopped: Arc<AtomicBool>) -> Option<Handle> {
    const WANTED: [Signal; 6] =
        [Signal::TSTP, Signal::CONT, Signal::INT, Signal::TERM, Signal::QUIT, Signal::HUP];
    let mut signals = Signals::new(WANTED.map(Signal::as_raw)).ok()?;
    let handle = signals.handle();
    let run = move || {
        for signal in signals.forever() {
            let state = || before.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let state = || state().filter(|_| in_foreground());
            if signal == Signal::TSTP.as_raw() {
                back_to_normal_screen();
                if let Some(state) = state() {
                    let _ = tcsetattr(stdin(), OptionalActions::Now, &state);
                }
                // This thread may run on for a moment; what follows the stop is done at SIGCONT.
                let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::STOP);
            } else if signal == Signal::CONT.as_raw() {
                // In the foreground or not.
                if let Some(state) = state() {
                    one_by_one(state);
                }
                stopped.store(true, Relaxed);
            } else {
                back_to_normal_screen();
                restore(&before);
            }
        }
    };
    std::thread::Builder::new().name("keys".into()).spawn(run).ok()?;
    Some(handle)
}
