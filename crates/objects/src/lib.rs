//! Object storage over HTTP: S3 (signature 4), Swift and WebDAV.
//!
//! [`Client`] keeps many requests in flight on kept-alive connections, from one thread, by epoll. It has no runtime of
//! its own for three reasons: a signal ends the wait (EINTR), as the engines of fathom need it; contents go from the
//! caller's block to the socket, and back, without a copy; and the times of a request are those of its system calls.
#![forbid(unsafe_code)]

pub mod access;
mod answer;
pub mod client;
mod connection;
mod date;
pub mod endpoint;
pub mod error;
pub mod request;
pub mod s3;
pub mod signature;
pub mod swift;
mod transport;
pub mod webdav;
mod xml;

pub use client::{Client, Waited};
pub use endpoint::{Endpoint, Https};
pub use error::Error;
pub use request::{Body, Buffers, Method, Request, Response, Sink, Timings};
