//! The same with every backend of this machine.

/// What `run` gives with each backend; a panic where two differ.
pub fn agree<T: PartialEq + std::fmt::Debug>(run: impl Fn() -> T) -> T {
    let mut first: Option<(T, &str)> = None;
    for name in kuaimi::backends() {
        kuaimi::set_backend(name).expect("it is listed");
        let result = run();
        match &first {
            None => first = Some((result, name)),
            Some((expected, other)) => {
                assert_eq!(&result, expected, "{name} and {other} differ");
            }
        }
    }
    first.expect("there is a backend").0
}
