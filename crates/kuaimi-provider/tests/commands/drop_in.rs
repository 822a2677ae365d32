//! Nothing else breaks: what programs print with the distribution's own configuration, they print
//! with Kuaimi's, which includes it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use super::openssl::{By, Shell, configuration, module};

/// Runs a program with a file of `drop_in`, without a configuration of the environment's or with
/// one. It must succeed. Gives what it prints.
fn output(program: &str, file: &str, configuration: Option<&OsStr>) -> String {
    let shell = Shell::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/commands/drop_in")
        .join(file);
    let mut command = Command::new(program);
    command
        .arg(file)
        .current_dir(shell.path(""))
        .env_remove("OPENSSL_CONF");
    if let Some(configuration) = configuration {
        command.env("OPENSSL_CONF", configuration);
    }
    // A module with AddressSanitizer (`make sanitizers`, which names its runtime) runs in programs
    // that have this from the start.
    if let Some(runtime) = std::env::var_os("KUAIMI_SANITIZER") {
        command.env("LD_PRELOAD", runtime);
    }
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{program} does not start: run `scripts/need`: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program}: {}\n{text}{errors}",
        output.status
    );
    assert_eq!(errors.trim(), "", "{program}");
    text
}

fn goes_on_as_before(program: &str, file: &str) -> String {
    let shell = Shell::new();
    let before = output(program, file, None);
    let after = output(program, file, Some(shell.path("kuaimi.cnf").as_os_str()));
    for (before, after) in before.lines().zip(after.lines()) {
        assert_eq!(before, after, "{program}, before and after");
    }
    assert_eq!(before, after, "{program}, before and after");
    after
}

#[test]
fn openssl_makes_the_same_certificates() {
    let text = goes_on_as_before("sh", "openssl.sh");
    assert_eq!(text.matches("CA:TRUE").count(), 3, "{text}");
    assert!(text.contains("Status: Granted"), "{text}");
}

#[test]
fn php_does_the_same_and_leaves_no_errors() {
    let text = goes_on_as_before("php", "php.php");
    assert!(!text.contains("left in the queue"), "{text}");
}

#[test]
fn python_and_curl_do_the_same() {
    // The distribution's own, where there is another one, too.
    let python = ["/usr/bin/python3", "python3"]
        .into_iter()
        .find(|path| Path::new(path).exists())
        .unwrap_or("python3");
    let text = goes_on_as_before(python, "python.py");
    assert!(text.contains("hello"), "{text}");
}

/// The sections by which a distribution loads providers and sets TLS and properties are used, under
/// the names that they have there.
#[test]
fn what_the_system_loads_is_loaded() {
    let shell = Shell::new();
    shell.write(
        "openssl.cnf",
        "openssl_conf = begin # a comment\n[ begin ]\nproviders = list\nalg_section=evp\nssl_conf = tls\n\
         [list]\ndefault = none\nlegacy = old\n[old]\nactivate = 1\n[none]\n[evp]\ndefault_properties = ?fips=no\n\
         [tls]\nsystem_default = all\n[all]\nCipherString = AES256-GCM-SHA384\n[req]\n",
    );
    let made = configuration(&module(), Some(&shell.path("openssl.cnf")));
    assert!(
        made.contains("\ndefault_properties = ?fips=no,?provider=kuaimi\n"),
        "{made}"
    );
    shell.write("kuaimi.cnf", made);
    let text = shell.text(By::Kuaimi, "list -providers");
    for name in [
        "Kuaimi",
        "OpenSSL Default Provider",
        "OpenSSL Legacy Provider",
    ] {
        assert!(text.contains(name), "no {name} in {text}");
    }
    let text = shell.text(By::Kuaimi, "ciphers -s -tls1_2");
    assert_eq!(text.trim(), "AES256-GCM-SHA384");
    // A file that is not there is none.
    let made = configuration(&module(), Some(&shell.path("nothing.cnf")));
    shell.write("kuaimi.cnf", made);
    assert!(shell.text(By::Kuaimi, "list -providers").contains("Kuaimi"));
}
