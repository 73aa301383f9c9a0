//! Chromium without a window, controlled by its DevTools protocol over two pipes: pages are opened, used and examined
//! as by a person.

use base64::{Engine, engine::general_purpose::STANDARD};
use rustix::event::{PollFd, PollFlags, poll};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Error, Read, Result, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for an answer of the browser.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running browser, which is ended on drop.
pub struct Browser {
    child: Child,
    to: File,
    from: File,
    unread: Vec<u8>,
    calls: u64,
    events: Vec<Value>,
}

/// Size, theme and kind of the window in which a page is shown.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether the system's theme is dark.
    pub dark: bool,
    /// Whether the device is a telephone (touch screen, mobile viewport).
    pub mobile: bool,
}

impl View {
    /// Window of a desktop computer.
    pub const DESK: View = View { width: 1280, height: 900, dark: false, mobile: false };
    /// Screen of a telephone.
    pub const PHONE: View = View { width: 390, height: 844, dark: false, mobile: true };

    /// Returns the same view with the dark system theme.
    pub fn dark(self) -> View {
        View { dark: true, ..self }
    }
}

impl Browser {
    /// Starts a browser with its profile and downloads in `dir`.
    ///
    /// # Errors
    /// The browser cannot be started, or does not answer in time.
    pub fn start(dir: &Path) -> Result<Browser> {
        let (theirs_in, ours_out) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        rustix::fs::fcntl_setfl(&ours_out, rustix::fs::OFlags::NONBLOCK)?;
        let (ours_in, theirs_out) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let mut command = Command::new("chromium");
        command
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", dir.join("profile").display()))
            .arg("about:blank")
            .env("HOME", dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let (reads, writes): (OwnedFd, OwnedFd) = (theirs_in, theirs_out);
        let (from, to) = (reads.as_raw_fd(), writes.as_raw_fd());
        let place = move || {
            // It reads from 3 and writes to 4, wherever the pipes lie: first out of the way, then there.
            // SAFETY: dup2 and fcntl are async-signal-safe, take descriptors by number, and touch no memory.
            unsafe {
                let (from, to) = (libc::fcntl(from, libc::F_DUPFD, 10), libc::fcntl(to, libc::F_DUPFD, 10));
                if from < 0 || to < 0 || libc::dup2(from, 3) < 0 || libc::dup2(to, 4) < 0 {
                    return Err(Error::last_os_error());
                }
                libc::close(from);
                libc::close(to);
            }
            Ok(())
        };
        // SAFETY: between fork and exec only the calls above are made.
        let child = unsafe { command.pre_exec(place) }.spawn()?;
        Ok(Browser {
            child,
            to: File::from(ours_out),
            from: File::from(ours_in),
            unread: Vec::new(),
            calls: 0,
            events: Vec::new(),
        })
    }

    /// Writes all of `bytes` to the browser without blocking: a pipe takes 64 KiB, and a browser that stopped reading
    /// would block the test for ever.
    fn send(&mut self, mut bytes: &[u8], end: Instant) -> Result<()> {
        while !bytes.is_empty() {
            wait_for(&self.to, PollFlags::OUT, end)?;
            match self.to.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    fn message(&mut self, end: Instant) -> Result<Value> {
        loop {
            if let Some(at) = self.unread.iter().position(|b| *b == 0) {
                let rest = self.unread.split_off(at + 1);
                let mut message = std::mem::replace(&mut self.unread, rest);
                message.pop();
                return serde_json::from_slice(&message).map_err(Error::other);
            }
            wait_for(&self.from, PollFlags::IN, end)?;
            let mut part = [0; 65536];
            match self.from.read(&mut part)? {
                0 => return Err(Error::other("the browser ended")),
                n => self.unread.extend_from_slice(&part[..n]),
            }
        }
    }

    fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Result<Value> {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": parameters });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let end = Instant::now() + PATIENCE;
        self.send(&bytes, end)?;
        loop {
            let answer = self.message(end)?;
            if answer["id"] != json!(self.calls) {
                self.events.push(answer);
            } else if let Some(error) = answer.get("error") {
                return Err(Error::other(format!("{method}: {error}")));
            } else {
                return Ok(answer["result"].clone());
            }
        }
    }

    /// Opens `url` in a new tab; files that the page saves go to `downloads`.
    ///
    /// # Errors
    /// The page does not load, or the browser does not answer in time.
    pub fn open(&mut self, url: &str, view: View, downloads: &Path) -> Result<Tab<'_>> {
        let blank = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }))?;
        let how = json!({ "targetId": blank["targetId"], "flatten": true });
        let session = self.call(None, "Target.attachToTarget", how)?;
        let behavior = json!({ "behavior": "allow", "downloadPath": downloads });
        self.call(None, "Browser.setDownloadBehavior", behavior)?;
        self.events.clear();
        let session = session["sessionId"].as_str().unwrap_or_default().to_string();
        let mut tab = Tab { browser: self, session };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            tab.call(&format!("{domain}.enable"), json!({}))?;
        }
        tab.size(view)?;
        let scheme = if view.dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        tab.call("Emulation.setEmulatedMedia", media)?;
        tab.call("Page.navigate", json!({ "url": url }))?;
        tab.js("new Promise((done) => { const look = () => document.readyState === 'complete' && location.href !== 'about:blank' ? done(1) : setTimeout(look, 10); look(); })")?;
        Ok(tab)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        crate::bounded::kill(&mut self.child);
    }
}

