//! Who may see and change an import.

use crate::{
    extract::{Caller, Reading},
    imports::{import::Import, kinds::ImportKind, store::EXPIRY_MARGIN},
    problem::ApiError,
};
use caudal_domain::{
    office::{Permission, Right},
    party::Role,
};
use caudal_projections::{from_log::RECORDS_AT_ONCE, proposal};
use uuid::Uuid;

/// Whose imports the caller sees: the office's, or the own.
pub(super) fn owner_of(caller: &Caller) -> Uuid {
    match caller.role {
        Role::Manager => Uuid::nil(),
        Role::Agency | Role::ExternalAgent | Role::InternalAgent | Role::Dealer | Role::DeliveryMan => caller.party.0,
    }
}

/// Whether the caller may import or see a kind.
pub(super) fn permit(caller: &Caller, kind: ImportKind, right: Right) -> Result<(), ApiError> {
    if !kind.rules().roles().contains(&caller.role) {
        return Err(ApiError::forbidden("role_not_allowed"));
    }
    let area = kind.rules().area();
    if caller.permissions.may(area, right) {
        return Ok(());
    }
    Err(ApiError::forbidden("permission_missing").with("permission", Permission { area, right }))
}

/// Whether the caller may see or stop an import. What others' imports tell of further areas needs these.
pub(super) fn permit_of(caller: &Caller, import: &Import, right: Right) -> Result<(), ApiError> {
    permit(caller, import.kind, right)?;
    let told = import.kind.rules().also_tells();
    let told = told.filter(|area| import.maker != caller.party.0 && !caller.permissions.may(*area, Right::Read));
    let Some(area) = told else { return Ok(()) };
    let missing = Permission {
        area,
        right: Right::Read,
    };
    Err(ApiError::forbidden("permission_missing").with("permission", missing))
}

/// An import that the caller may see, or change: its maker alone does.
pub(super) async fn find(reading: &Reading, id: Uuid, right: Right) -> Result<Import, ApiError> {
    let import = find_of_any(reading, id, right).await?;
    if right == Right::Write && import.maker != reading.caller.party.0 {
        return Err(ApiError::conflict("import_of_another"));
    }
    Ok(import)
}

/// An import that the caller may see, or pause and cancel.
pub(super) async fn find_of_any(reading: &Reading, id: Uuid, right: Right) -> Result<Import, ApiError> {
    let caller = &reading.caller;
    let found = reading.app.imports.get(&caller.tenant, owner_of(caller), id).await?;
    let mut import = found.ok_or_else(|| ApiError::not_found("import_not_found"))?;
    permit_of(caller, &import, right)?;
    if settle(reading, id).await? {
        let found = reading.app.imports.get(&caller.tenant, owner_of(caller), id).await?;
        import = found.ok_or_else(|| ApiError::not_found("import_not_found"))?;
    }
    Ok(import)
}

/// Notes at an import's rows what became of the proposals that they wait for. Returns whether any has ended.
pub(super) async fn settle(reading: &Reading, id: Uuid) -> Result<bool, ApiError> {
    let (app, tenant) = (&reading.app, &reading.caller.tenant);
    let now = app.now();
    if app.imports.ended_proposals(tenant, id, now).await?.is_empty() {
        return Ok(false);
    }
    // What was approved until now is shown first.
    let (_, head) = app.journal.state(tenant).await?;
    let mut transaction = app.reads.begin(tenant, head.position).await?;
    let ended = app.imports.ended_proposals(tenant, id, now).await?;
    let mut ends = Vec::with_capacity(ended.len());
    for some in ended.chunks(RECORDS_AT_ONCE) {
        ends.extend(proposal::ends(&app.journal, &mut transaction, some, now - EXPIRY_MARGIN).await?);
    }
    drop(transaction);
    if ends.is_empty() {
        return Ok(false);
    }
    app.imports.settle_proposals(tenant, id, &ends).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::ImportKind;
    use crate::policy;

    #[test]
    fn the_calls_of_imports_admit_the_areas_of_all_kinds() {
        let rows = policy::TABLE.iter().filter(|row| row.path.starts_with("/api/imports"));
        for (row, kind) in rows.flat_map(|row| ImportKind::ALL.iter().map(move |kind| (row, kind))) {
            let area = kind.rules().area();
            assert!(
                row.areas.contains(&area),
                "{} {}: {}",
                row.method,
                row.path,
                kind.as_str()
            );
        }
    }
}
