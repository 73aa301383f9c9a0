//! URLs of LUNs: `iscsi://[USER[%PASSWORD]@]HOST[:PORT]/TARGET/LUN`.

use crate::remote::reason::Reason;

/// Parts of a URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Url {
    /// Host and port, as in the URL.
    pub portal: String,
    /// Name of the target.
    pub target: String,
    pub lun: u16,
    pub login: Option<Login>,
    /// Login by which the target identifies itself (mutual CHAP).
    pub target_login: Option<Login>,
}

/// User and password of CHAP.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Login {
    pub user: String,
    pub password: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No password in any text.
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Url {
    /// Returns the parts of a URL. Logins that it does not contain are those of libiscsi's environment variables, which
    /// `variable` returns.
    ///
    /// # Errors
    /// What is wrong with the URL; without its password.
    pub(super) fn parse(url: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Url, Reason> {
        let rest = url.strip_prefix("iscsi://").ok_or(Reason::NotIscsi)?;
        let (path, arguments) = rest.split_once('?').unwrap_or((rest, ""));
        let (login, path) = path.rsplit_once('@').map_or((None, path), |(login, path)| (Some(login), path));
        let mut parts = path.splitn(3, '/');
        let (portal, target, lun) = (parts.next(), parts.next(), parts.next());
        let (Some(portal), Some(target), Some(lun)) = (portal, target, lun) else {
            return Err(Reason::Url(path.into()));
        };
        if portal.is_empty() || portal.starts_with(':') || target.is_empty() {
            return Err(Reason::Url(path.into()));
        }
        let lun = lun.parse().map_err(|_| Reason::Lun { path: path.into(), lun: lun.into() })?;
        let from_variables = |user: &str, password: &str| {
            Some(Login { user: variable(user)?, password: variable(password).unwrap_or_default() })
        };
        let login = login.map(|login| {
            let (user, password) = login.split_once('%').unwrap_or((login, ""));
            let password = match password {
                "" => variable("LIBISCSI_CHAP_PASSWORD").unwrap_or_default(),
                password => password.into(),
            };
            Login { user: user.into(), password }
        });
        let argument = |name: &str| {
            let mut pairs = arguments.split('&').filter_map(|one| one.split_once('='));
            pairs.find(|pair| pair.0 == name).map(|pair| pair.1.to_string())
        };
        let target_login = argument("target_user")
            .map(|user| Login { user, password: argument("target_password").unwrap_or_default() });
        Ok(Url {
            portal: portal.into(),
            target: decoded(target).ok_or_else(|| Reason::Percent(target.into()))?,
            lun,
            login: login.or_else(|| from_variables("LIBISCSI_CHAP_USERNAME", "LIBISCSI_CHAP_PASSWORD")),
            target_login: target_login
                .or_else(|| from_variables("LIBISCSI_CHAP_TARGET_USERNAME", "LIBISCSI_CHAP_TARGET_PASSWORD")),
        })
    }

    /// Returns the name of the LUN in messages, which has no password.
    pub(super) fn name(&self) -> String {
        format!("{}/{}/{}", self.portal, self.target, self.lun)
    }
}

/// Returns the text with its `%XX` decoded; `None` if one is not valid.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes: Vec<u8> = parts.next()?.into();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> Result<Url, Reason> {
        Url::parse(url, |_| None)
    }

    fn login(user: &str, password: &str) -> Option<Login> {
        Some(Login { user: user.into(), password: password.into() })
    }

    #[test]
    fn parts_of_a_url() {
        let plain = Url {
            portal: "host:3260".into(),
            target: "iqn.2026-01.test:t1".into(),
            lun: 7,
            ..Url::default()
        };
        assert_eq!(parsed("iscsi://host:3260/iqn.2026-01.test:t1/7"), Ok(plain.clone()));
        assert_eq!(parsed("iscsi://host:3260/iqn.2026-01.test%3At1/7"), Ok(plain.clone()));
        let with = Url { login: login("u1", "a%b"), target_login: login("t", "s"), ..plain.clone() };
        let url = "iscsi://u1%a%b@host:3260/iqn.2026-01.test:t1/7?target_user=t&target_password=s";
        assert_eq!(parsed(url), Ok(with.clone()));
        assert_eq!(with.name(), "host:3260/iqn.2026-01.test:t1/7");
        assert!(!format!("{with:?}").contains("a%b"));
        let six = parsed("iscsi://[::1]:3260/eui.1/0").unwrap();
        assert_eq!((six.portal.as_str(), six.lun), ("[::1]:3260", 0));
    }

    #[test]
    fn logins_come_from_the_environment_if_the_url_has_none() {
        let variables = |name: &str| Some(name.strip_prefix("LIBISCSI_CHAP_")?.to_lowercase());
        let url = Url::parse("iscsi://h/iqn.x/1", variables).unwrap();
        assert_eq!(url.login, login("username", "password"));
        assert_eq!(url.target_login, login("target_username", "target_password"));
        let url = Url::parse("iscsi://me@h/iqn.x/1", variables).unwrap();
        assert_eq!(url.login, login("me", "password"));
        let url = Url::parse("iscsi://me%own@h/iqn.x/1", variables).unwrap();
        assert_eq!(url.login, login("me", "own"));
    }

    #[test]
    fn wrong_urls_are_refused_without_their_password() {
        for url in [
            "http://h/iqn.x/1",
            "iscsi://u%secret@h",
            "iscsi://u%secret@h/iqn.x",
            "iscsi://u%secret@/iqn.x/1",
            "iscsi://u%secret@:3260/iqn.x/1",
            "iscsi://u%secret@h//1",
            "iscsi://u%secret@h/iqn.x/",
            "iscsi://u%secret@h/iqn.x/one",
            "iscsi://u%secret@h/iqn.x/70000",
            "iscsi://u%secret@h/iqn%x/1",
        ] {
            let error = parsed(url).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{url}: {error}");
        }
    }
}
