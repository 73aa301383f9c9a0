//! Texts of errnos.

/// Returns the text of an errno, without Rust's "(os error N)".
pub fn errno_text(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}
