//! Recording a delivery: the payout leaves the deliverer's cash, which may go below 0 (own cash advanced).

use super::{Delivery, Remittance, RemittanceCompleted, RemittanceEvent, Status, posting};
use crate::{
    books::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    decision::{Context, Decision},
    money::CurrencyCode,
    refusal::{Refusal, require},
};

/// Records a delivery. Files are named by the hash of their content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompleteRemittance {
    /// The photograph of the identification, or the transfer's proof.
    pub identification: Option<String>,
    /// The signature; a transfer needs none.
    pub signature: Option<String>,
    /// Whether the recipient's authorised representative took it.
    pub to_representative: bool,
}

pub(super) fn decide(
    own: &Remittance,
    complete: &CompleteRemittance,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let identification = complete
        .identification
        .clone()
        .ok_or_else(|| Refusal::invalid("identificationDocument", "required"))?;
    let at_the_door = matches!(own.delivery, Delivery::Home { .. });
    require(!at_the_door || complete.signature.is_some(), || {
        Refusal::invalid("firmPicture", "required")
    })?;
    let delivered_by = own
        .deliverer()
        .ok_or_else(|| Refusal::conflict("remittance_is_pending"))?;

    let quote = &own.sale.quote;
    let currency = quote.currency_to;
    let fee = ctx.books.distribution_fee(own.delivery, currency);
    let cash = Account::of(AccountKind::FieldCash, delivered_by, currency);
    let entry = Entry::default()
        .post(posting::payable(own), cash, quote.payout, TransferCode::Delivery)
        .post(
            Account::of_tenant(AccountKind::DistributionFees, currency),
            cash,
            fee,
            TransferCode::DistributionFee,
        )
        .post(
            Account::of_tenant(AccountKind::DeferredCommission, CurrencyCode::USD),
            Account::of_tenant(AccountKind::CommissionIncome, CurrencyCode::USD),
            quote.manager_fee,
            TransferCode::CommissionEarned,
        );
    ctx.books.check_delivery(&entry)?;
    let completed = RemittanceCompleted {
        id: own.id,
        delivered_by,
        distribution_fee: fee,
        identification,
        signature: complete.signature.clone(),
        to_representative: complete.to_representative,
        entry,
    };
    Ok(
        Decision::of(RemittanceEvent::RemittanceCompleted(completed), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Completed.number());
        }),
    )
}
