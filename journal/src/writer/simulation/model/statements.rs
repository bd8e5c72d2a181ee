//! Statements of the writers on their way to the server and back: answered, carried out late, or lost.

use super::{ModelLog, Server};
use crate::{
    error::JournalError,
    writer::simulation::{mishaps::CallFault, stored::Stored},
};
use std::{io, time::Duration};
use tokio::{sync::oneshot, time::sleep};

/// How often a statement that waits for the head's lock looks for it.
const LOCK_POLL: Duration = Duration::from_millis(20);

impl ModelLog {
    /// A statement that changes nothing.
    pub(super) async fn read<T>(&self, read: impl FnOnce(&Stored) -> T + Send) -> Result<T, JournalError> {
        self.read_of(self.at, read).await
    }

    /// A statement that changes nothing, on the rows of a tenant.
    pub(super) async fn read_of<T>(
        &self,
        at: usize,
        read: impl FnOnce(&Stored) -> T + Send,
    ) -> Result<T, JournalError> {
        self.gate.pass().await;
        let (call_fault, there, back, generation) = {
            let mut server = self.model.server();
            (
                self.gate.call_fault(&mut server),
                server.pause(),
                server.pause(),
                server.generation,
            )
        };
        match call_fault {
            CallFault::Silent => return std::future::pending().await,
            CallFault::LostBefore => {
                sleep(there).await;
                return Err(lost());
            }
            _ => {}
        }
        sleep(there).await;
        let found = {
            let server = self.model.server();
            if server.generation != generation || server.is_down {
                return Err(lost());
            }
            read(&server.logs[at].stored)
        };
        sleep(back).await;
        self.gate.pass().await;
        if self.model.server().generation != generation || matches!(call_fault, CallFault::LostAnswer { .. }) {
            return Err(lost());
        }
        Ok(found)
    }

    /// A statement that changes what is stored: carried out by the server, whether or not its caller still waits.
    pub(super) fn carry_out<T: Send + 'static>(
        &self,
        after: Duration,
        lock: Option<u64>,
        change: impl FnOnce(&mut Server) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (model, at) = (self.model.clone(), self.at);
        let generation = model.server().generation;
        let (done, changed) = oneshot::channel();
        tokio::spawn(async move {
            sleep(after).await;
            loop {
                {
                    let mut server = model.server();
                    if server.generation != generation {
                        return;
                    }
                    let held = server.logs[at].lock;
                    if held.is_none() || held == lock {
                        let value = change(&mut server);
                        if lock.is_some() {
                            server.logs[at].lock = None;
                        }
                        // The caller may have given up.
                        let _ = done.send(value);
                        return;
                    }
                }
                sleep(LOCK_POLL).await;
            }
        });
        changed
    }
}

pub(super) fn lost() -> JournalError {
    sqlx::Error::Io(io::ErrorKind::ConnectionReset.into()).into()
}
