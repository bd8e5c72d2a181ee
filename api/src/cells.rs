//! Cells: a process serves the tenants of several databases, each with a node of its own. A request goes to the node of the
//! cell in which its tenant lives (docs/decisions/cells.md).

use crate::{app::App, extract::tenant_of};
use actix_web::{
    body::{BodySize, BoxBody, EitherBody, MessageBody},
    dev::{Extensions, ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
    web::{Bytes, Data},
};
use caudal_domain::ids::TenantId;
use caudal_journal::{CellName, Directory, JournalError, Whereabouts, WithCauses};
use std::{
    collections::BTreeMap,
    pin::Pin,
    rc::Rc,
    sync::OnceLock,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{sync::watch, time::Instant};

/// How often the cells are asked who lives in them.
const LOOK: Duration = Duration::from_millis(200);
/// Timeout of one cell's answer: what it said before stays in force.
const LOOK_PATIENCE: Duration = Duration::from_secs(2);
/// From the announcement of a move's end until every node keeps writes waiting: two looks and their answers.
pub const NOTICE: Duration = Duration::from_millis(600);
/// From the opening of a tenant in its new cell until no node reads in the old one, nor has a stream open there.
pub const LAST_READS: Duration = Duration::from_secs(3);
/// How long a write waits for the end of a move; longer than a move's last steps take.
const WRITE_PATIENCE: Duration = Duration::from_secs(15);

/// The other cells of a process.
#[derive(Default)]
pub struct Cells {
    others: OnceLock<BTreeMap<CellName, Data<App>>>,
    directory: watch::Sender<Directory>,
}

impl Cells {
    /// Sets the nodes of the other cells, once.
    pub fn join(&self, others: BTreeMap<CellName, Data<App>>) {
        let _ = self.others.set(others);
    }

    pub fn others(&self) -> impl Iterator<Item = (&CellName, &Data<App>)> {
        self.others.get().into_iter().flatten()
    }

    fn are_none(&self) -> bool {
        self.others.get().is_none_or(BTreeMap::is_empty)
    }

    /// The node of another cell, by name.
    fn other(&self, cell: Option<&CellName>) -> Option<Data<App>> {
        self.others.get()?.get(cell?).cloned()
    }

    /// The cell of a request's tenant. A write waits, with a timeout, while its tenant is between two cells.
    async fn cell_of(&self, tenant: &TenantId, is_write: bool) -> Option<CellName> {
        let mut seen = self.directory.subscribe();
        let deadline = Instant::now() + WRITE_PATIENCE;
        loop {
            let at = seen.borrow_and_update().locate(tenant);
            let found = match at {
                Whereabouts::Lives { cell, takes_writes } if takes_writes || !is_write => return Some(cell),
                Whereabouts::Lives { cell, .. } => Some(cell),
                Whereabouts::Between => None,
            };
            // What comes after the deadline is refused by the database, or taken when the hold has run out.
            if !matches!(tokio::time::timeout_at(deadline, seen.changed()).await, Ok(Ok(()))) {
                return found;
            }
        }
    }

    /// Completes when a tenant no longer lives in this cell.
    async fn gone(mut seen: watch::Receiver<Directory>, tenant: TenantId, at: Option<CellName>) {
        let cell = |directory: &Directory| match directory.locate(&tenant) {
            Whereabouts::Lives { cell, .. } => Some(cell),
            Whereabouts::Between => None,
        };
        if seen.wait_for(|directory| cell(directory) != at).await.is_err() {
            std::future::pending().await
        }
    }
}

/// Asks all cells who lives in them. A cell that does not answer keeps what it said before.
pub async fn look(home: &Data<App>) {
    let named = std::iter::once((CellName::home(), home.clone()));
    let others = home.cells.others().map(|(name, app)| (name.clone(), app.clone()));
    let asked = named.chain(others).map(|(name, app)| async move {
        let said = tokio::time::timeout(LOOK_PATIENCE, app.journal.placements()).await;
        match said {
            Ok(Ok(placements)) => Some((name, placements)),
            Ok(Err(error)) => {
                tracing::debug!(cell = %name, error = %WithCauses(&error), "a cell did not say who lives in it");
                None
            }
            Err(_) => None,
        }
    });
    let said = futures::future::join_all(asked).await;
    home.cells.directory.send_modify(|directory| {
        for (name, placements) in said.into_iter().flatten() {
            directory.update(name, placements);
        }
    });
    let unopened = home.cells.directory.borrow().unopened();
    for (tenant, from, to) in unopened {
        match open(home, &tenant, &from, &to).await {
            Ok(true) => tracing::info!(%tenant, %from, %to, "a tenant that had left was opened in its new cell"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%tenant, %to, error = %WithCauses(&error), "a tenant could not be opened"),
        }
    }
}

async fn open(home: &Data<App>, tenant: &TenantId, from: &CellName, to: &CellName) -> Result<bool, JournalError> {
    let app = |name: &CellName| match name.is_home() {
        true => Some(home.clone()),
        false => home.cells.other(Some(name)),
    };
    match (app(from), app(to)) {
        (Some(from), Some(to)) => to.journal.open_arrived(&from.journal, tenant).await,
        _ => Ok(false),
    }
}

/// Keeps the directory until `stop` turns true.
pub async fn follow(home: Data<App>, mut stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        look(&home).await;
    }
}

/// Middleware: hands a request to the node of its tenant's cell. A stream ends when its tenant moves, so that its client
/// connects again.
pub async fn route<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    let app = request.app_data::<Data<App>>().cloned();
    let app = app.filter(|app| !app.cells.are_none() && request.path().starts_with("/api/"));
    let tenant = app.and_then(|app| Some((tenant_of(request.request()).ok()?, app)));
    let Some((tenant, app)) = tenant else {
        return Ok(next.call(request).await?.map_into_left_body());
    };
    let is_write = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let seen = app.cells.directory.subscribe();
    let cell = app.cells.cell_of(&tenant, is_write).await;
    if let Some(of_cell) = app.cells.other(cell.as_ref()) {
        let mut data = Extensions::new();
        data.insert(of_cell);
        request.add_data_container(Rc::new(data));
    }
    let answer = next.call(request).await?;
    let kind = answer.headers().get(header::CONTENT_TYPE);
    if kind.is_none_or(|kind| !kind.as_bytes().starts_with(b"text/event-stream")) {
        return Ok(answer.map_into_left_body());
    }
    Ok(answer.map_body(|_, body| {
        EitherBody::right(BoxBody::new(Stream {
            body: BoxBody::new(body),
            gone: Box::pin(Cells::gone(seen, tenant, cell)),
        }))
    }))
}

/// A stream that ends when its tenant has moved.
struct Stream {
    body: BoxBody,
    gone: Pin<Box<dyn Future<Output = ()>>>,
}

impl MessageBody for Stream {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = self.get_mut();
        if this.gone.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut this.body).poll_next(context)
    }
}
