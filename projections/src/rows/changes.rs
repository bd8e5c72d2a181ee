//! Rows of changes, for open screens.

use crate::table::{Ids, row};
use caudal_domain::StreamKind;
use uuid::Uuid;

row! {
    ChangeRow in "changes" key (position: i64) {
        position: i64,
        kind: StreamKind,
        id: Uuid,
        audience: Option<Ids>,
    }
}
