//! Rows of parties and their terms.

use crate::table::{Ids, Json, PersonalJson, row};
use caudal_domain::{
    Commission,
    money::{Amount, Rate},
    party::{PartyDetails, Role},
};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    PartyRow in "parties" key (id: Uuid) {
        id: Uuid,
        role: Role,
        agency: Option<Uuid>,
        dealer: Option<Uuid>,
        is_active: bool,
        /// Deleted and not reactivated: excluded from lists.
        deleted: bool,
        province: Option<Uuid>,
        zones: Ids,
        handle_mlc: bool,
        name: Option<String>,
        details: Option<PersonalJson<PartyDetails>>,
        created_at: DateTime<Utc>,
        updated_at: DateTime<Utc>,
        search: Option<String>,
        /// Name of the office's permission set; NULL for a full manager and for other roles.
        permission_set: Option<String>,
        /// End of the access of a member of the office.
        access_expires_at: Option<DateTime<Utc>>,
    }
}

row! {
    TermsRow in "party_terms" key (party: Uuid, group_id: Uuid) {
        party: Uuid,
        group_id: Uuid,
        exchange_rate: Rate,
        commission: Json<Commission>,
        name: Option<String>,
        is_active: bool,
        credit_limit: Amount,
    }
}
