// `miniprogram-sm-crypto`. For Node.

import './engine.node.js';
import { miniprogram } from './sm-crypto.js';

export const { sm2, sm3, sm4 } = miniprogram;
export default miniprogram;
