// Key exchange (GB/T 38635.2-2020, clause 7).

import { bytes } from '../bytes.js';
import { held, own, Owned } from '../owned.js';
import { ExchangeKey } from './encryption.js';
import { HID_EXCHANGE, done, given, identity, keyLength, oneByte } from './key.js';

/** The bytes of a point. */
const POINT = 64;

/** The side of a key exchange that begins (GB/T 38635.2-2020, clause 7). Each object serves one. */
export class KeyExchangeInitiator extends Owned {
  static create(exchangeKey, peerIdentity, options) {
    const { peerHid = HID_EXCHANGE } = given(options);
    const [core, handle] = held(exchangeKey, ExchangeKey, 'exchangeKey');
    const peer = identity(peerIdentity, 'peerIdentity');
    return own(KeyExchangeInitiator, core, core.sm9_exchange_start(handle, peer, oneByte(peerHid, 'peerHid')));
  }

  /** For the other side, 64 bytes. */
  get point() {
    return done(this, KeyExchangeInitiator, 'sm9_exchange_point');
  }

  /** The shared key, and the confirmation for the other side, from its point and confirmation. */
  finish(point, confirmation, length) {
    const values = [bytes(point, 'point'), bytes(confirmation, 'confirmation'), keyLength(length)];
    const both = done(this, KeyExchangeInitiator, 'sm9_exchange_finish', ...values);
    this.dispose();
    return { key: both.slice(0, length), confirmation: both.slice(length) };
  }

  /** The shared key without confirmation. */
  finishUnconfirmed(point, length) {
    const values = [bytes(point, 'point'), undefined, keyLength(length)];
    const key = done(this, KeyExchangeInitiator, 'sm9_exchange_finish', ...values);
    this.dispose();
    return key;
  }
}

/** The side that answers. */
export class KeyExchangeResponder extends Owned {
  /** Answers the other side's point. */
  static respond(exchangeKey, peerIdentity, point, length, options) {
    const { peerHid = HID_EXCHANGE } = given(options);
    const [core, handle] = held(exchangeKey, ExchangeKey, 'exchangeKey');
    const exchange = core.sm9_exchange_respond(
      handle,
      identity(peerIdentity, 'peerIdentity'),
      oneByte(peerHid, 'peerHid'),
      bytes(point, 'point'),
      keyLength(length),
    );
    return own(KeyExchangeResponder, core, exchange);
  }

  /** For the other side, 64 bytes. */
  get point() {
    return done(this, KeyExchangeResponder, 'sm9_exchange_answer').slice(0, POINT);
  }

  /** For the other side, 32 bytes. */
  get confirmation() {
    return done(this, KeyExchangeResponder, 'sm9_exchange_answer').slice(POINT);
  }

  /** The shared key, once the other side's confirmation proves that it has the same. */
  confirm(confirmation) {
    const key = done(this, KeyExchangeResponder, 'sm9_exchange_confirm', bytes(confirmation, 'confirmation'));
    this.dispose();
    return key;
  }

  /** The shared key without confirmation. */
  keyUnconfirmed() {
    const key = done(this, KeyExchangeResponder, 'sm9_exchange_confirm', undefined);
    this.dispose();
    return key;
  }
}
