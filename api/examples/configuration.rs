//! Writes the page of settings: `cargo run -p caudal-api --example configuration > docs/configuration.md`.

use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    io::stdout()
        .lock()
        .write_all(caudal_api::settings::page(&caudal_api::cli::command()).as_bytes())
}
