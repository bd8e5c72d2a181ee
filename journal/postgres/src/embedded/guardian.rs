//! A shell process that cleans up after this process dies.
//!
//! Its standard input is a pipe from this process, so it reads end-of-file however this process ends.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::unistd::Pid;

/// Stops the server ($1) by SIGINT, waits for it, and removes the folder ($2) if given.
const SCRIPT: &str = r#"
read -r _
kill -INT "$1" 2>/dev/null
while kill -0 "$1" 2>/dev/null; do sleep 0.1; done
if [ -n "$2" ]; then rm -rf -- "$2"; fi
"#;

#[derive(Debug)]
pub(super) struct Guardian {
    shell: Child,
}

impl Guardian {
    /// Guards a server, and a folder to remove with it.
    pub(super) fn watch(server: Pid, remove: Option<&Path>) -> io::Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT, "guardian"])
            .arg(server.to_string())
            .arg(remove.unwrap_or(Path::new("")))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/")
            // Own process group: Ctrl-C must not reach it.
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }
}

impl Drop for Guardian {
    /// Dismisses the guardian after the server has ended.
    fn drop(&mut self) {
        if let Err(problem) = self.shell.kill().and_then(|()| self.shell.wait()) {
            tracing::warn!(%problem, "the guardian of PostgreSQL could not be dismissed");
        }
    }
}
