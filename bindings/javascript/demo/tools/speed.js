// Measures Kuaimi and other packages in this browser.

import { element, tool, worded } from '../form.js';
import { label, text, withLanguage } from '../language.js';
import { expected, LONG, packages } from '../packages.js';

/** Milliseconds of each measurement. */
const TIME = 150;
const ROWS = ['generate', 'sign', 'verify', 'encrypt', 'decrypt', 'sm3', 'sm4Encrypt', 'sm4Decrypt'];
const inBytes = (row) => row.startsWith('sm');

const breath = () => new Promise((resolve) => setTimeout(resolve));

/** How often a call can be made in a second. */
async function rate(call) {
  call();
  await breath();
  const began = performance.now();
  let times = 0;
  let spent;
  do {
    call();
    times += 1;
    spent = performance.now() - began;
  } while (spent < TIME);
  return (1000 * times) / spent;
}

export function speedTool() {
  const page = tool('speed');
  const body = element('tbody');
  const head = element('tr', {}, worded('th', 'speed.row', { scope: 'col' }));
  for (const name of Object.keys(packages)) head.append(element('th', { scope: 'col', textContent: name }));
  const rows = ROWS.map((row) => {
    const line = element('tr', {}, worded('th', `speed.${row}`, { scope: 'row' }));
    for (const _ of Object.keys(packages)) line.append(element('td'));
    body.append(line);
    return line;
  });
  // Not a caption: that would be cut off beside a table that is scrolled.
  const units = worded('p', 'speed.units', { className: 'hint', id: 'speed-units', hidden: true });
  const table = element('table', {}, element('thead', {}, head), body);
  table.setAttribute('aria-describedby', units.id);
  const frame = element('div', { className: 'table', tabIndex: 0, hidden: true }, table);
  frame.setAttribute('role', 'region');
  label(frame, 'speed.table');
  /** Rates by row and package: undefined before they are measured, null where there is none. */
  const rates = ROWS.map(() => []);
  const write = () => {
    rows.forEach((line, r) => {
      const best = Math.max(...rates[r].map((each) => each ?? 0));
      [...line.querySelectorAll('td')].forEach((cell, c) => {
        const each = rates[r][c];
        cell.className = each && each === best ? 'best' : '';
        cell.textContent = each === undefined ? '' : each === null ? '–' : inUnits(ROWS[r], each);
      });
    });
  };
  let running = false;
  page.buttons({
    async 'speed.do'() {
      if (running) return;
      running = true;
      units.hidden = false;
      frame.hidden = false;
      try {
        const values = expected();
        for (const [c, [name, make]] of Object.entries(packages).entries()) {
          page.plain('speed.working', name);
          const calls = await make(values);
          for (const [r, row] of ROWS.entries()) {
            rates[r][c] = calls[row] === undefined ? null : await rate(calls[row]);
            write();
            await breath();
          }
        }
        page.plain('speed.done');
      } finally {
        running = false;
      }
    },
  });
  page.add(units, frame);
  withLanguage(write);
}

function inUnits(row, times) {
  const value = inBytes(row) ? (times * LONG.length) / 1e6 : times;
  const digits = Number(value.toPrecision(3)).toLocaleString();
  return text(inBytes(row) ? 'speed.bytes' : 'speed.times', [digits]);
}
