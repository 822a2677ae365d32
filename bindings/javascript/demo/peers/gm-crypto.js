import * as peer from 'gm-crypto';

globalThis.kuaimiPeers['gm-crypto'] = peer;
