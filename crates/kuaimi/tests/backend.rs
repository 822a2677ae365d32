//! The backend that these tests run with.

/// A name that this build or this CPU does not know is only warned of, so that tests meant for one
/// backend would pass with another.
#[test]
fn the_one_that_the_environment_names() {
    kuaimi::check_backend_variable().unwrap();
    if let Ok(name) = std::env::var("KUAIMI_BACKEND")
        && name != "portable"
    {
        assert_eq!(kuaimi::backend().name(), name);
    }
}

/// What the caller expects of this CPU, who knows it: `make test-cpus`.
#[test]
fn the_one_that_is_expected_of_this_cpu() {
    if let Ok(expected) = std::env::var("KUAIMI_EXPECT_BACKEND") {
        assert_eq!(kuaimi::backend().to_string(), expected);
    }
}
