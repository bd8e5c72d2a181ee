//! The day's ledger as exported for other accounting programs. Each journal ends with balance assertions.

use crate::support::{Call, Client};
use std::process::Command;

/// Requires hledger and beancount to accept the exported journals, with the balances of the trial balance.
pub fn are_accepted(client: &Client, manager: &str) {
    let folder = tempfile::tempdir().unwrap();
    let balances = client.expect(200, manager, "GET", "/accounting/balances?RecordsPerPage=0", None);
    let accounts = balances["data"].as_array().unwrap();
    assert!(accounts.len() > 10, "{balances}");
    for (format, program, arguments) in [
        ("hledger", "hledger", &["check", "--strict", "-f"][..]),
        ("beancount", "bean-check", &[]),
    ] {
        let path = format!("/accounting/export?format={format}");
        let answer = client.send(Call::new("GET", &path).token(manager));
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.header("Content-Type").starts_with("text/plain"));
        assert!(answer.header("Content-Disposition").contains("filename=\"worked-"));
        let text = String::from_utf8(answer.bytes).unwrap();
        for account in accounts {
            let closing = account["closing"].as_str().unwrap();
            let currency = account["currency"].as_str().unwrap();
            assert!(
                text.contains(&format!("{closing} {currency}"))
                    || text.contains(&format!("{closing} ~ 0.00 {currency}"))
            );
        }
        let file = folder.path().join(format);
        std::fs::write(&file, text).unwrap();
        let output = Command::new(program)
            .args(arguments)
            .arg(&file)
            .output()
            .expect(program);
        assert!(output.status.success(), "{program}: {output:?}");
    }
    for format in ["csv", "xlsx"] {
        let path = format!("/accounting/export?format={format}");
        let answer = client.send(Call::new("GET", &path).token(manager));
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.bytes.len() > 1_000);
    }
    for query in ["", "?format=pdf", "?format=x"] {
        let answer = client.send(Call::new("GET", &format!("/accounting/export{query}")).token(manager));
        assert_eq!(
            (answer.status, answer.code()),
            (422, "invalid"),
            "{query}: {}",
            answer.body
        );
    }
}
