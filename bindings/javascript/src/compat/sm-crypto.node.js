// `sm-crypto`. For Node.

import './engine.node.js';
import { smCrypto } from './sm-crypto.js';

export const { sm2, sm3, sm4 } = smCrypto;
export default smCrypto;
