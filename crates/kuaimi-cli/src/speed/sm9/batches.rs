//! SM9's operations in batches: with keys as they are, and with their tables.

use std::hint::black_box;
use std::sync::Arc;

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm9::batch::{
    DecapsulateItem, DecryptItem, EncapsulateItem, EncryptItem, Recipient, SignItem, Signer,
    VerifyItem, decapsulate_batch, decrypt_batch, encapsulate_batch, encrypt_batch, sign_batch,
    verify_batch,
};
use kuaimi::sm9::{
    DecryptionKey, EncryptionKey, Error, Identity, MasterEncryptionKey, MasterSigningKey,
    Signature, SigningKey, VerifyingKey,
};
use rayon::ThreadPool;

use super::super::Variant::{self, Batch, BatchPrepared};
use super::super::operations::{MESSAGE, Operation};
use super::{ALICE, BOB, KEY, operation};

/// Identities of others in a batch.
const IDENTITIES: usize = 16;

/// Where batches are computed, and how large they are.
pub struct Batches {
    pub pool: Arc<ThreadPool>,
    pub count: usize,
}

impl Batches {
    pub fn operations(
        &self,
        signing: &MasterSigningKey,
        encryption: &MasterEncryptionKey,
    ) -> Result<Vec<Operation>, Error> {
        signing.public_key().prepare();
        let mut operations = self.extractions(signing, encryption);
        operations.extend(self.signatures(signing)?);
        operations.extend(self.to_others(encryption)?);
        operations.extend(self.to_oneself(encryption)?);
        Ok(operations)
    }

    /// A batch that is computed by the threads of the pool, each of whose results must be one.
    fn batch<T: Send>(
        &self,
        name: &'static str,
        variant: Variant,
        work: impl Fn() -> Vec<Result<T, Error>> + Clone + Send + Sync + 'static,
    ) -> Operation {
        let pool = self.pool.clone();
        operation(name, variant, self.count, move || {
            let results = pool.install(|| black_box(work()));
            assert!(results.iter().all(Result::is_ok));
        })
    }

    fn messages(&self) -> Vec<[u8; MESSAGE]> {
        (0..self.count).map(|i| [i as u8; MESSAGE]).collect()
    }

    /// So many names.
    fn users(&self, count: usize) -> Arc<Vec<Vec<u8>>> {
        let name = |i| format!("user{i}@example.com").into_bytes();
        Arc::new((0..count).map(name).collect())
    }

    fn extractions(
        &self,
        signing: &MasterSigningKey,
        encryption: &MasterEncryptionKey,
    ) -> Vec<Operation> {
        let (signing, encryption) = (signing.clone(), encryption.clone());
        let users = self.users(self.count);
        let users_too = users.clone();
        vec![
            self.batch("extract-sign", Batch, move || {
                signing.extract_batch(&identities(&users), Threads::Pool)
            }),
            self.batch("extract-enc", Batch, move || {
                encryption.extract_batch(&identities(&users_too), Threads::Pool)
            }),
        ]
    }

    /// Signatures of one's own, and of others.
    fn signatures(&self, signing: &MasterSigningKey) -> Result<Vec<Operation>, Error> {
        let own: SigningKey = signing.extract(ALICE)?;
        let prepared: SigningKey = own.with_precompute(Precompute::AtOnce);
        let messages = Arc::new(self.messages());
        let sign = |messages: &[[u8; MESSAGE]], key: &SigningKey| {
            let items: Vec<_> = messages.iter().map(|m| SignItem::new(key, m)).collect();
            sign_batch(black_box(&items), Threads::Pool)
        };
        let messages_too = messages.clone();
        let (users, master) = (self.users(IDENTITIES), signing.public_key().clone());
        let mut signed: Vec<([u8; MESSAGE], Signature)> = Vec::new();
        let mut signers: Vec<SigningKey> = Vec::new();
        for user in users.iter() {
            signers.push(signing.extract(&user[..])?);
        }
        for (message, signer) in messages.iter().zip(signers.iter().cycle()) {
            signed.push((*message, signer.sign(message)?));
        }
        let signed = Arc::new(signed);
        let signed_too = signed.clone();
        let known: Arc<Vec<VerifyingKey>> = Arc::new(
            signers
                .iter()
                .map(|signer| signer.verifying_key().with_precompute(Precompute::AtOnce))
                .collect(),
        );
        let verify = |signed: &[([u8; MESSAGE], Signature)], signers: &[Signer<'_>]| {
            let items: Vec<_> = signed
                .iter()
                .zip(signers.iter().cycle())
                .map(|((message, signature), signer)| VerifyItem::new(*signer, message, signature))
                .collect();
            verify_batch(black_box(&items), Threads::Pool)
        };
        Ok(vec![
            self.batch("sign", Batch, move || sign(&messages, &own)),
            self.batch("sign", BatchPrepared, move || {
                sign(&messages_too, &prepared)
            }),
            self.batch("verify", Batch, move || {
                let signer = |identity| Signer::Identity {
                    master: &master,
                    identity,
                };
                let signers: Vec<_> = identities(&users).into_iter().map(signer).collect();
                verify(&signed, &signers)
            }),
            self.batch("verify", BatchPrepared, move || {
                let signers: Vec<_> = known.iter().map(Signer::from).collect();
                verify(&signed_too, &signers)
            }),
        ])
    }

