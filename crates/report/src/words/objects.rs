//! Why a load on objects did not begin, and why there is no way to S3.

use crate::Lang;
use crate::catalog::{say, word};
use lab::objects::{AccessError, ObjectLoadError};

/// Returns why a load did not begin.
pub fn error(lang: Lang, error: &ObjectLoadError) -> String {
    match error {
        ObjectLoadError::NoBucket { bucket } => say!(lang, "objects-no-bucket", bucket),
        ObjectLoadError::Foreign { first } => say!(lang, "objects-foreign", first),
        ObjectLoadError::Mix => word!(lang, "objects-mix").into(),
        ObjectLoadError::Sizes => word!(lang, "objects-sizes").into(),
        ObjectLoadError::NoList => word!(lang, "objects-no-list").into(),
        ObjectLoadError::Parts => word!(lang, "objects-too-many-parts").into(),
        ObjectLoadError::NotAgreed => word!(lang, "run-error-not-agreed").into(),
        // The server's own words.
        ObjectLoadError::Server { call, text } => format!("{call}: {text}"),
    }
}

/// Returns why there is no way to S3.
pub fn access_error(lang: Lang, error: &AccessError) -> String {
    match error {
        AccessError::NoCredentials => word!(lang, "objects-no-credentials").into(),
        AccessError::NoProfile { profile, file } => {
            let file = file.display().to_string();
            say!(lang, "objects-no-profile", profile = profile.as_str(), file)
        }
        AccessError::Endpoint { url } => say!(lang, "objects-endpoint", url = url.as_str()),
    }
}
