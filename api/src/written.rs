//! What sessions have written by this node: a write is answered when it is durable, and a query waits until the read models
//! show what its own session wrote. Clients that send `X-Min-Ledger-Position` say so themselves, on every node.

use caudal_domain::ids::TenantId;
use moka::{Entry, sync::Cache};
use std::time::Duration;
use uuid::Uuid;

/// Time for which a write is remembered: the read models show it within milliseconds.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);
/// Maximum sessions with a write within that time; some ten megabytes.
const MAX_SESSIONS: u64 = 100_000;

/// Last position that each session has written. Those of an earlier history ([`caudal_journal::Journal::history_generation`])
/// do not count: the log may end before them.
pub struct Written(Cache<(TenantId, Uuid), Write>);

#[derive(Clone, Copy)]
struct Write {
    generation: u64,
    position: i64,
}

impl Default for Written {
    fn default() -> Self {
        let cache = Cache::builder()
            .max_capacity(MAX_SESSIONS)
            .time_to_live(REMEMBERED_FOR)
            .build();
        Self(cache)
    }
}

impl Written {
    /// Remembers a write of a session.
    pub fn note(&self, tenant: &TenantId, session: Uuid, generation: u64, position: i64) {
        let write = Write { generation, position };
        // Of two writes at once the later position stays.
        self.0
            .entry((tenant.clone(), session))
            .and_upsert_with(|known| match known.map(Entry::into_value) {
                Some(known) if known.generation == generation && known.position > position => known,
                _ => write,
            });
    }

    /// Last position that a session has written in this generation; 0 when it has written nothing lately.
    pub fn by(&self, tenant: &TenantId, session: Uuid, generation: u64) -> i64 {
        let write = self.0.get(&(tenant.clone(), session));
        write
            .filter(|write| write.generation == generation)
            .map_or(0, |write| write.position)
    }
}
