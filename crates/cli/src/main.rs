//! The program `fathom`.
#![forbid(unsafe_code)]

fn main() {
    fathom_cli::main()
}
