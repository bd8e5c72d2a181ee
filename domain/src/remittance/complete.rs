//! Deliveries: the payout leaves the deliverer's cash, which may go below 0 (own cash advanced).

use super::{Delivery, Remittance, RemittanceCompleted, RemittanceEvent, Status, moment, posting};
use crate::{
    decision::{Context, Decision},
    ids::{CardId, CustomerId},
    money::{Amount, CurrencyCode},
    refusal::{Refusal, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
};
use chrono::{DateTime, Utc};

/// Refusal code of a delivery at other terms than those that the remittance has now.
pub(super) const EDITED: &str = "remittance_was_edited";

/// Terms at which a carrier delivered, as far as they are known. An edit between the delivery and its recording changes
/// the remittance's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CarriedTerms {
    pub payout: Option<Amount>,
    /// Currency of the payout.
    pub currency: Option<CurrencyCode>,
    pub recipient: Option<CustomerId>,
    /// The card that was paid to; `None` for a home delivery, too.
    pub card: Option<CardId>,
}

impl CarriedTerms {
    /// Whether the remittance still has these terms. Unknown ones are not compared.
    fn are_of(&self, own: &Remittance) -> bool {
        fn agrees<T: PartialEq>(carried: Option<T>, own: &T) -> bool {
            carried.is_none_or(|carried| carried == *own)
        }
        let quote = &own.sale.quote;
        let pays_to = match own.delivery {
            Delivery::Home { .. } => None,
            Delivery::Card { card, .. } => Some(card),
        };
        agrees(self.payout, &quote.payout)
            && agrees(self.currency, &quote.currency_to)
            && agrees(self.recipient, &own.sale.recipient)
            && (self.card.is_none() || self.card == pays_to)
    }
}

/// Records a delivery. Files are identified by content hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompleteRemittance {
    /// Photograph of the identification, or proof of the transfer.
    pub identification: Option<String>,
    /// Not required for a card transfer.
    pub signature: Option<String>,
    /// Whether the recipient's authorised representative received it.
    pub to_representative: bool,
    /// Time of delivery; `None` when recorded at once.
    pub delivered_at: Option<DateTime<Utc>>,
    /// When the caller was given the remittance, if known; a delivery before that is refused.
    pub carried_since: Option<DateTime<Utc>>,
    /// Terms that the caller delivered at; a delivery at other terms than the remittance's is refused.
    pub carried: CarriedTerms,
    /// Recorded offline: a refusal by the remittance's state stores a dispute instead.
    pub or_dispute: bool,
    /// Sent the moment it was made: the carrier could know of a hold, which refuses it also with `or_dispute`.
    pub at_once: bool,
}

/// Checks the proof of a delivery and returns the content hash of the identification.
fn proof(own: &Remittance, complete: &CompleteRemittance) -> Result<String, Refusal> {
    let at_the_door = matches!(own.delivery, Delivery::Home { .. });
    let is_unsigned = complete.identification.is_some() && complete.signature.is_none();
    require(!(at_the_door && is_unsigned), || {
        Refusal::invalid("firmPicture", "required")
    })?;
    claimed_proof(complete)
}

/// Checks the proof of a disputed delivery and returns the content hash of the identification. A signature is not
/// required: what is delivered at the door now may have been a card transfer before an edit.
pub(super) fn claimed_proof(complete: &CompleteRemittance) -> Result<String, Refusal> {
    let identification = complete
        .identification
        .clone()
        .ok_or_else(|| Refusal::invalid("identificationDocument", "required"))?;
    for (field, file) in [
        ("identificationDocument", Some(&identification)),
        ("firmPicture", complete.signature.as_ref()),
    ] {
        require(file.is_none_or(|file| is_content_hash(file)), || {
            Refusal::invalid(field, "file_not_found")
        })?;
    }
    Ok(identification)
}

