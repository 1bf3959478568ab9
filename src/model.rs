//! Clients, network and servers: one run is a pure function of (scenario, policies, run).

mod arrivals;
pub mod capacity;
mod expected_requests;
pub mod fault;
mod fifo;
mod gate;
pub mod layers_on_trial;
pub mod limit;
pub mod listen;
pub mod network;
pub mod occ_row;
mod pool;
pub mod population;
pub mod probe;
mod records;
pub mod refusal;
pub mod reply;
pub mod route;
pub mod run_id;
pub mod scenario;
pub mod subject;
pub mod trace;
pub mod world;
