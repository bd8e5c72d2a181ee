//! Mutual authentication of nodes by their common key file.
//!
//! A forwarded command has a nonce and its MAC over the request line and token; the answer has a MAC over nonce and
//! status. A listener without the key file is not believed, and a client without it cannot suppress forwarding.

use crate::auth::mac::KeyedHash;
use uuid::Uuid;

/// Proofs under an installation's key.
#[derive(Clone, Debug)]
pub struct Proofs(KeyedHash);

/// Nonce of a forwarded command, with its MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce(Uuid);

/// Authenticated parts of a request.
#[derive(Clone, Copy, Debug)]
pub struct RequestLine<'a> {
    pub method: &'a str,
    pub path_and_query: &'a str,
    /// Header `Authorization`.
    pub authorization: &'a [u8],
}

impl Proofs {
    pub fn new(key: &[u8; 32]) -> Self {
        Self(KeyedHash::new(key))
    }

    /// Nonce and header value for a request to forward.
    pub fn of_request(&self, line: RequestLine<'_>) -> (Nonce, String) {
        let nonce = Nonce(Uuid::new_v4());
        let mac = hex::encode(self.0.of(&request(&nonce, &line)));
        (nonce, format!("{}.{mac}", nonce.0.simple()))
    }

    /// Nonce of a forwarded request; `None` for an invalid header value.
    pub fn check_request(&self, value: &str, line: RequestLine<'_>) -> Option<Nonce> {
        let (nonce, mac) = value.split_once('.')?;
        let nonce = Nonce(Uuid::try_parse(nonce).ok()?);
        let mac = hex::decode(mac).ok()?;
        self.0.is_of(&request(&nonce, &line), &mac).then_some(nonce)
    }

    /// Header value of an answer.
    pub fn of_answer(&self, nonce: Nonce, status: u16) -> String {
        hex::encode(self.0.of(&answer(&nonce, &status.to_be_bytes())))
    }

    /// Whether an answer comes from a node, for this request.
    pub fn check_answer(&self, value: &str, nonce: Nonce, status: u16) -> bool {
        hex::decode(value).is_ok_and(|mac| self.0.is_of(&answer(&nonce, &status.to_be_bytes()), &mac))
    }
}

fn request<'a>(nonce: &'a Nonce, line: &RequestLine<'a>) -> [&'a [u8]; 5] {
    [
        b"request",
        nonce.0.as_bytes(),
        line.method.as_bytes(),
        line.path_and_query.as_bytes(),
        line.authorization,
    ]
}

fn answer<'a>(nonce: &'a Nonce, status: &'a [u8]) -> [&'a [u8]; 3] {
    [b"answer", nonce.0.as_bytes(), status]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: RequestLine<'_> = RequestLine {
        method: "POST",
        path_and_query: "/api/remittances",
        authorization: b"Bearer a",
    };

    #[test]
    fn a_proof_holds_for_its_own_request_and_its_own_answer_under_the_same_key_alone() {
        let (ours, others) = (Proofs::new(&[1; 32]), Proofs::new(&[2; 32]));
        let (nonce, header) = ours.of_request(LINE);
        assert_eq!(ours.check_request(&header, LINE), Some(nonce));
        assert_eq!(others.check_request(&header, LINE), None);
        let other_token = RequestLine {
            authorization: b"Bearer b",
            ..LINE
        };
        assert_eq!(ours.check_request(&header, other_token), None);
        for nonsense in ["", ".", "a.b", &header[..header.len() - 2]] {
            assert_eq!(ours.check_request(nonsense, LINE), None, "{nonsense}");
        }
        let answer = ours.of_answer(nonce, 201);
        assert!(ours.check_answer(&answer, nonce, 201));
        assert!(!ours.check_answer(&answer, nonce, 200));
        assert!(!ours.check_answer(&answer, Nonce(Uuid::new_v4()), 201));
        assert!(!others.check_answer(&answer, nonce, 201));
    }
}
