// Tools and what they are made of: each has a heading, fields, buttons, an answer and results.
// Every field has a label and a place for its error; answers are announced.

import { KuaimiError } from 'kuaimi/slim';
import { say } from './language.js';

/** An element with properties and children. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** An element whose text is that of a key. */
export function worded(name, key, properties) {
  const made = element(name, properties);
  say(made, key);
  return made;
}

export const domId = (id) => id.replaceAll('.', '-');

/** What is wrong with a field. */
export class FieldError extends Error {
  constructor(field, key, ...args) {
    super(key);
    Object.assign(this, { field, key, args });
  }
}

/** Does something with a field's value: what the library refuses is wrong with this field. */
export async function from(field, call) {
  try {
    return await call(await field.value());
  } catch (error) {
    if (!(error instanceof KuaimiError)) throw error;
    throw new FieldError(field, 'error.library', { code: error.code, message: error.message });
  }
}

/** A tool: its section in the page, and its place in the list of contents. */
export function tool(id) {
  const form = element('form', { noValidate: true });
  const heading = worded('h2', `${id}.title`, { id: `${id}-title` });
  const section = element('section', { id }, heading, worded('p', `${id}.hint`, { className: 'soft' }), form);
  section.setAttribute('aria-labelledby', heading.id);
  document.getElementById('tools').append(section);
  document.getElementById('contents').append(element('li', {}, worded('a', `${id}.title`, { href: `#${id}` })));
  const fields = [];
  const answer = element('p', { className: 'answer' });
  answer.setAttribute('role', 'status');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    form.querySelector('button.main')?.click();
  });
  form.addEventListener('dragover', (event) => event.preventDefault());

  const show = (kind, key, ...args) => {
    answer.className = `answer ${kind}`;
    say(answer, key, ...args);
  };
  return {
    form,
    answer,
    add(...parts) {
      for (const part of parts) {
        if (part.control !== undefined) fields.push(part);
        form.append(part.root ?? part);
      }
      return parts[0];
    },
    right: (...message) => show('right', ...message),
    wrong: (...message) => show('wrong', ...message),
    plain: (...message) => show('', ...message),
    /** Buttons, by the keys of their texts; the first is the main one. Then the answer. */
    buttons(actions) {
      const row = element('div', { className: 'buttons' });
      Object.entries(actions).forEach(([key, act], i) => {
        const button = worded('button', key, { type: 'button', id: domId(key), className: i === 0 ? 'main' : '' });
        button.addEventListener('click', () => run(act));
        row.append(button);
      });
      form.append(row, answer);
    },
  };

  async function run(act) {
    for (const field of fields) field.fail(undefined);
    show('');
    try {
      await act();
    } catch (error) {
      if (error instanceof FieldError) {
        error.field.fail(error.key, ...error.args);
        error.field.control.focus();
      } else {
        show('wrong', 'error.library', { code: error.code, message: error.message });
      }
    }
  }
}

/** Gives bytes or text to the reader as a file. */
export function download(name, data) {
  const url = URL.createObjectURL(new Blob([data]));
  const link = element('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const COVER = '•'.repeat(24);

/**
 * A text that the reader may copy and keep, empty and not seen at first. A secret is covered until
 * the reader asks for it: it is not in the page before.
 */
export function result(id, { secret = false, file } = {}) {
  const output = element('output', { id: domId(id), className: 'code' });
  const name = worded('span', id, { className: 'label', id: `${output.id}-label` });
  output.setAttribute('aria-labelledby', name.id);
  const row = element('div', { className: 'beside' });
  const root = element('div', { className: 'result', hidden: true }, name, output, row);
  let value = '';
  let seen = !secret;
  const write = () => (output.textContent = seen ? value : COVER);
  const button = (key, act) => {
    const made = worded('button', key, { type: 'button', className: 'small' });
    made.setAttribute('aria-describedby', name.id);
    made.addEventListener('click', act);
    row.append(made);
    return made;
  };
  if (secret) {
    const toggle = button('do.show', () => {
      seen = !seen;
      toggle.setAttribute('aria-pressed', String(seen));
      write();
    });
    toggle.setAttribute('aria-pressed', 'false');
  }
  const copy = button('do.copy', async () => {
    await navigator.clipboard.writeText(value);
    say(copy, 'do.copied');
    setTimeout(() => say(copy, 'do.copy'), 2000);
  });
  // Pages that are opened from a folder have no clipboard in some browsers.
  copy.hidden = navigator.clipboard === undefined;
  if (file !== undefined) button('do.download', () => download(file, value));
  return {
    root,
    get value() {
      return value;
    },
    set(text) {
      value = text ?? '';
      root.hidden = value === '';
      write();
    },
  };
}
