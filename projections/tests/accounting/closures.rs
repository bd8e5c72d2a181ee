//! Closures: previews of any span, of now, and those that were made.

use super::{Checks, Span, days, json, minor, oracle::Fact};
use caudal_domain::ids::{PartyId, PaymentGroupId};
use caudal_projections::{
    ListQuery,
    accounting::{self, ClosurePreview, PreviewQuery, Sellers},
    closure::{self, ClosureFigures},
};
use chrono::{DateTime, NaiveDate, Utc};
use std::collections::HashMap;
use uuid::Uuid;

impl Checks<'_> {
    pub(super) async fn preview(&mut self, span: Span) -> Vec<ClosurePreview> {
        let mut previews = Vec::new();
        for sellers in [Sellers::Agencies, Sellers::Agents] {
            let asked = PreviewQuery {
                first: span.first,
                last: span.last,
                ..PreviewQuery::default()
            };
            let all = ListQuery::all();
            let page = accounting::previews(&mut self.transaction, &self.manager, sellers, &asked, &all, self.now)
                .await
                .unwrap();
            previews.extend(page.data);
        }
        assert_eq!(previews.len(), 4);
        previews
    }

    /// A closure of any span says what happened in it, and opening, what came and what went make up its closing.
    pub(super) async fn closures_of(&mut self, span: Span) {
        for preview in self.preview(span).await {
            let seller = PartyId(preview.party.id);
            let figures = json(&preview.figures);
            let context = format!("{} in {span:?}: {figures}", self.names[&seller]);
            let (begins, ends) = (span.begins(), span.ends());
            for row in figures["groups"].as_array().unwrap() {
                let group: Uuid = row["paymentGroupId"].as_str().unwrap().parse().unwrap();
                let group = Some(PaymentGroupId(group));
                let sum = |what: &str, begins, ends| {
                    let of = |fact: &Fact| fact.party == seller && fact.group == group && fact.what == what;
                    self.oracle.sum(of, begins, ends)
                };
                let net = |begins, ends| {
                    let amount = |what| sum(what, begins, ends).0;
                    amount("opened") + amount("assigned") - amount("given") - amount("sold") + amount("returned")
                };
                let begun = begins.map_or(0, |_| net(None, begins));
                let opened = sum("opened", begins, ends).0;
                assert_eq!(minor(row, "opening"), begun + opened.max(0), "{context}");
                // What an earlier period began with, and is taken back.
                let assigned = sum("assigned", begins, ends).0 + opened.min(0);
                assert_eq!(minor(row, "assigned"), assigned, "{context}");
                for what in ["given", "sold", "returned"] {
                    assert_eq!(minor(row, what), sum(what, begins, ends).0, "{what} of {context}");
                }
                assert_eq!(minor(row, "closing"), begun + net(begins, ends), "{context}");
                let (usd, count) = sum("usd", begins, ends);
                assert_eq!(
                    (minor(row, "amount"), &row["remittances"]),
                    (usd, &count.into()),
                    "{context}"
                );
            }
            let of = |what: &'static str| {
                let wanted = move |fact: &Fact| fact.party == seller && fact.what == what;
                self.oracle.sum(wanted, begins, ends)
            };
            for (name, what) in [
                ("amount", "usd"),
                ("manager_commission", "manager_fee"),
                ("agency_commission", "agency_fee"),
                ("agent_commission", "agent_fee"),
                ("debits_opened", "debits_opened"),
                ("debits_paid", "debits_paid"),
            ] {
                assert_eq!(minor(&figures, name), of(what).0, "{name} of {context}");
            }
            let whole = json(&preview);
            let outstanding =
                minor(&whole, "debits_opening") + minor(&figures, "debits_opened") + minor(&whole, "debits_billed")
                    - minor(&figures, "debits_paid");
            assert_eq!(minor(&figures, "debits_outstanding"), outstanding, "{context}");
        }
    }

    /// Without days a preview is what closing now would freeze, as the domain decides it.
    pub(super) async fn closures_now(&mut self) {
        let none = Span {
            first: None,
            last: None,
        };
        let names = HashMap::from([
            (self.street.office.group.0, "CUP a domicilio".to_owned()),
            (self.street.office.mlc_group.0, "MLC".to_owned()),
        ]);
        for preview in self.preview(none).await {
            let seller = PartyId(preview.party.id);
            let party = self.state.party(seller).unwrap();
            let (groups, totals) = self.state.figures(party, NaiveDate::MAX);
            let expected = ClosureFigures::new(&groups, &totals, &names);
            assert_eq!(preview.figures, expected, "{}", self.names[&seller]);
            assert_eq!(preview.agency_fee_accrued.0, totals.agency_fee_accrued);
            assert_eq!(preview.from, self.state.last_closure(seller).map(|last| last.cut));
        }
    }

    /// The days of a closure that was cut at the ends of days give the figures that it froze.
    pub(super) async fn closures_made(&mut self) -> usize {
        let made = closure::list(&mut self.transaction, &self.manager, &ListQuery::all())
            .await
            .unwrap()
            .data;
        let midnight = |moment: DateTime<Utc>| {
            let day = days::day(moment);
            (days::begins(day) == moment).then_some(day)
        };
        let mut seen = 0;
        for closure in made {
            let long_ago = NaiveDate::from_ymd_opt(2000, 1, 1);
            let first = closure.from.map_or(long_ago, midnight);
            let (Some(first), Some(next)) = (first, midnight(closure.to)) else {
                continue;
            };
            let span = Span {
                first: Some(first),
                last: next.pred_opt(),
            };
            let previews = self.preview(span).await;
            let preview = previews.iter().find(|preview| preview.party.id == closure.party.id);
            assert_eq!(preview.unwrap().figures, closure.figures, "{}", closure.number);
            seen += 1;
        }
        seen
    }
}
