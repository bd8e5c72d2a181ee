//! A row in each table that the API writes, with its MAC.

use caudal_domain::ids::{PartyId, SecondFactorId, SignOnId, SignOnSecretId, TenantId};
use caudal_journal::{
    FileOwnerRow, FileRow, Journal, PasskeyRow, ReadingRow, ResetCodeRow, SecondFactorRow, SessionRow, SignOnSecretRow,
    SignOnSubjectRow, StepUpRow, VerificationRow, ViewingRow,
};
use chrono::{SubsecRound as _, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Inserts a row into each table that the API writes.
pub(super) async fn insert_rows_of_the_api(
    journal: &Journal,
    owner: &mut PgConnection,
    tenant: &TenantId,
    party: PartyId,
) {
    let macs = journal.row_macs();
    let now = Utc::now().trunc_subsecs(6);
    let session = SessionRow {
        id: Uuid::now_v7(),
        party,
        token_hash: vec![1; 32],
        created_at: now,
        renewed_at: now,
        expires_at: now,
        ended: Some((now, "logout".to_owned())),
        password_of: Some(now),
        rotation: Some((vec![2; 32], vec![3; 32], now)),
        address: Some(vec![4; 32]),
    };
    sqlx::query(
        "INSERT INTO journal.sessions
         VALUES ($1, $2, $3, decode(repeat('01', 32), 'hex'), $4, $4, $4, $4, 'logout', $4,
                 decode(repeat('02', 32), 'hex'), decode(repeat('03', 32), 'hex'), $4, $5, decode(repeat('04', 32), 'hex'))",
    )
    .bind(tenant.as_str())
    .bind(session.id)
    .bind(party.0)
    .bind(now)
    .bind(session.mac(macs, tenant).finish())
    .execute(&mut *owner)
    .await
    .unwrap();
    let code = ResetCodeRow {
        party,
        code_hash: vec![1; 32],
        tries: 1,
        expires_at: now,
    };
    sqlx::query("INSERT INTO journal.reset_codes VALUES ($1, $2, decode(repeat('01', 32), 'hex'), 1, $3, $4)")
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .bind(code.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let file = FileRow {
        hash: "0".repeat(64),
        media_type: "image/png".to_owned(),
        size: 5,
        stored_at: now,
    };
    sqlx::query("INSERT INTO journal.files VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(tenant.as_str())
        .bind(&file.hash)
        .bind(&file.media_type)
        .bind(file.size)
        .bind(now)
        .bind(file.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let file_owner = FileOwnerRow {
        hash: file.hash,
        kind: "party".to_owned(),
        owner: party.0,
    };
    sqlx::query("INSERT INTO journal.file_owners VALUES ($1, $2, 'party', $3, $4)")
        .bind(tenant.as_str())
        .bind(&file_owner.hash)
        .bind(party.0)
        .bind(file_owner.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let verification = VerificationRow {
        id: Uuid::now_v7(),
        asked_by: party,
        started_at: now,
        told_at: now,
        ended: Some((now, "wrong".to_owned())),
        phase: "chain".to_owned(),
        position: 7,
        head: 9,
        hash: Some(vec![4; 32]),
        findings: r#"[{"code": "changed"}]"#.to_owned(),
        checkpoints: Some(2),
    };
    sqlx::query(
        "INSERT INTO journal.verifications
         VALUES ($1, $2, $3, $4, $4, $4, 'chain', 7, 9, decode(repeat('04', 32), 'hex'), 'wrong', $5::json, 2, $6)",
    )
    .bind(tenant.as_str())
    .bind(verification.id)
    .bind(party.0)
    .bind(now)
    .bind(&verification.findings)
    .bind(verification.mac(macs, tenant).finish())
    .execute(&mut *owner)
    .await
    .unwrap();
    let factor = SecondFactorRow {
        factor: SecondFactorId::generate(),
        party,
        salt: vec![5; 32],
        last_step: 7,
        recovery: vec![6; 64],
        created_at: now,
    };
    sqlx::query("INSERT INTO journal.second_factors VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
        .bind(tenant.as_str())
        .bind(factor.factor.0)
        .bind(party.0)
        .bind(&factor.salt)
        .bind(factor.last_step)
        .bind(&factor.recovery)
        .bind(now)
        .bind(factor.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let passkey = PasskeyRow {
        factor: SecondFactorId::generate(),
        party,
        credential: vec![9; 16],
        public_key: vec![10; 77],
        sign_count: 3,
        last_challenge: now,
        name: vec![11; 40],
        created_at: now,
        used_at: Some(now),
    };
    sqlx::query("INSERT INTO journal.passkeys VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7, $7, $9)")
        .bind(tenant.as_str())
        .bind(passkey.factor.0)
        .bind(party.0)
        .bind(&passkey.credential)
        .bind(&passkey.public_key)
        .bind(passkey.sign_count)
        .bind(now)
        .bind(&passkey.name)
        .bind(passkey.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let step_up = StepUpRow {
        session: session.id,
        factor: factor.factor,
        given_at: now,
    };
    sqlx::query("INSERT INTO journal.step_ups VALUES ($1, $2, $3, $4, $5)")
        .bind(tenant.as_str())
        .bind(step_up.session)
        .bind(step_up.factor.0)
        .bind(now)
        .bind(step_up.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let reading = ReadingRow {
        id: Uuid::now_v7(),
        read_at: now,
        party,
        viewed_as: Some(PartyId::generate()),
        session: session.id,
        kind: "customer".to_owned(),
        subject: Some(Uuid::now_v7()),
        call: "/api/customer/{id}/details".to_owned(),
        format: Some("csv".to_owned()),
    };
    sqlx::query("INSERT INTO journal.readings VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
        .bind(tenant.as_str())
        .bind(reading.id)
        .bind(now)
        .bind(party.0)
        .bind(reading.viewed_as.map(|party| party.0))
        .bind(reading.session)
        .bind(&reading.kind)
        .bind(reading.subject)
        .bind(&reading.call)
        .bind(&reading.format)
        .bind(reading.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let viewing = ViewingRow {
        session: session.id,
        viewer: PartyId::generate(),
        viewer_session: Uuid::now_v7(),
    };
    sqlx::query("INSERT INTO journal.viewings VALUES ($1, $2, $3, $4, $5)")
        .bind(tenant.as_str())
        .bind(viewing.session)
        .bind(viewing.viewer.0)
        .bind(viewing.viewer_session)
        .bind(viewing.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let secret = SignOnSecretRow {
        id: SignOnSecretId::generate(),
        sealed: vec![7; 40],
    };
    sqlx::query("INSERT INTO journal.sign_on_secrets VALUES ($1, $2, $3, $4)")
        .bind(tenant.as_str())
        .bind(secret.id.0)
        .bind(&secret.sealed)
        .bind(secret.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
    let subject = SignOnSubjectRow {
        provider: SignOnId::generate(),
        subject: vec![8; 32],
        party,
        bound_at: now,
    };
    sqlx::query("INSERT INTO journal.sign_on_subjects VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(tenant.as_str())
        .bind(subject.provider.0)
        .bind(&subject.subject)
        .bind(party.0)
        .bind(now)
        .bind(subject.mac(macs, tenant).finish())
        .execute(&mut *owner)
        .await
        .unwrap();
}
