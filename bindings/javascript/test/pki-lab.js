// An authority and its certificates, files of others, and OpenSSL, for the tests of certificates and
// messages.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sm2 } from 'kuaimi';
import { x509 } from 'kuaimi/pki';
import { PROJECT } from './helpers.js';

/** A file of the tests of kuaimi-pki. */
export const data = (name) => new Uint8Array(readFileSync(path.join(PROJECT, 'crates/kuaimi-pki/tests/data', name)));

export const START = new Date('2026-01-01T00:00:00Z');
const day = 86_400_000;
/** So many days after START. */
export const after = (days) => new Date(START.getTime() + days * day);

/** A root, an authority below it, and certificates of that one, valid for a year from START. */
export function lab() {
  const keys = {};
  for (const name of ['root', 'middle', 'server', 'signer', 'reader']) keys[name] = sm2.PrivateKey.generate();
  const root = x509.createSelfSigned({ key: keys.root, subject: 'CN=Root', purpose: 'ca', notBefore: START, days: 3650 });
  const issue = (issuer, issuerKey, key, subject, more) =>
    x509.createCertificate({ issuer, issuerKey, publicKey: key.publicKey, subject, notBefore: START, days: 365, ...more });
  const middle = issue(root, keys.root, keys.middle, 'CN=Middle,O=Example', { purpose: 'ca', pathLength: 0 });
  const leaf = (key, subject, more) => issue(middle, keys.middle, key, subject, more);
  const server = leaf(keys.server, 'CN=server,O=Example', {
    purpose: 'server',
    subjectAltName: [{ type: 'dns', value: 'www.example' }, { type: 'ip', value: '2001:db8::1' }],
  });
  const signer = leaf(keys.signer, 'CN=signer,O=Example', { purpose: 'signing' });
  const reader = leaf(keys.reader, 'CN=reader,O=Example', { purpose: 'encryption' });
  return { keys, root, middle, server, signer, reader, leaf };
}

/** A folder for OpenSSL, which goes when `work` is done. */
export function withOpenssl(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kuaimi-pki-'));
  const tools = {
    put: (name, content) => writeFileSync(path.join(folder, name), content),
    get: (name) => new Uint8Array(readFileSync(path.join(folder, name))),
    /** Its output, or an error. */
    run: (...args) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
    fails: (...args) => spawnSync('openssl', args, { cwd: folder }).status !== 0,
  };
  try {
    return work(tools);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const DISTID = 'distid:1234567812345678';
