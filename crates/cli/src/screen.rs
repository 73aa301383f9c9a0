//! The whole terminal as a screen for live views: it is entered, drawn on, and restored on every way out of the program.
//!
//! What is shown is the caller's; this module knows the terminal: raw mode, the alternate screen, keys, sizes, signals,
//! suspension (Ctrl-Z), and panics.

use crate::signal;
use crate::terminal::screen_size;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::{cursor, execute, terminal};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::process::{Signal, getpid, kill_process};
use std::io::{self, IsTerminal, Stdout};
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Longest wait for a key: signals are noticed after this time.
const SLICE: Duration = Duration::from_millis(100);

/// Whether the terminal is in the state of a full-screen program.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// A key that a view knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A printable character.
    Character(char),
    /// One line up.
    Up,
    /// One line down.
    Down,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// Escape.
    Escape,
}

/// What happened while the program waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed.
    Key(Key),
    /// The picture is out of date: the size changed, or the program was resumed.
    Redraw,
    /// The user (Ctrl-C), a signal or the loss of the terminal asks for the end.
    End,
    /// The time is over.
    Nothing,
}

/// The terminal as a screen; dropped, it is as it was before.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    size: (u16, u16),
    signal: Arc<AtomicUsize>,
    colour: bool,
}

/// Returns whether standard input and output are a terminal.
pub fn available() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Clears the terminal and returns a blank picture of this size. `Terminal::clear` would ask the terminal for the place of
/// its cursor, which not every terminal answers.
fn blank(size: (u16, u16)) -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    execute!(io::stdout(), terminal::Clear(terminal::ClearType::All))?;
    let viewport = Viewport::Fixed(Rect::new(0, 0, size.0, size.1));
    Terminal::with_options(CrosstermBackend::new(io::stdout()), TerminalOptions { viewport })
}

fn set_up() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    ENTERED.store(true, Relaxed);
    execute!(io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)
}

/// Restores the terminal; does nothing if it is restored.
fn restore() {
    if ENTERED.swap(false, Relaxed) {
        // A terminal that is gone needs no restoration.
        let _ = execute!(io::stdout(), terminal::LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}

/// A message about a panic is readable only on the restored terminal.
fn restore_before_panics_are_reported() {
    static HOOKED: Once = Once::new();
    HOOKED.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            restore();
            report(info);
        }));
    });
}

impl Screen {
    /// Makes the terminal a screen. From here on, signals that would end the program end the wait for input.
    ///
    /// # Errors
    /// The terminal refuses raw mode, or cannot be written.
    pub fn enter() -> io::Result<Screen> {
        let signal = signal::watch();
        restore_before_panics_are_reported();
        let size = screen_size(&io::stdout());
        let entered = set_up().and_then(|()| blank(size));
        let terminal = entered.inspect_err(|_| restore())?;
        let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Ok(Screen { terminal, size, signal, colour })
    }

    /// Returns the size that is drawn: columns and rows.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// Returns whether colours are wanted (`NO_COLOR` is not set).
    pub fn colour(&self) -> bool {
        self.colour
    }

    /// Draws a picture; only what changed since the last one is sent.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Frame)) -> io::Result<()> {
        self.terminal.draw(paint).map(|_| ())
    }

    fn resize(&mut self) -> io::Result<()> {
        self.size = screen_size(&io::stdout());
        self.terminal = blank(self.size)?;
        Ok(())
    }

    /// Stops the program as Ctrl-Z does elsewhere; returns when it is resumed.
    fn suspend(&mut self) -> io::Result<()> {
        restore();
        // The default action of SIGTSTP stops the process; `fg` resumes it here.
        let _ = kill_process(getpid(), Signal::TSTP);
        set_up()?;
        self.resize()
    }

    /// Waits until `deadline` for a key or another event.
    pub fn wait(&mut self, deadline: Instant) -> Input {
        loop {
            if self.signal.load(Relaxed) != 0 {
                return Input::End;
            }
            // SIGWINCH reaches only the terminal's foreground process group: the size is asked for, too.
            if screen_size(&io::stdout()) != self.size {
                return if self.resize().is_ok() { Input::Redraw } else { Input::End };
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match event::poll(left.min(SLICE)) {
                Ok(true) => {}
                Ok(false) if left.is_zero() => return Input::Nothing,
                Ok(false) => continue,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Input::End,
            }
            match event::read() {
                Ok(Event::Resize(..)) => {
                    return if self.resize().is_ok() { Input::Redraw } else { Input::End };
                }
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                    match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
                        (KeyCode::Char('c' | 'd' | '\\'), true) => return Input::End,
                        (KeyCode::Char('z'), true) => {
                            return if self.suspend().is_ok() { Input::Redraw } else { Input::End };
                        }
                        (KeyCode::Char('l'), true) => {
                            return if self.resize().is_ok() { Input::Redraw } else { Input::End };
                        }
                        (KeyCode::Char(c), false) => return Input::Key(Key::Character(c)),
                        (KeyCode::Up, _) => return Input::Key(Key::Up),
                        (KeyCode::Down, _) => return Input::Key(Key::Down),
                        (KeyCode::PageUp, _) => return Input::Key(Key::PageUp),
                        (KeyCode::PageDown, _) => return Input::Key(Key::PageDown),
                        (KeyCode::Esc, _) => return Input::Key(Key::Escape),
                        _ => {}
                    }
                }
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Input::End,
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}
