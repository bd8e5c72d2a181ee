//! Requests go to the node of their tenant's cell, by a directory that every process keeps (docs/decisions/cells.md).

use crate::{app::App, cells::Cells, extract::tenant_of};
use actix_web::{
    body::{BodySize, BoxBody, EitherBody, MessageBody},
    dev::{Extensions, ServiceRequest, ServiceResponse},
    http::{Method, header},
    middleware::Next,
    web::{Bytes, Data},
};
use caudal_domain::ids::TenantId;
use caudal_journal::{CellName, JournalError, Whereabouts, WithCauses};
use std::{
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::sync::watch;

/// How often the cells are asked who lives in them.
const LOOK: Duration = Duration::from_millis(200);
/// Timeout of one cell's answer: what it said before stays in force.
const LOOK_PATIENCE: Duration = Duration::from_secs(2);
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
    hand_over_reads(home);
    let unopened = home.cells.directory.borrow().unopened();
    for (tenant, from, to) in unopened {
        match open(home, &tenant, &from, &to).await {
            Ok(true) => tracing::info!(%tenant, %from, %to, "a tenant that had left was opened in its new cell"),
            Ok(false) => {}
            Err(error) => tracing::warn!(%tenant, %to, error = %WithCauses(&error), "a tenant could not be opened"),
        }
    }
}

/// Reads of personal data that were not recorded before their tenant left a cell are recorded where it lives.
fn hand_over_reads(home: &Data<App>) {
    let named = std::iter::once((CellName::home(), home.clone()));
    let others = home.cells.others().map(|(name, app)| (name.clone(), app.clone()));
    for (here, app) in named.chain(others) {
        app.readings.hand_over(|tenant| {
            let Whereabouts::Lives { cell, .. } = home.cells.directory.borrow().locate(tenant) else {
                return None;
            };
            let there = (cell != here).then(|| app_of(home, &cell))??;
            Some(there.readings.clone())
        });
    }
}

/// The node of a cell in this process.
fn app_of(home: &Data<App>, name: &CellName) -> Option<Data<App>> {
    match name.is_home() {
        true => Some(home.clone()),
        false => home.cells.other(Some(name)),
    }
}

async fn open(home: &Data<App>, tenant: &TenantId, from: &CellName, to: &CellName) -> Result<bool, JournalError> {
    match (app_of(home, from), app_of(home, to)) {
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
            gone: Box::pin(Cells::<App>::gone(seen, tenant, cell)),
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
