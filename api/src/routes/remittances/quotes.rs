//! Quotes: price and payout of a remittance, computed from the current state.

use crate::{
    app::App,
    extract::{Caller, Filters},
    input::remittance::QuoteQuery,
    notes::Notes,
    problem::ApiError,
};
use actix_web::{HttpRequest, HttpResponse, get, web::Data};
use caudal_domain::{
    Quote, Refusal, TenantState,
    ids::PartyId,
    money::Amount,
    party::{Party, Role},
    remittance::{QuoteBasis, quote, remaining_balance},
};
use caudal_projections::scalar::{CurrencyCode, Decimal, Money};
use serde::Serialize;
use utoipa::ToSchema;

/// Price and payout of a remittance; `amount` and fees are in USD.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Quote)]
pub(super) struct QuoteView {
    /// Amount sent, in USD.
    amount: Money,
    /// Amount paid out, in `currencyTo`.
    payout: Money,
    /// Currency paid out, such as `CUP`.
    currency_to: CurrencyCode,
    /// Exchange rate: units of `currencyTo` per USD.
    exchange_rate: Decimal,
    /// The manager's commission, in USD.
    manager_fee: Money,
    /// The agency's commission, in USD.
    agency_fee: Money,
    /// The agent's commission, in USD.
    agent_fee: Money,
    /// Sum of the commissions, in USD.
    total_fee: Money,
    /// Amount plus commissions, in USD.
    total_to_pay: Money,
    /// The seller's balance in this group after the sale, in `currencyTo`; negative when on credit or beyond the credit
    /// limit.
    remaining_balance: Money,
}

impl From<(Quote, Amount)> for QuoteView {
    fn from((quote, remaining): (Quote, Amount)) -> Self {
        Self {
            amount: quote.amount.into(),
            payout: quote.payout.into(),
            currency_to: quote.currency_to.into(),
            exchange_rate: quote.exchange_rate.into(),
            manager_fee: quote.manager_fee.into(),
            agency_fee: quote.agency_fee.into(),
            agent_fee: quote.agent_fee.into(),
            total_fee: quote.total_fee.into(),
            total_to_pay: quote.total_to_pay.into(),
            remaining_balance: remaining.into(),
        }
    }
}

/// Quote an amount, or the amount for a payout. Exactly one of Amount and Payout is required.
#[utoipa::path(tag = "Quotes", operation_id = "getQuote", params(QuoteQuery),
    responses((status = 200, description = "The quote.", body = QuoteView)))]
#[get("/api/remittances/fees")]
pub(super) async fn get_quote(
    app: Data<App>,
    caller: Caller,
    request: HttpRequest,
    query: Filters<QuoteQuery>,
) -> Result<HttpResponse, ApiError> {
    let wanted = query.0.request()?;
    let (state, head) = app.journal.state(&caller.tenant).await?;
    Notes::read_at(&request, head.position);
    let seller = seller(&state, &caller, wanted.seller)?;
    let asked_for = match wanted.asked {
        QuoteBasis::Amount(_) => "Amount",
        QuoteBasis::Payout(_) => "Payout",
    };
    let (_, quote) =
        quote(&state, seller, wanted.group, wanted.asked).map_err(|refusal| by_parameters(refusal, asked_for))?;
    let remaining = remaining_balance(&state, seller, wanted.group, &quote);
    Ok(HttpResponse::Ok().json(QuoteView::from((quote, remaining))))
}

/// The seller: the caller, the party named by a manager, or, for requoting an agent's sale, a colleague in the caller's
/// agency.
fn seller<'a>(state: &'a TenantState, caller: &Caller, named: Option<PartyId>) -> Result<&'a Party, Refusal> {
    let unknown = || Refusal::invalid("sellerId", "seller_unknown");
    let own_agency = match caller.role {
        Role::Agency => Some(caller.party),
        Role::InternalAgent => caller.agency,
        _ => None,
    };
    let of_own_agency = |id: PartyId| {
        own_agency
            .is_some_and(|agency| id == agency || state.party(id).is_some_and(|party| party.agency == Some(agency)))
    };
    let id = match (caller.role, named) {
        (Role::Manager, named) => named.ok_or_else(|| Refusal::invalid("sellerId", "required"))?,
        (_, None) => caller.party,
        (_, Some(named)) if named == caller.party || of_own_agency(named) => named,
        _ => return Err(unknown()),
    };
    state
        .party(id)
        .filter(|party| party.is_active && party.role.sells())
        .ok_or_else(unknown)
}

/// Renames the domain's field names to parameters.
fn by_parameters(mut refusal: Refusal, asked_for: &'static str) -> Refusal {
    for error in &mut refusal.errors {
        error.field = match error.field.as_ref() {
            "paymentGroupId" => "PaymentGroupId".into(),
            "agencyId" => "sellerId".into(),
            _ => asked_for.into(),
        };
    }
    refusal
}