/// Page that is open in a tab of the browser.
pub struct Tab<'a> {
    browser: &'a mut Browser,
    session: String,
}

impl Tab<'_> {
    fn call(&mut self, method: &str, parameters: Value) -> Result<Value> {
        self.browser.call(Some(&self.session), method, parameters)
    }

    fn size(&mut self, view: View) -> Result<()> {
        let metrics = json!({ "width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": view.mobile });
        self.call("Emulation.setDeviceMetricsOverride", metrics).map(drop)
    }

    /// Returns the value of a JavaScript expression; a promise is awaited.
    ///
    /// # Errors
    /// The expression throws an exception, or the browser does not answer in time.
    pub fn js(&mut self, expression: &str) -> Result<Value> {
        let how = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let answer = self.call("Runtime.evaluate", how)?;
        match answer.get("exceptionDetails") {
            Some(wrong) => Err(Error::other(format!("{expression}: {wrong}"))),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Moves the mouse to a position in CSS pixels.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn hover(&mut self, x: f64, y: f64) -> Result<()> {
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y })).map(drop)
    }

    /// Clicks at a position in CSS pixels.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn click(&mut self, x: f64, y: f64) -> Result<()> {
        self.hover(x, y)?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Scrolls the first element that matches a CSS selector into view and clicks its centre.
    ///
    /// # Errors
    /// There is no such element, or the browser does not answer in time.
    pub fn click_on(&mut self, selector: &str) -> Result<()> {
        let place = self.js(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ))?;
        self.click(place[0].as_f64().unwrap_or(0.0), place[1].as_f64().unwrap_or(0.0))
    }

    /// Turns the mouse wheel at a position with the control key held; `delta` is in CSS pixels.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn wheel(&mut self, x: f64, y: f64, delta: f64) -> Result<()> {
        let event =
            json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta, "modifiers": 2 });
        self.call("Input.dispatchMouseEvent", event).map(drop)
    }

    /// Presses and releases a key: `ArrowRight`, `+`.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn key(&mut self, key: &str) -> Result<()> {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }))?;
        }
        Ok(())
    }

    /// Returns a PNG image of the whole page, at most 12,000 pixels high.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn picture(&mut self, view: View) -> Result<Vec<u8>> {
        let height = self.js("document.documentElement.scrollHeight")?.as_u64().unwrap_or(0) as u32;
        self.size(View { height: height.clamp(view.height, 12_000), ..view })?;
        // Parts of the page are drawn only when they come into view.
        self.js("new Promise((done) => setTimeout(done, 400))")?;
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        self.size(view)?;
        decoded(&answer)
    }

    /// Switches the print style of the page on or off.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn paper(&mut self, on: bool) -> Result<()> {
        let (media, event) = if on { ("print", "beforeprint") } else { ("", "afterprint") };
        self.call("Emulation.setEmulatedMedia", json!({ "media": media }))?;
        self.js(&format!("dispatchEvent(new Event('{event}'))")).map(drop)
    }

    /// Returns the printed page as PDF.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn printed(&mut self) -> Result<Vec<u8>> {
        let answer = self.call("Page.printToPDF", json!({ "printBackground": true }))?;
        decoded(&answer)
    }

    /// Returns console messages, exceptions and requests to other files or hosts since the tab was opened.
    ///
    /// # Errors
    /// The browser does not answer in time.
    pub fn troubles(&mut self) -> Result<Vec<String>> {
        // The answer to this call arrives after all earlier events.
        self.js("new Promise((done) => setTimeout(done, 50))")?;
        let trouble = |event: &Value| {
            let parameters = &event["params"];
            match event["method"].as_str()? {
                "Runtime.exceptionThrown" | "Log.entryAdded" => Some(parameters.to_string()),
                "Runtime.consoleAPICalled" => Some(parameters.to_string()),
                "Network.requestWillBeSent" => {
                    let url = parameters["request"]["url"].as_str()?;
                    let own =
                        ["file:", "data:", "blob:", "about:"].iter().any(|scheme| url.starts_with(scheme));
                    (!own).then(|| format!("request of {url}"))
                }
                _ => None,
            }
        };
        Ok(self.browser.events.iter().filter_map(trouble).collect())
    }
}

fn wait_for(pipe: &File, what: PollFlags, end: Instant) -> Result<()> {
    let left = end.saturating_duration_since(Instant::now());
    let wait =
        rustix::time::Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
    match poll(&mut [PollFd::new(pipe, what)], Some(&wait))? {
        0 => Err(Error::new(std::io::ErrorKind::TimedOut, "the browser does not answer")),
        _ => Ok(()),
    }
}

fn decoded(answer: &Value) -> Result<Vec<u8>> {
    STANDARD.decode(answer["data"].as_str().unwrap_or_default()).map_err(Error::other)
}
