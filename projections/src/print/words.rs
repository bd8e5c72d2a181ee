//! Labels of values in files.

use crate::scalar::{
    AgentType, AttemptReason, DealerType, DebitSource, DebitStatus, DeliveryMethod, DisputeStatus, RangeSelector,
    RemittanceChange, RemittanceStatus, UserType,
};
use caudal_domain::{AccountKind, customer::card::Brand, remittance::AttemptReason as Reason};
use caudal_export::{Words, word};

/// Before a currency.
pub(crate) const TOTAL: Words = Words::new("Total", "Total");

/// Label of a status; for some it depends on the delivery method.
pub(crate) const fn status(status: RemittanceStatus, method: Option<DeliveryMethod>) -> Words {
    match (status, method) {
        (RemittanceStatus::Pending, _) => word::PENDING,
        (RemittanceStatus::Canceled, _) => word::CANCELED,
        (RemittanceStatus::Shipping, Some(DeliveryMethod::Card)) => word::REMITTANCE_SENT,
        (RemittanceStatus::Shipping, _) => word::SHIPPING,
        (RemittanceStatus::Completed, Some(DeliveryMethod::Card)) => word::TRANSFERRED,
        (RemittanceStatus::Completed, Some(DeliveryMethod::Home)) => word::DELIVERED,
        (RemittanceStatus::Completed, None) => Words::new("Completada", "Completed"),
        (RemittanceStatus::Error, _) => word::ERROR,
    }
}

/// Label of a delivery method.
pub(crate) const fn method(method: DeliveryMethod) -> Words {
    match method {
        DeliveryMethod::Home => word::HOME,
        DeliveryMethod::Card => word::CARD,
    }
}

/// A delivery method by API name.
pub(crate) fn method_named(name: &str) -> Option<DeliveryMethod> {
    match name {
        "home" => Some(DeliveryMethod::Home),
        "card" => Some(DeliveryMethod::Card),
        _ => None,
    }
}

/// Label of a remittance change.
pub(crate) const fn change(change: RemittanceChange) -> Words {
    match change {
        RemittanceChange::Created => word::REMITTANCE_CREATED,
        RemittanceChange::DetailsEdited => word::DETAILS_EDITED,
        RemittanceChange::AmountEdited => word::AMOUNT_EDITED,
        RemittanceChange::Assigned => word::REMITTANCE_ASSIGNED,
        RemittanceChange::Error => word::MARKED_AS_ERROR,
        RemittanceChange::Canceled => word::CANCELED,
        RemittanceChange::Completed => word::DELIVERED,
        RemittanceChange::Attempted => word::ATTEMPT_TO_DELIVER,
        RemittanceChange::Disputed => word::DELIVERY_DISPUTED,
        RemittanceChange::DisputeSettled => word::DISPUTE_SETTLED,
        RemittanceChange::Held => word::PUT_IN_REVIEW,
        RemittanceChange::HoldReleased => word::REVIEW_PASSED,
        RemittanceChange::HoldKept => word::STAYS_IN_REVIEW,
        RemittanceChange::DeliveredWhileHeld => word::DELIVERED_WHILE_IN_REVIEW,
        RemittanceChange::HoldBreachSettled => word::DELIVERY_IN_REVIEW_SETTLED,
        RemittanceChange::Declared => word::SALE_DECLARED,
    }
}

/// Label of a failed attempt's reason.
pub(crate) const fn attempt(AttemptReason(reason): AttemptReason) -> Words {
    match reason {
        Reason::NobodyHome => word::NOBODY_HOME,
        Reason::NoAnswer => Words::new("No contesta el teléfono", "No answer to calls"),
        Reason::WrongAddress => word::WRONG_ADDRESS,
        Reason::NoDocument => word::NO_DOCUMENT,
        Reason::Postponed => word::ASKS_FOR_ANOTHER_DAY,
        Reason::Refused => word::DID_NOT_WANT_IT,
        Reason::Unreachable => word::COULD_NOT_GET_THERE,
    }
}

