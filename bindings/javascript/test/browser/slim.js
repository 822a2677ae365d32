// The entry without a module.

import * as kuaimi from 'kuaimi/slim';
import { check } from './check.js';

Object.assign(globalThis, { kuaimi, check: () => check(kuaimi) });
