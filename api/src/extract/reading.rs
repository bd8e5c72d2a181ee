//! Queries: one snapshot of the read models in the caller's scope.

use super::Caller;
use crate::{app::App, notes::Notes, problem::ApiError};
use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use caudal_projections::{ReadTransaction, Scope, scalar::whole};
use std::future::{Ready, ready};

/// Answers a query: `let (mut transaction, scope) = reading.begin().await?;`. The snapshot is at least as new as
/// `X-Min-Ledger-Position` and the caller's own writes, and its position is returned as `X-Ledger-Position`.
#[derive(Clone)]
pub struct Reading {
    pub caller: Caller,
    pub app: Data<App>,
    request: HttpRequest,
    min_position: i64,
}

impl Reading {
    /// Takes the snapshot, and returns the scope for reading it.
    ///
    /// # Errors
    /// 503 when the read models are behind the requested position.
    pub async fn begin(&self) -> Result<(ReadTransaction, Scope), ApiError> {
        self.begin_at(self.min_position).await
    }

    /// [`Self::begin`] on the primary database, for reading the log: a standby may have the key of a person who was
    /// erased meanwhile.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub async fn begin_on_primary(&self) -> Result<ReadTransaction, ApiError> {
        let transaction = self.app.reads.begin(&self.caller.tenant, self.min_position).await?;
        Notes::read_at(&self.request, transaction.position());
        Ok(transaction)
    }

    pub(crate) async fn begin_at(&self, min_position: i64) -> Result<(ReadTransaction, Scope), ApiError> {
        let transaction = self
            .app
            .reads
            .begin_for_query(&self.caller.tenant, min_position)
            .await?;
        Notes::read_at(&self.request, transaction.position());
        Ok((transaction, self.caller.scope()))
    }

    pub(crate) fn of(request: &HttpRequest, payload: &mut Payload) -> Result<Self, ApiError> {
        let caller = Caller::from_request(request, payload).into_inner()?;
        let app = App::of(request)?;
        let written = app.written_by(&caller.tenant, caller.session);
        let min_position = min_position(request)?.max(written);
        Ok(Self {
            caller,
            app,
            request: request.clone(),
            min_position,
        })
    }
}

/// Minimum position of a query.
///
/// # Errors
/// 422 for an invalid header.
pub fn min_position(request: &HttpRequest) -> Result<i64, ApiError> {
    let Some(value) = request.headers().get("x-min-ledger-position") else {
        return Ok(0);
    };
    whole(value.to_str().unwrap_or_default()).map_err(|code| ApiError::invalid("X-Min-Ledger-Position", code))
}

impl FromRequest for Reading {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Self::of(request, payload))
    }
}
