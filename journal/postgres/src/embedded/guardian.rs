//! A shell that waits for our end, when something is to be done after it.
//!
//! Its standard input is a pipe from this process: however we end, it reads the end of the file.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::unistd::Pid;

/// Stops the server ($1) as a Ctrl-C would, waits for it, and removes the folder ($2) if one is named.
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
    /// Watches over a server, and over the folder that is to go with it.
    pub(super) fn watch(server: Pid, remove: Option<&Path>) -> io::Result<Self> {
        let shell = Command::new("sh")
            .args(["-c", SCRIPT, "guardian"])
            .arg(server.to_string())
            .arg(remove.unwrap_or(Path::new("")))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/")
            // Signals to our process group (Ctrl-C) are not for it.
            .process_group(0)
            .spawn()?;
        Ok(Self { shell })
    }
}

impl Drop for Guardian {
    /// Dismisses it: the server has ended while we live.
    fn drop(&mut self) {
        if let Err(problem) = self.shell.kill().and_then(|()| self.shell.wait()) {
            tracing::warn!(%problem, "the guardian of PostgreSQL could not be dismissed");
        }
    }
}
