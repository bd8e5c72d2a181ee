//! Model check of the protocol by which nodes append to a tenant's log and lease its writer: every order of steps
//! within small bounds, see `docs/protocol.md`. `journal/src/writer/simulation` runs the writer's own code.

mod append;
mod lease;

use stateright::{Checker as _, CheckerBuilder, Expectation, HasDiscoveries, Model};
use std::{fmt::Debug, hash::Hash, num::NonZeroUsize};

fn checker<M>(model: M) -> CheckerBuilder<M>
where
    M: Model + Send + Sync + 'static,
    M::State: Hash + Send + Sync,
{
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    model.checker().threads(threads)
}

/// Visits every reachable state. Panics with the steps to a state that violates a property.
fn holds<M>(model: M)
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    M::Action: Clone + Debug + PartialEq,
{
    let checked = checker(model).spawn_bfs().join();
    println!("{} states", checked.unique_state_count());
    checked.assert_properties();
}

/// The first violated property; `None` if all hold.
fn broken<M>(model: M) -> Option<&'static str>
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync,
    M::Action: Clone + Debug + PartialEq,
{
    let checked = checker(model)
        .finish_when(HasDiscoveries::AnyFailures)
        .spawn_bfs()
        .join();
    let properties = checked.model().properties().into_iter();
    properties
        .filter(|property| property.expectation == Expectation::Always)
        .map(|property| property.name)
        .find(|name| checked.discovery(name).is_some())
}
