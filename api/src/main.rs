//! The `caudal` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    caudal_api::cli::run()
}
