// The same in a worker, of modules or not.

import * as kuaimi from 'kuaimi';
import { check } from './check.js';

try {
  postMessage({ right: check(kuaimi), backend: kuaimi.backend() });
} catch (error) {
  postMessage({ error: String(error.stack) });
}
