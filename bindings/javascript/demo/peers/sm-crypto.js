import * as peer from 'sm-crypto';

globalThis.kuaimiPeers['sm-crypto'] = peer;
