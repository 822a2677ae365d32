// The entry that has its module with it.

import * as kuaimi from 'kuaimi';
import { check } from './check.js';

Object.assign(globalThis, { kuaimi, check: () => check(kuaimi) });
