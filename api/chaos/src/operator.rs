//! The operator's commands, run as an operator runs them: the same program, in a node's data folder.

use crate::node::Launch;
use std::{collections::BTreeSet, process::Stdio};

/// What a command said.
#[derive(Debug)]
pub struct CommandOutput {
    /// Whether it ended with 0.
    pub is_success: bool,
    /// Its output and its errors.
    pub text: String,
}

/// Runs a command of the program to its end.
pub fn run(launch: &Launch, arguments: &[&str]) -> CommandOutput {
    let output = launch
        .command()
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program under test starts");
    let text = [output.stdout, output.stderr].concat();
    CommandOutput {
        is_success: output.status.success(),
        text: String::from_utf8_lossy(&text).into_owned(),
    }
}

/// An answer that `quarantine show` names as lost: position, number, id.
pub type Named = (i64, String, String);

/// What `quarantine show` names as lost.
pub fn named(shown: &str) -> BTreeSet<Named> {
    shown.lines().filter_map(named_in).collect()
}

fn named_in(line: &str) -> Option<Named> {
    let mut words = line.trim().split(' ').skip_while(|word| *word != "position").skip(1);
    let position = words.next()?.parse().ok()?;
    let (number, id) = (words.next()?, words.next()?);
    line.contains(" actor ")
        .then(|| (position, number.to_owned(), id.to_owned()))
}
