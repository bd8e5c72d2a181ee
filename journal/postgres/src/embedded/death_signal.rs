//! Stops the server when this process dies, even by SIGKILL.
//!
//! Linux sends the parent-death signal when the thread that spawned a process ends, so the command must be spawned by a
//! thread that lives as long as the server. Other systems use the [`guardian`](super::guardian).

use std::process::Command;

/// Requests SIGINT (PostgreSQL's fast shutdown) for the command's process when the spawning thread ends.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "no safe interface sets the parent-death signal of a child that changes its user"
)]
pub(super) fn end_with_this_thread(command: &mut Command) {
    use std::io;
    use std::os::unix::process::CommandExt;

    use nix::sys::{prctl, signal::Signal};
    use nix::unistd::{getpid, getppid};

    let parent = getpid();
    // SAFETY: between fork and exec only async-signal-safe calls are allowed: prctl and getppid are, and neither the
    // closure nor its error allocates. It runs after the change of user, which would have cleared the signal.
    unsafe {
        command.pre_exec(move || {
            prctl::set_pdeathsig(Signal::SIGINT)?;
            // The parent may have died before prctl; then no signal would ever come.
            if getppid() == parent {
                Ok(())
            } else {
                Err(io::Error::from(io::ErrorKind::Interrupted))
            }
        });
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_with_this_thread(_command: &mut Command) {}
