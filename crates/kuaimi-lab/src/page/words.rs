//! Texts in two languages. Those of this module's functions are written where they are used; those
//! of the figures' files, operations and rungs, are looked up in `zh.json`, and stay English where
//! that file does not have them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::model::{Fact, Text};

static CHINESE: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("zh.json")).unwrap_or_default());

/// A text in both languages.
pub(super) fn both(en: impl Into<String>, zh: impl Into<String>) -> Text {
    Text {
        en: en.into(),
        zh: Some(zh.into()),
    }
}

/// A text of the figures' files.
pub(super) fn looked_up(en: &str) -> Text {
    Text {
        en: en.to_owned(),
        zh: CHINESE.get(en).cloned().or_else(|| of_parts(en)),
    }
}

/// A list whose parts have translations, such as an operation and how many of it are in a batch, or
/// a record and its cores.
fn of_parts(en: &str) -> Option<String> {
    let part = |part: &str| {
        CHINESE.get(part).cloned().or_else(|| {
            let size = part.strip_prefix("batches of ");
            let cores = part.strip_suffix(" cores");
            size.map(|size| format!("每批 {size} 个"))
                .or_else(|| Some(format!("{} 核", cores?)))
        })
    };
    let (first, last) = en.rsplit_once(", ")?;
    let known = CHINESE.get(first).cloned().or_else(|| of_parts(first));
    // Names such as SM2 are the same.
    let name = || last.ends_with(" cores").then(|| first.to_owned());
    let first = known.or_else(name)?;
    Some(format!("{first}，{}", part(last)?))
}

pub(super) fn fact(en: &str, zh: &str, value: impl Into<Text>) -> Fact {
    Fact {
        name: both(en, zh),
        value: value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CHINESE, looked_up};

    #[test]
    fn the_catalogue_is_read() {
        assert!(CHINESE.len() > 50, "{}", CHINESE.len());
        assert_eq!(looked_up("sign").zh.as_deref(), Some("签名"));
        assert_eq!(
            looked_up("SM2 sign, batches of 256").zh.as_deref(),
            Some("SM2 签名，每批 256 个")
        );
        assert_eq!(looked_up("SM2, 2 cores").zh.as_deref(), Some("SM2，2 核"));
        assert_eq!(looked_up("what nobody has translated").zh, None);
        assert_eq!(looked_up("sign, what nobody has translated").zh, None);
    }
}