/// Label of a disputed delivery's refusal code.
pub(crate) fn refused(code: &str) -> Words {
    match code {
        "remittance_is_canceled" => word::IT_WAS_CANCELED,
        "remittance_is_completed" => word::IT_WAS_DELIVERED_ALREADY,
        "remittance_is_in_error" => word::IT_WAS_IN_ERROR,
        "remittance_is_pending" => word::IT_WAS_PENDING_AGAIN,
        "remittance_of_another" => word::IT_WAS_OF_ANOTHER,
        "remittance_was_edited" => word::IT_WAS_EDITED_MEANWHILE,
        _ => word::IT_COULD_NOT_BE_RECORDED,
    }
}

/// Label of a dispute's status.
pub(crate) const fn dispute(status: DisputeStatus) -> Words {
    match status {
        DisputeStatus::Open => word::TO_BE_SETTLED,
        DisputeStatus::Settled => word::RESOLVED,
    }
}

/// Where a debit stands.
pub(crate) const fn debit(status: DebitStatus) -> Words {
    match status {
        DebitStatus::Open => word::OPEN,
        DebitStatus::Settled => word::SETTLED,
        DebitStatus::Void => word::VOID,
    }
}

/// Label of a debit's cause.
pub(crate) const fn origin(source: DebitSource) -> Words {
    match source {
        DebitSource::Assignment => word::ASSIGNMENT_ON_CREDIT,
        DebitSource::Closure => word::CLOSURE,
    }
}

pub(crate) const fn agent(kind: AgentType) -> Words {
    match kind {
        AgentType::Internal => word::INTERNAL,
        AgentType::External => word::EXTERNAL,
    }
}

/// Label of a distributor kind.
pub(crate) const fn dealer(kind: DealerType) -> Words {
    match kind {
        DealerType::Dealer => word::DEALER,
        DealerType::DeliveryMan => word::DELIVERY_MAN,
    }
}

/// Label of a role.
pub(crate) const fn user(kind: UserType) -> Words {
    match kind {
        UserType::Dealer => word::DEALER,
        UserType::Agent => word::AGENT,
        UserType::Agency => word::AGENCY,
        UserType::Manager => word::MANAGER,
        UserType::DeliveryMan => word::DELIVERY_MAN,
    }
}

/// Label of a calendar range.
pub(crate) const fn range(range: RangeSelector) -> Words {
    match range {
        RangeSelector::Daily => word::TODAY,
        RangeSelector::Weekly => word::THIS_WEEK,
        RangeSelector::Monthly => word::THIS_MONTH,
        RangeSelector::Yearly => word::THIS_YEAR,
    }
}

/// Label of a card brand.
pub(crate) const fn brand(brand: Brand) -> Words {
    match brand {
        Brand::BandecMlc => word::BANDEC_MLC,
        Brand::BmMlc => word::METROPOLITANO_MLC,
        Brand::BpaMlc => word::BPA_MLC,
        Brand::BandecCup => word::BANDEC_CUP,
        Brand::BmCup => word::METROPOLITANO_CUP,
        Brand::BpaCup => word::BPA_CUP,
    }
}

pub(crate) const fn account(kind: AccountKind) -> Words {
    match kind {
        AccountKind::Treasury => word::TREASURY,
        AccountKind::FieldCash => word::FIELD_CASH,
        AccountKind::Debits => word::DEBITS,
        AccountKind::CommissionReceivable => word::COMMISSION_RECEIVABLE,
        AccountKind::AgencyReceivable => word::AGENCY_RECEIVABLE,
        AccountKind::Balance => word::BALANCE,
        AccountKind::RemittancesPending => word::REMITTANCES_PENDING,
        AccountKind::RemittancesShipping => word::REMITTANCES_IN_SHIPPING,
        AccountKind::RemittancesError => word::REMITTANCES_IN_ERROR,
        AccountKind::DeferredCommission => word::DEFERRED_COMMISSION,
        AccountKind::AgencyMemo => word::AGENCY_MEMORANDUM,
        AccountKind::Capital => word::CAPITAL,
        AccountKind::FxPosition => word::EXCHANGE_POSITION,
        AccountKind::CommissionIncome => word::COMMISSION_INCOME,
        AccountKind::DistributionFees => word::DISTRIBUTION_FEES,
        AccountKind::DealerExpenses => word::DEALER_EXPENSES,
    }
}
