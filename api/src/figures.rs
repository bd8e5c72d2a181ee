//! What a preview tells: figures, warnings, and the postings with the balances before and after them.

use crate::{
    catalogue::{self, TextTemplate},
    language::Language,
};
use caudal_domain::{
    Figures, Preview, PreviewedAccount, PreviewedTransfer, TransferCode, approval::ApprovalRule, refusal::Params,
};
use caudal_projections::{
    ledger::NormalSide,
    proposal::PublicApprovalKind,
    refs::Ref,
    scalar::{CurrencyCode, Decimal, Money},
};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Preference (RFC 7240) that requests a preview; an answer names it as applied.
pub const PREFERENCE: &str = "preview";

/// Figures of a sale, an assignment, an exchange or a payment.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Figures)]
pub struct FiguresView {
    /// Amount paid out, in `payoutCurrency`.
    payout: Money,
    /// Currency of `payout`, such as `CUP`.
    payout_currency: CurrencyCode,
    /// Amount paid or owed for it, in `totalCurrency`.
    total_to_pay: Money,
    /// Currency of `totalToPay`: USD, except for an exchange.
    total_currency: CurrencyCode,
    /// Rate between the two currencies; null when they are equal.
    exchange_rate: Option<Decimal>,
    /// Commissions within `totalToPay`, in USD; null for other than sales.
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

/// A warning about a permitted command.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Warning {
    /// Stable code, such as `balance_insufficient`; `docs/errors.md` lists all.
    code: String,
    /// Text in the caller's language (`Accept-Language`).
    detail: String,
    /// Values of placeholders in `detail`.
    #[serde(flatten)]
    said: TextTemplate,
}

impl Warning {
    /// A warning with placeholders.
    pub fn with(code: &str, params: &Params, language: Language) -> Self {
        Self {
            code: code.to_owned(),
            detail: catalogue::text(code, language, params),
            said: TextTemplate::of(code, language, params),
        }
    }

    /// Warnings of an answer, in a language.
    pub fn all(codes: Vec<String>, language: Language) -> Vec<Self> {
        let told = |code: String| Self::with(&code, &Params::default(), language);
        codes.into_iter().map(told).collect()
    }
}

/// Effect that a write would have. Nothing was stored, and no number was taken.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Preview)]
pub struct PreviewView {
    /// Figures to confirm by sending them as `expected`; null when nothing is priced.
    figures: Option<FiguresView>,
    /// Status of the remittance afterwards.
    status: Option<u8>,
    /// The seller's balance after a sale, in the group's currency; negative when on credit.
    remaining_balance: Option<Money>,
    /// Warnings; the command would succeed.
    warnings: Vec<Warning>,
    /// Postings in order, as far as the caller sees their accounts.
    transfers: Vec<TransferView>,
    /// Approval that the command needs before it takes effect; null when it takes effect at once.
    approval: Option<NeededApprovalView>,
}

/// An approval that a command needs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NeededApproval)]
struct NeededApprovalView {
    /// Kind of the rule that covers the command.
    #[schema(example = "expense")]
    kind: PublicApprovalKind,
    /// Role that approves; managers always may.
    #[schema(example = "manager")]
    approvers: &'static str,
    /// Hours after which the proposal would expire.
    #[schema(example = 24)]
    expires_after_hours: u32,
}

impl From<&ApprovalRule> for NeededApprovalView {
    fn from(rule: &ApprovalRule) -> Self {
        Self {
            kind: rule.kind.into(),
            approvers: rule.approvers.as_str(),
            expires_after_hours: rule.expires_after_hours,
        }
    }
}

/// A transfer of a preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PreviewedTransfer)]
struct TransferView {
    /// Purpose of the transfer, such as `sale`.
    #[schema(value_type = String, example = "sale")]
    code: TransferCode,
    /// Amount, above 0.
    amount: Money,
    /// Currency code, such as `CUP`.
    currency: CurrencyCode,
    /// Account debited.
    debit: AccountView,
    /// Account credited.
    credit: AccountView,
}

/// An account of a preview.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PreviewedAccount)]
struct AccountView {
    /// Kind of the account, such as `balance`.
    #[schema(example = "balance")]
    kind: &'static str,
    /// Side on which the account usually stands: of a prepaid balance `credit`, so that a negative `after` is available.
    normal_side: NormalSide,
    /// Owner; null for the tenant's own accounts.
    owner_id: Option<Uuid>,
    /// Current name of the owner; null when the balance is hidden from the caller, and after the owner's erasure.
    owner_name: Option<String>,
    /// Payment group of a prepaid balance; null for other accounts.
    payment_group_id: Option<Uuid>,
    /// Balance before the transfer, debits less credits; null when hidden from the caller.
    before: Option<Money>,
    /// Balance after the transfer, debits less credits; null when hidden from the caller.
    after: Option<Money>,
}

/// The owner of an account whose balance the caller sees.
fn shown_owner(PreviewedAccount { account, balance }: &PreviewedAccount) -> Option<Uuid> {
    balance.and(account.owner).map(|id| id.0)
}

/// The owners of a preview's accounts whose balances the caller sees.
pub fn shown_owners(preview: &Preview) -> impl Iterator<Item = Uuid> {
    let transfers = preview.transfers.iter();
    transfers.flat_map(|transfer| [&transfer.debit, &transfer.credit].into_iter().filter_map(shown_owner))
}

impl TransferView {
    fn of(transfer: &PreviewedTransfer, owners: &HashMap<Uuid, Ref>) -> Self {
        Self {
            code: transfer.code,
            amount: transfer.amount.into(),
            currency: transfer.debit.account.currency.into(),
            debit: AccountView::of(&transfer.debit, owners),
            credit: AccountView::of(&transfer.credit, owners),
        }
    }
}

impl AccountView {
    fn of(previewed: &PreviewedAccount, owners: &HashMap<Uuid, Ref>) -> Self {
        let PreviewedAccount { account, balance } = previewed;
        Self {
            kind: account.kind.as_str(),
            normal_side: NormalSide::of(account.kind),
            owner_id: account.owner.map(|id| id.0),
            owner_name: shown_owner(previewed).and_then(|id| owners.get(&id)?.name.clone()),
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

    /// Adds what another command of the same request would do. What is said of one command alone stays the first one's.
    pub fn extend(&mut self, other: Self) {
        self.warnings.extend(other.warnings);
        self.transfers.extend(other.transfers);
        self.approval = self.approval.take().or(other.approval);
    }

    pub fn of(preview: Preview, owners: &HashMap<Uuid, Ref>, language: Language) -> Self {
        let Preview {
            answer,
            figures,
            transfers,
            approval,
        } = preview;
        Self {
            figures: figures.map(Into::into),
            status: answer.status,
            remaining_balance: answer.remaining_balance.map(Into::into),
            warnings: Warning::all(answer.warnings, language),
            transfers: transfers
                .iter()
                .map(|transfer| TransferView::of(transfer, owners))
                .collect(),
            approval: approval.as_ref().map(NeededApprovalView::from),
        }
    }
}
