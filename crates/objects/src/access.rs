//! The way to S3 from options and the environment, by the names that AWS's own tools have: endpoints, region and
//! credentials. Secrets come from variables and the credentials file alone.

use crate::s3::Settings;
use crate::signature::Credentials;
use crate::{Endpoint, Https};
use std::path::{Path, PathBuf};

/// What a user asks for; what is missing comes from the environment.
#[derive(Clone, Debug, Default)]
pub struct AccessRequest {
    /// URLs of servers; if empty, `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`, else AWS.
    pub endpoints: Vec<String>,
    /// Region of the signature; `None` = `AWS_REGION`, `AWS_DEFAULT_REGION`, or us-east-1.
    pub region: Option<String>,
    /// Profile of the credentials file; `None` = the variables with the key, or `AWS_PROFILE`, or `default`.
    pub profile: Option<String>,
    /// Whether any certificate is accepted.
    pub insecure: bool,
    /// Whether requests are not signed.
    pub unsigned: bool,
}

/// Reason why there is no way to S3.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum AccessError {
    /// Neither the variables nor the credentials file have a key.
    NoCredentials,
    /// The credentials file does not have the profile, or the profile has no key.
    NoProfile {
        /// Name of the profile.
        profile: String,
        /// The credentials file.
        file: PathBuf,
    },
    /// The URL of an endpoint is not `http://HOST[:PORT]` or `https://HOST[:PORT]`.
    Endpoint {
        /// The text.
        url: String,
    },
}

/// Servers of S3 and the account.
#[derive(Clone, Debug)]
pub struct Access {
    /// Servers.
    pub endpoints: Vec<Endpoint>,
    /// Account and settings of requests.
    pub settings: Settings,
}

/// Returns the way to S3. `variable` returns the value of an environment variable.
///
/// # Errors
/// No credentials, or an endpoint that is no URL.
pub fn find(asked: &AccessRequest, variable: &dyn Fn(&str) -> Option<String>) -> Result<Access, AccessError> {
    let first =
        |names: &[&str]| names.iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
    let region = asked.region.clone().or_else(|| first(&["AWS_REGION", "AWS_DEFAULT_REGION"]));
    let region = region.unwrap_or_else(|| "us-east-1".into());
    let mut urls = asked.endpoints.clone();
    if urls.is_empty() {
        urls.extend(first(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]));
    }
    if urls.is_empty() {
        urls.push(format!("https://s3.{region}.amazonaws.com"));
    }
    let endpoints = urls.iter().map(|url| endpoint(url, asked.insecure)).collect::<Result<Vec<_>, _>>()?;
    let credentials = if asked.unsigned { None } else { Some(credentials(asked, variable)?) };
    // Contents are signed where TLS does not protect them.
    let https = if endpoints.iter().all(|of| of.https != Https::Off) { Https::On } else { Https::Off };
    Ok(Access { settings: Settings { region, ..Settings::new(credentials, https) }, endpoints })
}

fn endpoint(url: &str, insecure: bool) -> Result<Endpoint, AccessError> {
    // What comes before an @ or after a ? may be a password.
    let shown = url.split(['?', '#']).next().unwrap_or_default();
    let shown = match (shown.split_once("://"), shown.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://***@{host}"),
        _ => shown.to_owned(),
    };
    let wrong = || AccessError::Endpoint { url: shown.clone() };
    let (scheme, host) = url.split_once("://").ok_or_else(wrong)?;
    let https = match scheme {
        "http" => Https::Off,
        "https" if insecure => Https::Insecure,
        "https" => Https::On,
        _ => return Err(wrong()),
    };
    let host = host.trim_end_matches('/');
    // A user and a password before the host would be a secret on the command line.
    if host.is_empty() || host.contains(['/', '?', '@', '#']) {
        return Err(wrong());
    }
    Ok(Endpoint::new(host, https))
}

/// Returns the credentials of the variables or the credentials file.
///
/// # Errors
/// Neither has them.
pub fn credentials(
    asked: &AccessRequest,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Credentials, AccessError> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty());
    if asked.profile.is_none()
        && let (Some(key_id), Some(secret)) = (given("AWS_ACCESS_KEY_ID"), given("AWS_SECRET_ACCESS_KEY"))
    {
        return Ok(Credentials { key_id, secret, token: given("AWS_SESSION_TOKEN") });
    }
    let file = given("AWS_SHARED_CREDENTIALS_FILE").map(PathBuf::from);
    let home = || given("HOME").map(|home| Path::new(&home).join(".aws/credentials"));
    let file = file.or_else(home).ok_or(AccessError::NoCredentials)?;
    let named = asked.profile.clone().or_else(|| given("AWS_PROFILE"));
    let text = std::fs::read_to_string(&file).ok();
    let profile = named.clone().unwrap_or_else(|| "default".into());
    let found = text.and_then(|text| of_profile(&text, &profile));
    found.ok_or(match named {
        Some(profile) => AccessError::NoProfile { profile, file },
        None => AccessError::NoCredentials,
    })
}

