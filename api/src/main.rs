//! The `caudal` command.

fn main() {}
