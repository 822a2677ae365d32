// The engine of the replacements, for Node.

import { provide } from '../core.js';
import { nodeSource } from '../engine/node.js';

provide('sm2', nodeSource('sm2'));
