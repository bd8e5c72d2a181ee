//! The addresses that a server listens on, until it is told to stop.

use super::{Serve, background::Background, nodes::ServedCell};
use crate::{
    app::App,
    cli::{Failure, demo, say},
    server::{self, Surface},
};
use actix_web::web::Data;
use caudal_generators::demo::Filled;
use std::{io, time::Duration};
use tokio::sync::watch;

/// Time for live streams to end by themselves at shutdown, before requests are awaited.
const STREAMS_END: Duration = Duration::from_millis(300);

impl Serve {
    /// Answers requests until the server is told to stop. The inner error is the server's own: what runs beside requests is
    /// ended all the same.
    pub(super) async fn answer(
        &self,
        app: &Data<App>,
        cells: &[ServedCell],
        background: &mut Background,
        filled: Filled,
        mut told_to_stop: watch::Receiver<bool>,
    ) -> Result<io::Result<()>, Failure> {
        let surface = match self.operations_listen {
            Some(_) => Surface::Public,
            None => Surface::Whole,
        };
        let listening = server::listen_for(surface, app.clone(), self.listen)?;
        let address = self.node_address.clone();
        let address = address.map(|address| address.listening_on(listening.address));
        background.join(address, app, cells);
        let operations = match self.operations_listen {
            Some(address) => Some(server::listen_for(Surface::Operations, app.clone(), address)?),
            None => None,
        };
        let operations = operations.map(|apart| {
            say(&format!("operations on http://{}", apart.address));
            (tokio::spawn(apart.server), apart.handle)
        });
        say(&format!("listening on http://{}", listening.address));
        if self.demo && filled != Filled::Occupied {
            demo::say_logins();
        }
        let mut serving = tokio::spawn(listening.server);
        let outcome = tokio::select! {
            ended = &mut serving => ended?,
            _ = told_to_stop.wait_for(|stop| *stop) => {
                tracing::info!("going down: requests under way are finished");
                app.go_down();
                cells.iter().for_each(|cell| cell.app.go_down());
                background.leave();
                tokio::time::sleep(STREAMS_END).await;
                listening.handle.stop(true).await;
                serving.await?
            }
        };
        if let Some((serving, handle)) = operations {
            handle.stop(true).await;
            serving.await??;
        }
        Ok(outcome)
    }
}
