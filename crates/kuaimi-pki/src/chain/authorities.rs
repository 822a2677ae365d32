//! Certificates of authorities, found by their names.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::distinguished_name::Canonical;
use super::facts::Node;
use crate::Certificate;

/// Certificates, each once, by their subjects' names.
#[derive(Debug, Default)]
pub(super) struct Authorities {
    nodes: Vec<Node>,
    by_subject: BTreeMap<Canonical, Vec<usize>>,
}

impl Authorities {
    pub(super) fn add(&mut self, certificate: &Certificate) {
        let node = Node::new(certificate.clone());
        let places = self.by_subject.entry(node.subject.clone()).or_default();
        let known = places.iter().filter_map(|place| self.nodes.get(*place));
        if known
            .into_iter()
            .any(|other| other.certificate == *certificate)
        {
            return;
        }
        places.push(self.nodes.len());
        self.nodes.push(node);
    }

    /// Those with this name.
    pub(super) fn named<'s>(&'s self, subject: &Canonical) -> impl Iterator<Item = &'s Node> {
        let places = self.by_subject.get(subject).into_iter().flatten();
        places.filter_map(|place| self.nodes.get(*place))
    }
}
