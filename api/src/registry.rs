//! Where calls are registered: in a server, or in the document of the API.

use actix_web::{dev::HttpServiceFactory, web};
use utoipa_actix_web::{OpenApiFactory, service_config::ServiceConfig};

/// Takes the handlers of all calls. Describing them builds every schema, which is for the document alone: a server has
/// several workers, and each of them registers all calls.
pub enum Registry<'a, 'b> {
    Served(&'a mut web::ServiceConfig),
    Described(&'a mut ServiceConfig<'b>),
}

impl Registry<'_, '_> {
    pub fn service<F>(&mut self, handler: F) -> &mut Self
    where
        F: HttpServiceFactory + OpenApiFactory + 'static,
    {
        match self {
            Self::Served(server) => {
                server.service(handler);
            }
            Self::Described(document) => {
                document.service(handler);
            }
        }
        self
    }
}
