//! Rows of remittances, their history and their disputes.

use crate::table::{Json, row};
use caudal_domain::{
    FrozenTerms,
    customer::card::Brand,
    money::{Amount, CurrencyCode, Rate},
    remittance::Status,
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    RemittanceRow in "remittances" key (id: Uuid) {
        id: Uuid,
        position: i64,
        code: String,
        status: Status,
        seller: Uuid,
        agency: Option<Uuid>,
        agent: Option<Uuid>,
        sender: Uuid,
        recipient: Uuid,
        group_id: Uuid,
        reference: Option<String>,
        terms: Json<FrozenTerms>,
        amount: Amount,
        payout: Amount,
        currency: CurrencyCode,
        exchange_rate: Rate,
        manager_fee: Amount,
        agency_fee: Amount,
        agent_fee: Amount,
        total_fee: Amount,
        total_to_pay: Amount,
        margin: Amount,
        method: String,
        province: Option<Uuid>,
        municipality: Option<Uuid>,
        card: Option<Uuid>,
        brand: Option<Brand>,
        dealer: Option<Uuid>,
        delivery_man: Option<Uuid>,
        delivered_by: Option<Uuid>,
        distribution_fee: Option<Amount>,
        identification: Option<String>,
        signature: Option<String>,
        to_representative: bool,
        address: Option<String>,
        notes: Option<String>,
        reason: Option<String>,
        created_at: DateTime<Utc>,
        updated_at: DateTime<Utc>,
        assigned_at: Option<DateTime<Utc>>,
        completed_at: Option<DateTime<Utc>>,
        /// Time of an offline delivery.
        delivered_at: Option<DateTime<Utc>>,
        canceled_at: Option<DateTime<Utc>>,
        search: String,
        /// Whether a hold is open.
        held: bool,
        /// When its delivery was booked although it was held.
        breach_at: Option<DateTime<Utc>>,
        breach_settled_at: Option<DateTime<Utc>>,
        /// Findings and actions taken.
        breach_settlement: Option<String>,
    }
}

row! {
    /// A change in a remittance's history.
    HistoryRow in "remittance_history" key (remittance: Uuid, position: i64) {
        remittance: Uuid,
        position: i64,
        at: DateTime<Utc>,
        change: String,
        actor: Option<Uuid>,
        role: String,
        from_status: Option<Status>,
        to_status: Status,
        reason: Option<String>,
        /// Subject of the reason, or of address and notes.
        subject: Option<Uuid>,
        /// Details after a sale or edit, compared by the next edit.
        group_id: Option<Uuid>,
        method: Option<String>,
        province: Option<Uuid>,
        municipality: Option<Uuid>,
        card: Option<Uuid>,
        address: Option<String>,
        notes: Option<String>,
        dealer: Option<Uuid>,
        delivery_man: Option<Uuid>,
        /// Time of an offline act.
        occurred_at: Option<DateTime<Utc>>,
        /// Reason of a failed attempt or of a hold, or refusal code.
        detail: Option<String>,
        /// The seller's own reference before an edit that changed it, and from then on.
        reference_before: Option<String>,
        reference: Option<String>,
        amount: Amount,
        payout: Amount,
        currency: CurrencyCode,
        /// Hashes of the files of a review; none for other events, and after erasure.
        review_files: Option<Json<Vec<String>>>,
        /// Who approved what the change waited for.
        approver: Option<Uuid>,
    }
}

row! {
    HoldRow in "remittance_holds" key (remittance: Uuid, number: i32) {
        remittance: Uuid,
        number: i32,
        position: i64,
        at: DateTime<Utc>,
        /// Name of the reason in the log.
        reason: String,
        /// The limit rule, or the case of screening.
        reference: Option<Uuid>,
        /// The recipient, who is the subject of note and review.
        recipient: Uuid,
        held_by: Option<Uuid>,
        held_role: String,
        note: Option<String>,
        reviewed_at: Option<DateTime<Utc>>,
        reviewed_by: Option<Uuid>,
        reviewed_role: Option<String>,
        review: Option<String>,
        /// When it was released; else it is open while the remittance is.
        released_at: Option<DateTime<Utc>>,
        /// When the remittance was canceled or delivered with the hold open.
        ended_at: Option<DateTime<Utc>>,
        /// Hashes of the files of the last review; none where it had none, and after erasure.
        review_files: Option<Json<Vec<String>>>,
    }
}

row! {
    DisputeRow in "delivery_disputes" key (remittance: Uuid, number: i32) {
        remittance: Uuid,
        number: i32,
        position: i64,
        at: DateTime<Utc>,
        reported_by: Uuid,
        refused: String,
        delivered_at: Option<DateTime<Utc>>,
        identification: Option<String>,
        signature: Option<String>,
        to_representative: bool,
        /// The recipient, who is the subject of proof and settlement.
        recipient: Uuid,
        settled_at: Option<DateTime<Utc>>,
        settled_by: Option<Uuid>,
        settled_role: Option<String>,
        settlement: Option<String>,
    }
}
