//! The whole terminal as a screen for live views: it is entered, drawn on, and restored on every way out of the program.
//!
//! What is shown is the caller's; this module knows the terminal: raw mode, the alternate screen, keys, sizes, signals,
//! suspension (Ctrl-Z), and panics.

use crate::signal;
use crate::terminal::{before_panic_messages, drop_picture, screen_size};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::{cursor, execute, terminal};
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
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
    /// The picture; `None` only while it is replaced or dropped.
    terminal: Option<Terminal<CrosstermBackend<Stdout>>>,
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
    // A terminal that cannot be remembered is restored on all ways but the end by a fault.
    let _ = sys::terminal_fault::remember(&io::stdin(), &io::stdout());
    sys::terminal_fault::alternate_screen(true);
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
        sys::terminal_fault::forget();
    }
}

impl Screen {
    /// Makes the terminal a screen. From here on, signals that would end the program end the wait for input.
    ///
    /// # Errors
    /// The terminal refuses raw mode, or cannot be written.
    pub fn enter() -> io::Result<Screen> {
        let signal = signal::watch();
        static HOOKED: Once = Once::new();
        before_panic_messages(&HOOKED, restore);
        let size = screen_size(&io::stdout());
        let entered = set_up().and_then(|()| blank(size));
        let terminal = entered.inspect_err(|_| restore())?;
        let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Ok(Screen { terminal: Some(terminal), size, signal, colour })
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
        self.terminal.as_mut().map_or(Ok(()), |terminal| terminal.draw(paint).map(|_| ()))
    }

    fn resize(&mut self) -> io::Result<()> {
        self.size = screen_size(&io::stdout());
        self.terminal.take().into_iter().for_each(drop_picture);
        self.terminal = Some(blank(self.size)?);
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
            // Crossterm reads a terminal that is gone for ever: it is asked only while there is one.
            if is_gone(Duration::ZERO) {
                return Input::End;
            }
            match event::poll(Duration::ZERO) {
                Ok(true) => {}
                Ok(false) if left.is_zero() => return Input::Nothing,
                Ok(false) if is_gone(left.min(SLICE)) => return Input::End,
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

/// Waits for a key at most this long, and returns whether the terminal is gone.
fn is_gone(wait: Duration) -> bool {
    let input = io::stdin();
    let mut polled = [PollFd::new(&input, PollFlags::IN)];
    let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
    // A signal ends the wait: the caller looks at it.
    let _ = poll(&mut polled, Some(&wait));
    polled[0].revents().intersects(PollFlags::HUP | PollFlags::ERR)
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.terminal.take().into_iter().for_each(drop_picture);
        restore();
    }
}