/// Returns the credentials of a profile in the text of a credentials file; `None` if it has no key.
fn of_profile(text: &str, profile: &str) -> Option<Credentials> {
    let (mut inside, mut key_id, mut secret, mut token) = (false, None, None, None);
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = section.trim() == profile;
        } else if let Some((name, value)) = line.split_once('=').filter(|_| inside) {
            let value = Some(value.trim().to_owned());
            match name.trim() {
                "aws_access_key_id" => key_id = value,
                "aws_secret_access_key" => secret = value,
                "aws_session_token" => token = value,
                _ => {}
            }
        }
    }
    Some(Credentials { key_id: key_id?, secret: secret?, token })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_with(asked: AccessRequest, variables: &[(&str, &str)]) -> Result<Access, AccessError> {
        find(&asked, &|name| {
            variables.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())
        })
    }

    const KEY: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "ID"), ("AWS_SECRET_ACCESS_KEY", "S")];

    #[test]
    fn variables_name_key_region_and_endpoint() {
        let access = find_with(AccessRequest::default(), &KEY).expect("a way");
        assert_eq!(access.endpoints, [Endpoint::new("s3.us-east-1.amazonaws.com", Https::On)]);
        assert!(!access.settings.sign_contents);
        let variables = [&KEY[..], &[("AWS_ENDPOINT_URL", "http://h:1/"), ("AWS_REGION", "r")]].concat();
        let access = find_with(AccessRequest::default(), &variables).expect("a way");
        assert_eq!(access.endpoints, [Endpoint::new("h:1", Https::Off)]);
        assert_eq!((access.settings.region.as_str(), access.settings.sign_contents), ("r", true));
        let asked = AccessRequest {
            endpoints: vec!["https://a".into(), "https://b:2".into()],
            region: Some("x".into()),
            insecure: true,
            unsigned: true,
            ..AccessRequest::default()
        };
        let access = find_with(asked, &variables).expect("a way");
        assert_eq!(
            access.endpoints,
            [Endpoint::new("a", Https::Insecure), Endpoint::new("b:2", Https::Insecure)]
        );
        assert_eq!((access.settings.region.as_str(), access.settings.credentials), ("x", None));
    }

    #[test]
    fn endpoints_that_are_no_urls_are_refused() {
        for (url, shown) in [
            ("h:1", "h:1"),
            ("ftp://h", "ftp://h"),
            ("http://", "http://"),
            ("http://h/path", "http://h/path"),
            ("http://user:secret@h", "http://***@h"),
            ("http://h/?token=secret", "http://h/"),
        ] {
            let asked = AccessRequest { endpoints: vec![url.into()], ..AccessRequest::default() };
            assert_eq!(find_with(asked, &KEY).err(), Some(AccessError::Endpoint { url: shown.into() }));
        }
    }

    #[test]
    fn profiles_have_their_own_key() {
        let text = "[default]\naws_access_key_id = A\naws_secret_access_key=B=\n# x\n[other]\n\
                    aws_access_key_id=C\naws_secret_access_key=D\naws_session_token=T\n[half]\naws_access_key_id=E\n";
        let key = |profile| of_profile(text, profile).map(|key| (key.key_id, key.secret, key.token));
        assert_eq!(key("default"), Some(("A".into(), "B=".into(), None)));
        assert_eq!(key("other"), Some(("C".into(), "D".into(), Some("T".into()))));
        assert_eq!((key("half"), key("none")), (None, None));
        let missing = [("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/c")];
        assert_eq!(find_with(AccessRequest::default(), &missing).err(), Some(AccessError::NoCredentials));
        let asked = AccessRequest { profile: Some("p".into()), ..AccessRequest::default() };
        let no_profile = AccessError::NoProfile { profile: "p".into(), file: "/nonexistent/c".into() };
        assert_eq!(find_with(asked, &[&KEY[..], &missing].concat()).err(), Some(no_profile));
    }
}
