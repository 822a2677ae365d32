import * as peer from 'sm-crypto-v2';

globalThis.kuaimiPeers['sm-crypto-v2'] = peer;
