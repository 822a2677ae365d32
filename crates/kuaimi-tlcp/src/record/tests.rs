//! Records: see the tests of connections.
