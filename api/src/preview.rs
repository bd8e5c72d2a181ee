//! Previews: what a write would do, without doing it (`?preview=true` or `Prefer: preview`).
//!
//! A handler runs as for a write. [`crate::submit::Submit`] has its command decided and thrown away, and the answer
//! leaves by way of [`crate::problem::ApiError`], so that no handler goes on to what only a write does.

use crate::{
    catalogue,
    extract::{Language, QueryFields},
    policy,
    problem::{ApiError, Said},
};
use actix_web::HttpRequest;
use caudal_domain::{Figures, Preview, PreviewedAccount, PreviewedTransfer, TransferCode, refusal::Params};
use caudal_projections::scalar::{CurrencyCode, Decimal, Money};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The query field that asks for a preview.
const FIELD: &str = "preview";

/// The preference (RFC 7240) that asks for one.
pub const PREFERENCE: &str = "preview";

/// Whether a request asks for a preview.
///
/// # Errors
/// 422 where the call has none, or `preview` is neither true nor false.
pub fn is_asked(request: &HttpRequest) -> Result<bool, ApiError> {
    let by_field = match QueryFields::read(request.query_string())?.get(FIELD) {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(ApiError::invalid(FIELD, "boolean_expected")),
    };
    let preferences = request.headers().get_all("prefer");
    let by_header = preferences.filter_map(|value| value.to_str().ok()).any(|value| {
        value
            .split(',')
            .any(|preference| preference.trim().eq_ignore_ascii_case(PREFERENCE))
    });
    if !(by_field || by_header) {
        return Ok(false);
    }
    if policy::has_preview(request.path()) {
        Ok(true)
    } else {
        Err(ApiError::unprocessable("preview_not_available"))
    }
}

/// The figures of a sale, an assignment, an exchange or a payment.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Figures)]
pub struct FiguresView {
    /// What the receiver gets, in `payoutCurrency`.
    payout: Money,
    /// The currency of `payout`.
    payout_currency: CurrencyCode,
    /// What is paid or owed for it, in `totalCurrency`.
    total_to_pay: Money,
    /// The currency of `totalToPay`: USD, except for an exchange.
    total_currency: CurrencyCode,
    /// The rate between the two; null where both are of one currency.
    exchange_rate: Option<Decimal>,
    /// All commissions within `totalToPay`, in USD; null where there are none to pay.
    total_fee: Option<Money>,
}

impl From<Figures> for FiguresView {
    fn from(figures: Figures) -> Self {
        Self {
            payout: figures.payout.into(),
            payout_currency: figures.payout_currency.into(),
            total_to_pay: figures.total_to_pay.into(),
            total_currency: figures.total_currency.into(),
            exchange_rate: figures.exchange_rate.map(Into::into),
            total_fee: figures.total_fee.map(Into::into),
        }
    }
}

/// Something allowed that deserves a look.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Warning {
    /// Stable.
    code: String,
    /// In the caller's language.
    detail: String,
    /// The values within `detail`, as a problem's own.
    #[serde(flatten)]
    said: Said,
}

impl Warning {
    /// A warning whose text has values.
    pub fn with(code: &str, params: &Params, language: Language) -> Self {
        Self {
            code: code.to_owned(),
            detail: catalogue::text(code, language, params),
            said: Said::of(code, language, params),
        }
    }

    /// The warnings of an answer, in a language.
    pub fn all(codes: Vec<String>, language: Language) -> Vec<Self> {
        let told = |code: String| Self::with(&code, &Params::default(), language);
        codes.into_iter().map(told).collect()
    }
}

/// What a write would do. Nothing was stored, and no number was taken.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Preview)]
pub struct PreviewView {
    /// The figures to confirm, where money is priced: `expected` takes them.
    figures: Option<FiguresView>,
    /// The remittance's status afterwards.
    status: Option<u8>,
    /// What a sale would leave of the seller's balance, in the group's currency.
    remaining_balance: Option<Money>,
    /// What deserves a look although it would be done.
    warnings: Vec<Warning>,
    /// What would be posted, in order, as far as the caller sees the accounts.
    transfers: Vec<TransferView>,
}

/// One transfer of a preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PreviewedTransfer)]
struct TransferView {
    /// Why.
    #[schema(value_type = String, example = "sale")]
    code: TransferCode,
    /// How much, above 0.
    amount: Money,
    /// The currency.
    currency: CurrencyCode,
    /// The account debited.
    debit: AccountView,
    /// The account credited.
    credit: AccountView,
}

/// An account of a preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PreviewedAccount)]
struct AccountView {
    /// Its kind.
    #[schema(example = "balance")]
    kind: &'static str,
    /// The party that it belongs to.
    owner_id: Option<Uuid>,
    /// The payment group of a balance.
    payment_group_id: Option<Uuid>,
    /// Debits less credits before the transfer; null where the account is not for the caller to see.
    before: Option<Money>,
    /// Debits less credits after the transfer.
    after: Option<Money>,
}

impl From<PreviewedTransfer> for TransferView {
    fn from(transfer: PreviewedTransfer) -> Self {
        Self {
            code: transfer.code,
            amount: transfer.amount.into(),
            currency: transfer.debit.account.currency.into(),
            debit: transfer.debit.into(),
            credit: transfer.credit.into(),
        }
    }
}

impl From<PreviewedAccount> for AccountView {
    fn from(PreviewedAccount { account, balance }: PreviewedAccount) -> Self {
        Self {
            kind: account.kind.as_str(),
            owner_id: account.owner.map(|id| id.0),
            payment_group_id: account.group.map(|id| id.0),
            before: balance.map(|(before, _)| before.into()),
            after: balance.map(|(_, after)| after.into()),
        }
    }
}

impl PreviewView {
    /// Adds a warning.
    pub fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }

    /// A preview in a language.
    pub fn of(preview: Preview, language: Language) -> Self {
        let Preview {
            answer,
            figures,
            transfers,
        } = preview;
        Self {
            figures: figures.map(Into::into),
            status: answer.status,
            remaining_balance: answer.remaining_balance.map(Into::into),
            warnings: Warning::all(answer.warnings, language),
            transfers: transfers.into_iter().map(Into::into).collect(),
        }
    }
}