pub(super) fn decide(
    own: &Remittance,
    complete: &CompleteRemittance,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    require(complete.carried.are_of(own), || Refusal::conflict(EDITED))?;
    let identification = proof(own, complete)?;
    let delivered_at = complete
        .delivered_at
        .map(|at| moment::check("deliveredAt", at, complete.carried_since, ctx.now))
        .transpose()?;
    let delivered_by = own
        .deliverer()
        .ok_or_else(|| Refusal::conflict("remittance_is_pending"))?;

    let quote = &own.sale.quote;
    let currency = quote.currency_to;
    let fee = ctx.state.distribution_fee(own.delivery, currency);
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
    ctx.state.check_delivery(&entry)?;
    let completed = RemittanceCompleted {
        id: own.id,
        delivered_by,
        distribution_fee: fee,
        identification,
        signature: complete.signature.clone(),
        to_representative: complete.to_representative,
        delivered_at,
        entry,
    };
    Ok(
        Decision::of(RemittanceEvent::RemittanceCompleted(completed), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(Status::Completed.number());
        }),
    )
}

/// Whether a text is a content hash: SHA-256 in lower-case hexadecimal.
fn is_content_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid},
        ids::{CustomerId, PartyId, PaymentGroupId, RemittanceId},
        remittance::{AssignDealer, CreateRemittance, DeliveryChoice, RemittanceCommand},
        testing::{
            Business, delivered,
            given::{Caller, Then, Tried},
        },
    };

    fn complete(
        business: &Business,
        caller: impl Caller,
        id: RemittanceId,
        with: CompleteRemittance,
    ) -> Tried<Remittance> {
        let act = business.world.by(caller, RemittanceCommand::Complete(with));
        business.world.given::<Remittance>(id).when(act)
    }

    /// A remittance of 100 USD sold by the agency, with a dealer.
    fn shipped(
        business: &mut Business,
        group: PaymentGroupId,
        recipient: CustomerId,
        dealer: PartyId,
        delivery_man: Option<PartyId>,
    ) -> RemittanceId {
        let sale = CreateRemittance {
            recipient,
            ..business.sale(group, 100_00)
        };
        let id = business.sell(business.agency, sale);
        let assign = AssignDealer { dealer, delivery_man };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
        id
    }

    #[test]
    fn a_delivery_pays_from_the_dealers_cash_with_the_currencys_fee_and_earns_the_commission() {
        let mut business = Business::funded();
        let (cup, berta, dealer) = (business.cup, business.berta, business.dealer);
        let id = shipped(&mut business, cup, berta, dealer, None);
        complete(&business, dealer, id, delivered()).then_posts(
            &business,
            &[
                "Dr remittances_shipping[dealer] / Cr field_cash[dealer] 31850.00 CUP",
                "Dr distribution_fees / Cr field_cash[dealer] 150.00 CUP",
                "Dr deferred_commission / Cr commission_income 2.00 USD",
            ],
        );
    }

    #[test]
    fn a_municipalitys_fee_overrides_the_currencys_in_the_currency_it_is_set_in() {
        let mut business = Business::funded();
        let (cup, usd, carla, other_dealer) = (business.cup, business.usd, business.carla, business.other_dealer);
        let in_pesos = shipped(&mut business, cup, carla, other_dealer, None);
        let event = complete(&business, other_dealer, in_pesos, delivered()).then_event();
        let RemittanceEvent::RemittanceCompleted(completed) = event else {
            panic!("{event:?}")
        };
        assert_eq!(completed.distribution_fee.to_string(), "200.00");
        let in_dollars = shipped(&mut business, usd, carla, other_dealer, None);
        complete(&business, other_dealer, in_dollars, delivered()).then_posts(
            &business,
            &[
                "Dr remittances_shipping[other-dealer] / Cr field_cash[other-dealer] 100.00 USD",
                "Dr distribution_fees / Cr field_cash[other-dealer] 2.00 USD",
                // A negative commission swaps its sides.
                "Dr commission_income / Cr deferred_commission 0.10 USD",
            ],
        );
    }

    #[test]
    fn the_fee_is_the_one_in_force_at_completion_and_none_is_posted_for_zero() {
        let mut business = Business::funded();
        let (cup, berta, dealer) = (business.cup, business.berta, business.dealer);
        let id = shipped(&mut business, cup, berta, dealer, None);
        business.world.currency(business.manager, CurrencyCode::CUP, "330", "0");
        complete(&business, business.manager, id, delivered()).then_posts(
            &business,
            &[
                "Dr remittances_shipping[dealer] / Cr field_cash[dealer] 31850.00 CUP",
                "Dr deferred_commission / Cr commission_income 2.00 USD",
            ],
        );
    }

    #[test]
    fn the_carriers_cash_pays_whoever_records_the_delivery_and_may_go_negative() {
        let mut business = Business::funded();
        let (cup, berta, dealer, courier) = (business.cup, business.berta, business.dealer, business.courier);
        let id = shipped(&mut business, cup, berta, dealer, Some(courier));
        let manager = business.manager;
        complete(&business, dealer, id, delivered()).then_event();
        business
            .act(manager, id, RemittanceCommand::Complete(delivered()))
            .unwrap();
        let cash = Account::of(AccountKind::FieldCash, courier, CurrencyCode::CUP);
        assert_eq!(business.world.balance(cash), "-32000.00", "he advanced his own cash");
    }

    #[test]
    fn a_delivery_at_the_door_needs_identification_and_signature() {
        let mut business = Business::funded();
        let (cup, berta, dealer) = (business.cup, business.berta, business.dealer);
        let id = shipped(&mut business, cup, berta, dealer, None);
        let nothing = CompleteRemittance::default();
        complete(&business, dealer, id, nothing).then_refused(Invalid, "invalid identificationDocument:required");
        let unsigned = CompleteRemittance {
            signature: None,
            ..delivered()
        };
        complete(&business, dealer, id, unsigned).then_refused(Invalid, "invalid firmPicture:required");
        let forged = CompleteRemittance {
            signature: Some("../etc/passwd".into()),
            ..delivered()
        };
        complete(&business, dealer, id, forged).then_refused(Invalid, "invalid firmPicture:file_not_found");
    }

    #[test]
    fn a_card_transfer_needs_its_proof_and_no_signature() {
        let mut business = Business::funded();
        let delivery = DeliveryChoice::Card(business.bertas_card);
        let sale = CreateRemittance {
            delivery,
            ..business.sale(business.mlc, 100_00)
        };
        let id = business.sell(business.agency, sale);
        let assign = AssignDealer {
            dealer: business.dealer,
            delivery_man: None,
        };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
        let proof = CompleteRemittance {
            signature: None,
            ..delivered()
        };
        complete(&business, business.dealer, id, proof).then_posts(
            &business,
            &[
                "Dr remittances_shipping[dealer] / Cr field_cash[dealer] 93.00 MLC",
                "Dr distribution_fees / Cr field_cash[dealer] 1.00 MLC",
                "Dr deferred_commission / Cr commission_income 1.50 USD",
            ],
        );
        let nothing = CompleteRemittance::default();
        complete(&business, business.dealer, id, nothing)
            .then_refused(Invalid, "invalid identificationDocument:required");
    }

    #[test]
    fn only_the_field_and_the_manager_complete_and_only_what_is_shipping() {
        let mut business = Business::funded();
        let (cup, berta, dealer) = (business.cup, business.berta, business.dealer);
        let id = shipped(&mut business, cup, berta, dealer, None);
        complete(&business, business.agency, id, delivered()).then_refused(Forbidden, "role_not_allowed");
        business
            .act(business.manager, id, RemittanceCommand::Complete(delivered()))
            .unwrap();
        complete(&business, dealer, id, delivered()).then_refused(Conflict, "remittance_is_completed");
        let sale = business.sale(cup, 10_00);
        let pending = business.sell(business.agency, sale);
        complete(&business, business.manager, pending, delivered()).then_refused(Conflict, "remittance_is_pending");
    }
}