    /// Messages and keys for others.
    fn to_others(&self, encryption: &MasterEncryptionKey) -> Result<Vec<Operation>, Error> {
        let messages = Arc::new(self.messages());
        let encrypt = |messages: &[[u8; MESSAGE]], to: &[Recipient<'_>]| {
            let items: Vec<_> = messages
                .iter()
                .zip(to.iter().cycle())
                .map(|(message, to)| EncryptItem::new(*to, message))
                .collect();
            encrypt_batch(black_box(&items), Threads::Pool)
        };
        let count = self.count;
        let encapsulate = move |to: &[Recipient<'_>]| {
            let to = to.iter().cycle().take(count);
            let items: Vec<_> = to.map(|to| EncapsulateItem::new(*to, KEY)).collect();
            encapsulate_batch(black_box(&items), Threads::Pool)
        };
        let (users, master) = (self.users(IDENTITIES), encryption.public_key().clone());
        let mut prepared: Vec<EncryptionKey> = Vec::new();
        for user in users.iter() {
            let key: EncryptionKey = master.encryption_key(&user[..])?;
            key.prepare();
            prepared.push(key);
        }
        let prepared = Arc::new(prepared);
        let (prepared_too, messages_too) = (prepared.clone(), messages.clone());
        let (users_too, master_too) = (users.clone(), master.clone());
        Ok(vec![
            self.batch("encrypt", Batch, move || {
                encrypt(&messages, &recipients(&master, &users))
            }),
            self.batch("encrypt", BatchPrepared, move || {
                let to: Vec<_> = prepared.iter().map(Recipient::from).collect();
                encrypt(&messages_too, &to)
            }),
            self.batch("encap", Batch, move || {
                encapsulate(&recipients(&master_too, &users_too))
            }),
            self.batch("encap", BatchPrepared, move || {
                let to: Vec<_> = prepared_too.iter().map(Recipient::from).collect();
                encapsulate(&to)
            }),
        ])
    }

    /// Messages and keys from others, with one key.
    fn to_oneself(&self, encryption: &MasterEncryptionKey) -> Result<Vec<Operation>, Error> {
        let own: DecryptionKey = encryption.extract(BOB)?;
        let prepared: DecryptionKey = own.with_precompute(Precompute::AtOnce);
        let sender = own.encryption_key();
        let mut sent = Vec::new();
        let mut encapsulated = Vec::new();
        for message in self.messages() {
            sent.push(sender.encrypt(&message)?);
            encapsulated.push(sender.encapsulate(KEY)?.1);
        }
        let (sent, encapsulated) = (Arc::new(sent), Arc::new(encapsulated));
        let (sent_too, encapsulated_too) = (sent.clone(), encapsulated.clone());
        let (own_too, prepared_too) = (own.clone(), prepared.clone());
        let decrypt = |sent: &[_], key: &DecryptionKey| {
            let items: Vec<_> = sent.iter().map(|c| DecryptItem::new(key, c)).collect();
            decrypt_batch(black_box(&items), Threads::Pool)
        };
        let decapsulate = |sent: &[_], key: &DecryptionKey| {
            let items = sent.iter().map(|c| DecapsulateItem::new(key, c, KEY));
            decapsulate_batch(black_box(&items.collect::<Vec<_>>()), Threads::Pool)
        };
        Ok(vec![
            self.batch("decrypt", Batch, move || decrypt(&sent, &own)),
            self.batch("decrypt", BatchPrepared, move || {
                decrypt(&sent_too, &prepared)
            }),
            self.batch("decap", Batch, move || decapsulate(&encapsulated, &own_too)),
            self.batch("decap", BatchPrepared, move || {
                decapsulate(&encapsulated_too, &prepared_too)
            }),
        ])
    }
}

fn identities(users: &[Vec<u8>]) -> Vec<Identity<'_>> {
    users.iter().map(|id| Identity::new(id)).collect()
}

fn recipients<'a>(
    master: &'a kuaimi::sm9::MasterEncryptionPublicKey,
    users: &'a [Vec<u8>],
) -> Vec<Recipient<'a>> {
    identities(users)
        .into_iter()
        .map(|identity| Recipient::Identity { master, identity })
        .collect()
}
