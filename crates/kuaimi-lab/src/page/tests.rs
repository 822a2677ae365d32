//! The page without a browser, from figures written here. `make report-check` reads it in a
//! browser.

use std::fs;

use super::html;

const SM2: &str = include_str!("fixture/sm2.json");
const SM9: &str = include_str!("fixture/sm9.json");
const LADDERS: &str = include_str!("fixture/ladders.json");
const BATCHES: &str = include_str!("fixture/batches.json");

fn page(files: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    html(folder.path()).unwrap()
}

fn all() -> String {
    page(&[
        ("sm2.json", SM2),
        ("sm9.json", SM9),
        ("ladders.json", LADDERS),
        ("batches.json", BATCHES),
    ])
}

/// The rows of tables, without their elements.
fn rows(page: &str) -> Vec<String> {
    let rows = page.split("<tr>").skip(1);
    let text = rows.map(|row| {
        let row = row.split("</tr>").next().unwrap_or_default();
        let pieces = row.split('<').filter_map(|piece| piece.split_once('>'));
        let words: Vec<&str> = pieces
            .map(|(_, text)| text.trim())
            .filter(|text| !text.is_empty())
            .collect();
        words.join("|").replace("&#x2f;", "/")
    });
    text.collect()
}

/// Nothing comes from elsewhere: neither by what the page names, nor by what a browser lets it do.
#[test]
fn the_page_needs_nothing_else() {
    let page = all();
    for outside in [
        "http:",
        "https:",
        "src=",
        "@import",
        "url(",
        "<link rel=\"stylesheet",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn text_of_figures_is_escaped() {
    let page = all();
    for (raw, escaped) in [
        ("key <pair>", "key &lt;pair&gt;"),
        ("slow<er>", "slow&lt;er&gt;"),
        ("no <compiler>", "no &lt;compiler&gt;"),
        ("it <stops>", "it &lt;stops&gt;"),
        ("About <it> & more.", "About &lt;it&gt; &amp; more."),
        ("<now>", "measure &#x27;it&#x27; &lt;now&gt;"),
    ] {
        assert!(!page.contains(raw), "{raw}");
        assert!(page.contains(escaped), "{escaped}");
    }
}

/// The figures are those of the files, and ratios are formed of rounds that both took part in.
#[test]
fn tables_have_the_figures() {
    let rows = rows(&all());
    for row in [
        "SM2|sign|签名|30,000 /s|gmsm 2|10,000 /s|4.00 [3.00 – 5.00]|three",
        "SM2|hash|1,235 MB/s|gmsm 2|1,235 MB/s|1.00 [1.00 – 1.00]|two",
        "SM9|sign|签名|120,000 /s|slow&lt;er&gt; 1|440 /s|275.00 [250.00 – 300.00]|message 32 bytes|消息 32 字节",
        "SM9|sign|签名|120,000 /s|halting 3|failed: it &lt;stops&gt;|失败：it &lt;stops&gt;",
        "broken|C|failed: no &lt;compiler&gt;|失败：no &lt;compiler&gt;",
        "Fast &amp; co 2|Go|measured|已测",
        "tables|1.00 µs|4.00 [3.50 – 4.50]|4.00|50 ns|2.00|4.00|32 KiB, and 512 B for each P|the library|本库所用|Another. A paper.|Another. A paper。",
    ] {
        assert!(
            rows.contains(&row.to_owned()),
            "{row} is not in\n{}",
            rows.join("\n")
        );
    }
    // What has no figure has no row; an operation that one library alone has cannot be compared.
    assert!(rows.iter().all(|row| !row.contains("|pool|")));
}

/// Numbers are sorted by their values, not by how they are written.
#[test]
fn numbers_carry_their_values() {
    let page = all();
    assert!(page.contains("data-value=\"30000.0\""), "{page}");
    assert!(page.contains("data-value=\"1000.0\""));
}

#[test]
fn bars_are_as_long_as_figures_are_great() {
    let page = all();
    let bar = |label: &str| {
        let (_, rest) = page
            .split_once(&format!("<span class=\"label\">{label}"))
            .unwrap();
        let (_, rest) = rest.split_once("width=\"").unwrap();
        let (_, rest) = rest.split_once("<rect").map_or(("", rest), |_| ("", rest));
        let number = rest.split('%').next().unwrap();
        number.parse::<f64>().unwrap()
    };
    // In a group the fastest fills the line: Kuaimi is first, half as fast; then the others, the
    // fastest first.
    assert!((bar("<span lang=\"en\">Fast &amp; co 2") - 100.0).abs() < 0.01);
    let (_, sm9) = page.split_once("SM9: speed").unwrap();
    let place = |label: &str| sm9.find(label).unwrap();
    assert!(place("Kuaimi 1") < place("Fast &amp; co 2"));
    assert!(place("Fast &amp; co 2") < place("slow&lt;er&gt; 1"));
    assert!((bar("<span lang=\"en\">slow&lt;er&gt; 1") - 0.18).abs() < 0.01);
}

/// Every text is there in both languages, or in none of the two's clothes.
#[test]
fn two_languages() {
    let page = all();
    assert_eq!(
        page.matches("class=\"en\"").count(),
        page.matches("class=\"zh\"").count()
    );
    assert!(page.contains("<span class=\"zh\" lang=\"zh-CN\">与其他库对照</span>"));
    assert!(page.contains("逐位，无表。"));
}

#[test]
fn parts_without_figures_are_left_out() {
    let page = page(&[("ladders.json", LADDERS)]);
    for id in [
        "ladders",
        "table-sizes",
        "measured",
        "ladder-generator",
        "measured-generator",
    ] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    for id in ["libraries", "scaling", "batch-sizes", "verify-batch"] {
        assert!(!page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}

/// Every link inside the page leads somewhere.
#[test]
fn links_have_targets() {
    let page = all();
    let links: Vec<&str> = page
        .split("href=\"#")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(links.len() > 8, "{links:?}");
    for link in links {
        assert_eq!(page.matches(&format!("id=\"{link}\"")).count(), 1, "{link}");
    }
}

/// Readers see figures, and no goals.
#[test]
fn the_page_has_no_goals() {
    let page = all();
    let (page, _) = page.split_once("<script>").unwrap();
    for word in ["missed", "aim reached", "NaN"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn a_folder_without_figures_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = html(folder.path()).unwrap_err().to_string();
    assert!(error.contains("has no records"), "{error}");
    fs::write(folder.path().join("sm2.json"), "{\"sections\": 1}").unwrap();
    let error = html(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is not a record of this program"), "{error}");
}
