//! Sockets that do not block, with and without TLS.

use crate::{Endpoint, Error, Https};
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore, SignatureScheme, StreamOwned,
};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

/// TLS for an endpoint.
#[derive(Clone, Debug)]
pub(crate) struct TlsSetup {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl TlsSetup {
    /// Returns the setup of the endpoint; `None` without TLS.
    pub(crate) fn new(endpoint: &Endpoint) -> Result<Option<TlsSetup>, Error> {
        let failed =
            |text: String| Error::Tls { host: endpoint.host.clone(), text: crate::error::one_line(&text) };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(|e| failed(e.to_string()))?;
        let config = match endpoint.https {
            Https::Off => return Ok(None),
            Https::Insecure => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
                .with_no_client_auth(),
            Https::On => {
                let mut roots = RootCertStore::empty();
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                builder.with_root_certificates(roots).with_no_client_auth()
            }
        };
        let name = endpoint.name().trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(name).map_err(|e| failed(e.to_string()))?;
        Ok(Some(TlsSetup { config: Arc::new(config), name }))
    }
}

/// Accepts every certificate (`https=insecure`); signatures of the handshake are checked all the same.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// A connection to the server.
#[derive(Debug)]
pub(crate) enum Transport {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Transport {
    /// Begins a connection to `address`; it is made when the socket becomes writable.
    pub(crate) fn begin(address: &SocketAddr, tls: Option<&TlsSetup>) -> io::Result<Transport> {
        let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
        match rustix::net::connect(&socket, address) {
            Ok(()) | Err(rustix::io::Errno::INPROGRESS | rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let socket = TcpStream::from(socket);
        // Head and contents of a request must not wait for each other's acknowledgement.
        socket.set_nodelay(true)?;
        Ok(match tls {
            None => Transport::Plain(socket),
            Some(setup) => {
                let connection = ClientConnection::new(setup.config.clone(), setup.name.clone())
                    .map_err(io::Error::other)?;
                Transport::Tls(Box::new(StreamOwned::new(connection, socket)))
            }
        })
    }

    fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(stream) => &stream.sock,
        }
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.socket().as_fd()
    }

    /// Returns the error of the attempt to connect.
    pub(crate) fn take_error(&self) -> io::Result<()> {
        self.socket().take_error()?.map_or(Ok(()), Err)
    }

    /// Continues the handshake of TLS; WouldBlock while it is under way.
    pub(crate) fn handshake(&mut self) -> io::Result<()> {
        if let Self::Tls(stream) = self {
            while stream.conn.is_handshaking() {
                stream.conn.complete_io(&mut stream.sock)?;
            }
        }
        Ok(())
    }

    pub(crate) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(into),
            Self::Tls(stream) => stream.read(into),
        }
    }

    /// Writes bytes of the head and, behind them, of the contents, and returns how many.
    pub(crate) fn write(&mut self, head: &[u8], contents: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => {
                let parts = [io::IoSlice::new(head), io::IoSlice::new(contents)];
                // Unlike writev, sendmsg can leave out SIGPIPE.
                Ok(rustix::net::sendmsg(socket, &parts, &mut Default::default(), SendFlags::NOSIGNAL)?)
            }
            Self::Tls(stream) => {
                let part = if head.is_empty() { contents } else { head };
                match stream.write(part)? {
                    // The buffer of TLS is full.
                    0 if !part.is_empty() => Err(io::ErrorKind::WouldBlock.into()),
                    written => Ok(written),
                }
            }
        }
    }

    /// Sends what TLS holds back.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(_) => Ok(()),
            Self::Tls(stream) => stream.flush(),
        }
    }
}
