//! Where calls are registered: in a server, or in the document of the API.

use crate::policy;
use actix_web::{Scope, dev::HttpServiceFactory, guard, web};
use std::collections::BTreeMap;
use utoipa_actix_web::{OpenApiFactory, service_config::ServiceConfig};

/// Takes the handlers of all calls. Describing them builds every schema, which is for the document alone: a server has
/// several workers, and each of them registers all calls.
pub enum Registry<'a, 'b> {
    Served(&'a mut Groups),
    Described(&'a mut ServiceConfig<'b>),
}

impl Registry<'_, '_> {
    pub fn service<F>(&mut self, handler: F) -> &mut Self
    where
        F: HttpServiceFactory + OpenApiFactory + utoipa::Path + 'static,
    {
        match self {
            Self::Served(groups) => groups.add(&F::path(), handler),
            Self::Described(document) => {
                document.service(handler);
            }
        }
        self
    }

    /// Takes a handler without a description. It is served; the API's document gets it elsewhere.
    pub fn served(&mut self, path: &str, handler: impl HttpServiceFactory + 'static) -> &mut Self {
        if let Self::Served(groups) = self {
            groups.add(path, handler);
        }
        self
    }
}

/// Handlers by the [group](policy::group) of their path, in the order of their registration. The router tries one pattern after the
/// other, a regular expression each: for a request these are those of its group, and not all.
#[derive(Default)]
pub struct Groups(BTreeMap<String, Scope>);

impl Groups {
    fn add(&mut self, path: &str, handler: impl HttpServiceFactory + 'static) {
        let name = policy::group(path).unwrap_or_default();
        let scope = self.0.remove(name).unwrap_or_else(|| {
            let name = name.to_owned();
            web::scope("").guard(guard::fn_guard(move |context| {
                policy::group(context.head().uri.path()) == Some(name.as_str())
            }))
        });
        self.0.insert(name.to_owned(), scope.service(handler));
    }

    /// Serves all calls that were added.
    pub fn serve(self, server: &mut web::ServiceConfig) {
        for scope in self.0.into_values() {
            server.service(scope);
        }
    }
}
