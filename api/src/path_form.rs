//! One form of every path. `%61` is another spelling of `a`: the router reads both alike, so what judges by the path has to as
//! well.

use actix_web::{
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::Uri,
    middleware::Next,
};

/// Middleware: replaces escapes of characters that need none (RFC 3986, 6.2.2.2), before anything looks at the path.
pub async fn normalise<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    if let Some(uri) = normal(request.uri()) {
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
    next.call(request).await
}

/// The address with a normal path; `None` where it is one already.
fn normal(uri: &Uri) -> Option<Uri> {
    let path = unescaped(uri.path())?;
    let whole = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(whole.parse().ok()?);
    Uri::from_parts(parts).ok()
}

/// A path without needless escapes; `None` where it has none.
fn unescaped(path: &str) -> Option<String> {
    let mut normal = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (before, escape) = rest.split_at(at);
        normal.push_str(before);
        let byte = escape.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
            Some(byte) => {
                normal.push(char::from(byte));
                rest = escape.get(3..).unwrap_or_default();
            }
            None => {
                normal.push('%');
                rest = escape.get(1..).unwrap_or_default();
            }
        }
    }
    normal.push_str(rest);
    (normal != path).then_some(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_that_are_not_needed_go_and_others_stay() {
        let normal = |path: &str| unescaped(path).unwrap_or_else(|| path.to_owned());
        assert_eq!(
            normal("/%61pi/agency/balance%5Fassignments"),
            "/api/agency/balance_assignments"
        );
        assert_eq!(normal("/api/users/%30%31%39%39"), "/api/users/0199");
        for path in [
            "/api/users/change_password/ana%40example.test",
            "/a%2Fb%25%2b",
            "/%",
            "/%4",
            "/%zz",
            "/á%C3%A1",
        ] {
            assert_eq!(unescaped(path), None, "{path}");
        }
        // Once: what comes out is not read again.
        assert_eq!(normal("/%25%36%31"), "/%2561");
    }

    #[test]
    fn the_query_stays_as_it_is() {
        let uri: Uri = "/%61pi/remittances?query=%61%26b".parse().unwrap();
        assert_eq!(normal(&uri).unwrap(), "/api/remittances?query=%61%26b");
        assert_eq!(normal(&"/api/remittances?query=%61".parse().unwrap()), None);
    }
}
