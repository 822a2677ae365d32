// `sm-crypto`. For browsers, workers, Deno, Bun and bundlers.

import './engine.web.js';
import { smCrypto } from './sm-crypto.js';

export const { sm2, sm3, sm4 } = smCrypto;
export default smCrypto;
