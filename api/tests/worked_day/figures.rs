//! Figures of periods compared with the ledger after each part of the worked day: dealers' closings, previews of
//! closures, sales, deliveries, real balances, and holdings.

use crate::support::Client;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A period that begins long before the day.
const SINCE: &str = "initDate=20000101&RecordsPerPage=0";

/// Signed balances by kind, owner, group and currency, in hundredths.
type Ledger = BTreeMap<(String, Option<String>, Option<String>, String), i64>;

struct Figures<'a> {
    client: &'a Client,
    token: &'a str,
    place: &'a str,
    wrong: &'a mut Vec<String>,
    ledger: Ledger,
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// An amount in hundredths.
fn minor(row: &Value, name: &str) -> i64 {
    let written = row[name].as_str().unwrap_or_else(|| panic!("{name} in {row}"));
    let (units, hundredths) = written.split_once('.').unwrap();
    format!("{units}{hundredths}").parse().unwrap()
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Compares every figure with the ledger and with its parts, and records the differences.
pub fn agree(client: &Client, token: &str, place: &str, wrong: &mut Vec<String>) {
    let mut figures = Figures {
        client,
        token,
        place,
        wrong,
        ledger: Ledger::new(),
    };
    for row in rows(&figures.get("/accounting/balances?RecordsPerPage=0")["data"]) {
        let kind = text(&row["kind"]).unwrap();
        let group = text(&row["paymentGroupId"]).filter(|_| kind == "balance");
        let key = (kind, text(&row["owner"]["id"]), group, text(&row["currency"]).unwrap());
        figures.ledger.insert(key, minor(row, "closing"));
    }
    figures.dealers();
    let sold = figures.closures();
    figures.sales(&sold);
    figures.deliveries();
    figures.balances();
    figures.dashboard();
}

impl Figures<'_> {
    fn get(&self, path: &str) -> Value {
        self.client.expect(200, self.token, "GET", path, None)
    }

    fn same(&mut self, what: &str, found: i64, wanted: i64) {
        if found != wanted {
            self.wrong
                .push(format!("{}: {what} is {found}, not {wanted}", self.place));
        }
    }

    /// The sum of the accounts of a kind in a currency, of one owner if given.
    fn booked(&self, kind: &str, owner: Option<&str>, currency: &str) -> i64 {
        let of = |(of, whose, _, code): &(String, Option<String>, Option<String>, String)| {
            of == kind && code == currency && owner.is_none_or(|owner| whose.as_deref() == Some(owner))
        };
        self.ledger
            .iter()
            .filter(|(key, _)| of(key))
            .map(|(_, balance)| balance)
            .sum()
    }

    fn currencies(&self) -> BTreeSet<String> {
        self.ledger.keys().map(|(_, _, _, currency)| currency.clone()).collect()
    }

    fn cash(&mut self, whose: &str, row: &Value) {
        let sum = |names: &[&str]| names.iter().map(|name| minor(row, name)).sum::<i64>();
        let came = sum(&["opening", "received", "handedBack", "transferredIn", "exchangedIn"]);
        let went = sum(&[
            "transferredOut",
            "exchangedOut",
            "handedToDeliveryMen",
            "handedBackToDealer",
            "delivered",
            "distributionFees",
            "expenses",
            "returnedToManager",
        ]);
        self.same(
            &format!("closing of {whose}: {row}"),
            minor(row, "closing"),
            came - went,
        );
    }

    fn dealers(&mut self) {
        let closings = self.get(&format!("/dashboard/dealer/closing?{SINCE}"));
        let today = self.get("/dealer/dayli_credit_report?RecordsPerPage=0");
        for page in [&closings, &today] {
            for closing in rows(&page["data"]) {
                let dealer = text(&closing["dealer"]["id"]).unwrap();
                let mut team: BTreeMap<String, i64> = BTreeMap::new();
                for party in rows(&closing["parties"]) {
                    let id = text(&party["party"]["id"]).unwrap();
                    for row in rows(&party["currencies"]) {
                        let currency = text(&row["currency"]).unwrap();
                        self.cash(&id, row);
                        let booked = self.booked("field_cash", Some(&id), &currency);
                        self.same(&format!("cash {currency} of {id}"), minor(row, "closing"), booked);
                        *team.entry(currency).or_default() += booked;
                    }
                }
                for row in rows(&closing["currencies"]) {
                    let currency = text(&row["currency"]).unwrap();
                    self.cash(&dealer, row);
                    let shipping = -self.booked("remittances_shipping", Some(&dealer), &currency);
                    let cash = team.get(&currency).copied().unwrap_or(0);
                    self.same("shipping", minor(row, "shipping"), shipping);
                    self.same("credit", minor(row, "credit"), cash - shipping);
                }
            }
        }
        for currency in self.currencies() {
            let dealers = rows(&closings["data"])
                .iter()
                .flat_map(|closing| rows(&closing["currencies"]));
            let of = dealers.filter(|row| row["currency"] == currency.as_str());
            let (mut cash, mut shipping) = (0, 0);
            for row in of {
                cash += minor(row, "closing");
                shipping += minor(row, "shipping");
            }
            self.same("all field cash", cash, self.booked("field_cash", None, &currency));
            self.same(
                "all shipping",
                -shipping,
                self.booked("remittances_shipping", None, &currency),
            );
        }
    }

    /// Each seller's sales less returns according to the closure, by currency.
    fn closures(&mut self) -> BTreeMap<(String, String), i64> {
        let mut sold: BTreeMap<(String, String), i64> = BTreeMap::new();
        for path in ["/dashboard/agency/report", "/dashboard/agent/report"] {
            for body in [json!({}), json!({"initDate": "20000101"})] {
                let whole = body["initDate"].is_string();
                let path = format!("{path}?RecordsPerPage=0");
                let previews = self.client.expect(200, self.token, "POST", &path, Some(body));
                for preview in rows(&previews["data"]) {
                    let seller = text(&preview["party"]["id"]).unwrap();
                    let figures = &preview["figures"];
                    for row in rows(&figures["groups"]) {
                        let (group, currency) = (text(&row["paymentGroupId"]), text(&row["currency"]).unwrap());
                        let amount = |name| minor(row, name);
                        let closing = amount("opening") + amount("assigned") - amount("given") - amount("sold")
                            + amount("returned");
                        self.same(&format!("closing of {seller}: {row}"), amount("closing"), closing);
                        let key = ("balance".to_owned(), Some(seller.clone()), group, currency.clone());
                        let booked = -self.ledger.get(&key).copied().unwrap_or(0);
                        self.same(&format!("balance of {seller}"), amount("closing"), booked);
                        if whole {
                            *sold.entry((seller.clone(), currency)).or_default() += amount("sold") - amount("returned");
                        }
                    }
                    let outstanding = minor(preview, "debitsOpening")
                        + minor(figures, "debitsOpened")
                        + minor(preview, "debitsBilled")
                        - minor(figures, "debitsPaid");
                    self.same("debits", minor(figures, "debitsOutstanding"), outstanding);
                    let accrued = self.booked("commission_receivable", Some(&seller), "USD");
                    self.same("commission accrued", minor(figures, "commissionAccrued"), accrued);
                    let (debits, agency) = (
                        self.booked("debits", Some(&seller), "USD"),
                        self.booked("agency_receivable", Some(&seller), "USD"),
                    );
                    let owed = minor(figures, "debitsOutstanding") + minor(preview, "agencyFeeAccrued");
                    self.same(&format!("what {seller} owes"), owed, debits + agency);
                }
            }
        }
        sold
    }

    fn sales(&mut self, sold: &BTreeMap<(String, String), i64>) {
        let sales = self.get(&format!("/dashboard/sales?{SINCE}"));
        let mut payouts = BTreeMap::new();
        let mut fees = 0;
        for row in rows(&sales["data"]) {
            let key = (text(&row["seller"]["id"]).unwrap(), text(&row["currency"]).unwrap());
            payouts.insert(key, minor(row, "payout"));
            fees += minor(row, "managerFee");
            let total = minor(row, "managerFee") + minor(row, "agencyFee") + minor(row, "agentFee");
            self.same("all fees", minor(row, "totalFee"), total);
        }
        for (key, sold) in sold {
            let payout = payouts.get(key).copied().unwrap_or(0);
            self.same(&format!("payouts sold by {key:?}"), payout, *sold);
        }
        let booked = self.booked("commission_income", None, "USD") + self.booked("deferred_commission", None, "USD");
        self.same("the manager's fees", fees, -booked);
        let totals: i64 = rows(&sales["totals"]).iter().map(|row| minor(row, "managerFee")).sum();
        self.same("the fees' totals", totals, fees);
    }

    fn deliveries(&mut self) {
        let sales = self.get(&format!("/dashboard/dealer/sales?{SINCE}"));
        for currency in self.currencies() {
            let rows = rows(&sales["data"]).iter().flat_map(|row| rows(&row["currencies"]));
            let fees: i64 = rows
                .filter(|row| row["currency"] == currency.as_str())
                .map(|row| minor(row, "distributionFees"))
                .sum();
            self.same(
                "distribution fees",
                fees,
                self.booked("distribution_fees", None, &currency),
            );
        }
    }

    fn balances(&mut self) {
        let real = self.get("/accounting/real_balances?RecordsPerPage=0");
        for row in rows(&real["data"]) {
            let currency = text(&row["currency"]).unwrap();
            let kinds = [
                "treasury",
                "field_cash",
                "remittances_pending",
                "remittances_shipping",
                "remittances_error",
                "balance",
                "debits",
            ];
            let booked = kinds.iter().map(|kind| self.booked(kind, None, &currency)).sum();
            self.same(&format!("what is left of {currency}"), minor(row, "real"), booked);
        }
        let parties = self.get("/accounting/party_balances?RecordsPerPage=0");
        for party in rows(&parties["data"]) {
            let id = text(&party["party"]["id"]).unwrap();
            for row in rows(&party["balances"]) {
                let (group, currency) = (text(&row["paymentGroupId"]), text(&row["currency"]).unwrap());
                let (kind, sign) = if group.is_some() {
                    ("balance", -1)
                } else {
                    ("field_cash", 1)
                };
                let key = (kind.to_owned(), Some(id.clone()), group, currency);
                let booked = sign * self.ledger.get(&key).copied().unwrap_or(0);
                self.same(&format!("what {id} has"), minor(row, "balance"), booked);
            }
            let debits = self.booked("debits", Some(&id), "USD");
            self.same(&format!("debits of {id}"), minor(party, "debitsOutstanding"), debits);
        }
    }

    fn dashboard(&mut self) {
        let remittances = self.get("/remittances?RecordsPerPage=0");
        let stand = |row: &&Value| row["status"] != 1;
        let stand: Vec<&Value> = rows(&remittances["data"]).iter().filter(stand).collect();
        let count = i64::try_from(stand.len()).unwrap();
        let totals = self.get("/dashboard/agency/remittance/total?initDate=20000101");
        self.same("remittances", totals["totalRemittances"].as_i64().unwrap(), count);
        for row in rows(&totals["report"]) {
            let of = stand
                .iter()
                .filter(|remittance| remittance["currencyTo"] == row["currency"]);
            let (mut payout, mut sent) = (0, 0);
            for remittance in of {
                payout += minor(remittance, "payout");
                sent += minor(remittance, "amount");
            }
            self.same("paid out", minor(row, "amount"), payout);
            self.same("sent", minor(row, "amountUsd"), sent);
        }
        let chart = self.get("/dashboard/remittance/statistics");
        let days = rows(&chart["results"]).iter();
        let charted = days.map(|day| day["total"].as_i64().unwrap()).sum();
        self.same("the chart's sum", charted, count);
    }
}
