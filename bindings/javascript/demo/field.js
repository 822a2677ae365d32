// Fields: a line, an area, a choice. An area may also take a file, dropped or chosen.

import { fromBase64, fromHex, toHex } from 'kuaimi/slim';
import { domId, element, FieldError, worded } from './form.js';
import { label, say } from './language.js';

/** A file that is read into an area is a key, a signature or the like. */
const SMALL = 1 << 20;

function field(id, control, hint) {
  control.id = domId(id);
  control.autocomplete = 'off';
  control.spellcheck = false;
  const error = element('p', { className: 'error', id: `${control.id}-error`, hidden: true });
  const name = worded('label', id, { htmlFor: control.id, id: `${control.id}-label` });
  const root = element('div', { className: 'field' }, name);
  const described = [error.id];
  if (hint !== undefined) {
    const note = worded('p', hint, { className: 'hint', id: `${control.id}-hint` });
    described.unshift(note.id);
    root.append(note);
  }
  control.setAttribute('aria-describedby', described.join(' '));
  root.append(control, error);
  return {
    root,
    control,
    error,
    value: async () => control.value,
    set(value) {
      control.value = value;
    },
    /** Says what is wrong, or, of nothing, that nothing is. */
    fail(key, ...args) {
      error.hidden = key === undefined;
      say(error, key, ...args);
      if (key === undefined) control.removeAttribute('aria-invalid');
      else control.setAttribute('aria-invalid', 'true');
    },
  };
}

export const line = (id, { value = '', hint } = {}) => field(id, element('input', { type: 'text', value }), hint);

export const password = (id, { hint } = {}) => {
  const made = field(id, element('input', { type: 'password' }), hint);
  made.control.autocomplete = 'new-password';
  return made;
};

/** One of several values, whose texts have the keys `ID.VALUE`. */
export function choice(id, values) {
  return field(id, element('select', {}, ...values.map((value) => worded('option', `${id}.${value}`, { value }))));
}

/** An area of text; a file that is dropped on it or chosen is read into it. */
export function area(id, { hint, code = false, opens = false } = {}) {
  const made = field(id, element('textarea', { rows: 3, className: code ? 'code' : '' }), hint);
  if (opens) {
    const row = files(made, async (file) => {
      made.fail(undefined);
      if (file.size > SMALL) return made.fail('error.fileSize', SMALL >> 20);
      const data = new Uint8Array(await file.arrayBuffer());
      return made.set(isText(data) ? new TextDecoder().decode(data) : toHex(data));
    });
    made.error.before(row);
  }
  return made;
}

/** The same of a secret: its characters are covered until the reader asks for them. */
export function secret(id, { hint } = {}) {
  const made = area(id, { hint, code: true, opens: true });
  made.control.classList.add('covered');
  const toggle = worded('button', 'do.show', { type: 'button', className: 'small' });
  toggle.setAttribute('aria-pressed', 'false');
  toggle.setAttribute('aria-controls', made.control.id);
  toggle.addEventListener('click', () => {
    const covered = made.control.classList.toggle('covered');
    toggle.setAttribute('aria-pressed', String(!covered));
  });
  made.root.querySelector('.beside').prepend(toggle);
  return made;
}

/** A text, or a file of any size: its value is a Blob, whose name is a file's. */
export function source(id, { hint } = {}) {
  const made = field(id, element('textarea', { rows: 3 }), hint);
  let file;
  const name = element('span', { className: 'soft' });
  const away = worded('button', 'do.remove', { type: 'button', className: 'small', hidden: true });
  const take = (taken) => {
    file = taken;
    made.control.disabled = file !== undefined;
    away.hidden = file === undefined;
    if (file === undefined) say(name);
    else say(name, 'file.chosen', file.name, file.size);
    made.fail(undefined);
  };
  const row = files(made, take);
  away.addEventListener('click', () => {
    take(undefined);
    made.control.focus();
  });
  row.append(name, away);
  made.error.before(row);
  name.setAttribute('role', 'status');
  made.value = async () => file ?? new Blob([made.control.value]);
  made.take = take;
  return made;
}

/** A row with a button that opens a file; files that are dropped on the field are taken, too. */
function files(made, take) {
  const input = element('input', { type: 'file', hidden: true, tabIndex: -1 });
  const button = worded('button', 'do.open', { type: 'button', className: 'small' });
  button.setAttribute('aria-describedby', `${made.control.id}-label`);
  label(input, 'do.open');
  button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    if (input.files.length > 0) take(input.files[0]);
    input.value = '';
  });
  const { root } = made;
  root.addEventListener('dragover', (event) => {
    event.preventDefault();
    root.classList.add('dropping');
  });
  root.addEventListener('dragleave', () => root.classList.remove('dropping'));
  root.addEventListener('drop', (event) => {
    event.preventDefault();
    root.classList.remove('dropping');
    const [file] = event.dataTransfer.files;
    if (file !== undefined) take(file);
  });
  return element('div', { className: 'beside' }, button, input);
}

function isText(data) {
  if (data.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data);
    return true;
  } catch {
    return false;
  }
}

/** The text of a field, which must not be empty. */
export async function filled(field) {
  const text = (await field.value()).trim();
  if (text === '') throw new FieldError(field, 'error.empty');
  return text;
}

/** The bytes that a field has as hexadecimal or Base64. */
export async function decoded(field) {
  return decodedText(field, await filled(field));
}

/** The bytes of a text that a field has. */
export function decodedText(field, spaced) {
  const text = spaced.replace(/\s+/g, '');
  try {
    return /^([0-9a-f]{2})+$/i.test(text) ? fromHex(text) : fromBase64(text);
  } catch {
    throw new FieldError(field, 'error.digits');
  }
}

/** The identity of a field: none is the usual one. */
export async function identity(field) {
  const text = await field.value();
  return text === '' ? undefined : text;
}
