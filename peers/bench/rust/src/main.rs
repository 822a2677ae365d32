//! Libraries in Rust as peers: `rust-peer libsm`, `rust-peer rustcrypto`, `rust-peer gm-sm9`,
//! `rust-peer miracl`.

mod gm_sm9;
mod libsm;
mod line;
mod miracl;
mod rustcrypto;

fn main() -> std::process::ExitCode {
    // The versions are those of Cargo.toml, which names them exactly; scripts/bench-peer hands them
    // over.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(library), Some(version)) = (arguments.first(), arguments.get(1)) else {
        eprintln!("usage: rust-peer LIBRARY VERSION");
        return std::process::ExitCode::FAILURE;
    };
    let (forms, operations) = match library.as_str() {
        "libsm" => ("signature=der ciphertext=c1c2c3", libsm::OPERATIONS),
        "rustcrypto" => ("signature=raw ciphertext=c1c3c2", rustcrypto::OPERATIONS),
        "miracl" => ("signature=raw ciphertext=c1c3c2", miracl::OPERATIONS),
        "gm-sm9" => ("signature=raw ciphertext=c1c3c2", gm_sm9::OPERATIONS),
        _ => {
            eprintln!("unknown library {library}");
            return std::process::ExitCode::FAILURE;
        }
    };
    match line::serve(&format!("version={version} {forms}"), operations) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(_) => std::process::ExitCode::FAILURE,
    }
}
