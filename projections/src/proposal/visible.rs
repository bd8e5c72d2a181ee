//! Who sees a proposal, and who may decide it, as conditions of SQL.

use crate::{scope::Scope, sql::Sql};
use caudal_domain::{
    StreamKind,
    approval::ApprovalKind,
    office::{Area, Right},
    party::Role,
};

/// Role of the party that a proposal changes; NULL where there is none yet, and for other records.
pub(super) const CHANGED_ROLE: &str = "(SELECT s.role FROM parties AS s
    WHERE x.stream_kind = 'party' AND s.tenant = x.tenant AND s.id = x.stream_id)";

/// A condition: the proposal is of an area in which a manager has the right. Of kinds with several areas the changed record tells
/// which one ([`ApprovalKind::areas_of`]).
pub(super) fn in_areas(sql: &mut Sql, scope: &Scope, right: Right) {
    let holds = |areas: &[Area]| scope.permissions.may_in_one(areas, right);
    let of_all = |kind: &&ApprovalKind| kind.areas().iter().all(|area| scope.permissions.may(*area, right));
    let (whole, others): (Vec<&ApprovalKind>, Vec<_>) = ApprovalKind::ALL.iter().partition(of_all);
    let whole: Vec<String> = whole.into_iter().map(|kind| kind.as_str().to_owned()).collect();
    sql.push("(x.kind = ANY (").bind(whole).push(")");
    for kind in others.into_iter().filter(|kind| holds(kind.areas())) {
        let records = StreamKind::ALL.iter().filter(|record| **record != StreamKind::Party);
        let records = records.filter(|record| holds(kind.areas_of(**record, None)));
        let records: Vec<String> = records.map(|record| record.as_str().to_owned()).collect();
        sql.push(" OR x.kind = ").bind(kind.as_str().to_owned());
        sql.push(" AND (x.stream_kind = ANY (").bind(records).push(")");
        let roles = Role::ALL
            .iter()
            .filter(|role| holds(kind.areas_of(StreamKind::Party, Some(**role))));
        let roles: Vec<String> = roles.map(|role| role.as_str().to_owned()).collect();
        sql.push(" OR ")
            .push(CHANGED_ROLE)
            .push(" = ANY (")
            .bind(roles)
            .push(")");
        if holds(kind.areas_of(StreamKind::Party, None)) {
            sql.push(" OR x.stream_kind = 'party' AND ")
                .push(CHANGED_ROLE)
                .push(" IS NULL");
        }
        sql.push(")");
    }
    sql.push(")");
}

/// Limits to what the caller sees: a manager all of the areas that he reads; others their own, and those of parties under them that they approve.
pub(super) fn within(sql: &mut Sql, scope: &Scope) {
    if scope.role == Role::Manager {
        let reads = |kind: &ApprovalKind| {
            kind.areas()
                .iter()
                .all(|area| scope.permissions.may(*area, Right::Read))
        };
        if !ApprovalKind::ALL.iter().all(reads) {
            sql.push(" AND (x.maker = ").bind(scope.party.0).push(" OR ");
            in_areas(sql, scope, Right::Read);
            sql.push(")");
        }
        return;
    }
    sql.push(" AND (x.maker = ").bind(scope.party.0);
    sql.push(" OR x.approvers = ").bind(scope.role.as_str().to_owned());
    sql.push(" AND EXISTS (SELECT FROM parties AS u WHERE u.tenant = x.tenant AND u.id = x.maker AND u.agency = ");
    sql.bind(scope.party.0).push("))");
}

/// Of what [`within`] shows, what others proposed and the caller may decide; [`view`] tells the same of one.
pub(super) fn decidable(sql: &mut Sql, scope: &Scope) {
    sql.push(" AND x.maker <> ").bind(scope.party.0);
    if scope.role == Role::Manager {
        sql.push(" AND ");
        in_areas(sql, scope, Right::Write);
    }
}
