// Chinese and English: every text of the page is in one table, and is written again when the reader
// changes the language.

import { codes, phrases, texts } from './texts.js';

const COLUMN = { zh: 0, en: 1 };
let language = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
const watchers = [];

/** The text of a key, with {0}, {1} … replaced. */
export function text(key, args = []) {
  const row = texts[key];
  if (row === undefined) throw new Error(`no text for ${key}`);
  return row[COLUMN[language]].replace(/\{(\d)\}/g, (_, i) => inWords(args[i]));
}

/** Writes a text into an element, which follows the language from then on. */
export function say(element, key, ...args) {
  if (key === undefined) {
    delete element.dataset.text;
    element.textContent = '';
    return;
  }
  element.dataset.text = key;
  element.dataset.args = JSON.stringify(args);
  element.textContent = text(key, args);
}

/** The name of an element for screen readers. */
export function label(element, key) {
  element.dataset.label = key;
  element.setAttribute('aria-label', text(key));
}

/** An argument of a text: a number, a word, or something that the library said in English. */
function inWords(arg) {
  if (typeof arg === 'number') return arg.toLocaleString(language === 'zh' ? 'zh-CN' : 'en');
  if (arg?.key !== undefined) return text(arg.key);
  if (arg?.message !== undefined) return (language === 'zh' ? codes[arg.code] : undefined) ?? arg.message;
  if (arg?.english !== undefined) return translated(arg.english);
  return String(arg ?? '');
}

const ordered = Object.entries(phrases).sort(([a], [b]) => b.length - a.length);

/** What the library says in English, in the page's language. */
export function translated(sentence) {
  if (language === 'en') return sentence;
  return ordered.reduce((whole, [english, chinese]) => whole.replaceAll(english, chinese), sentence);
}

/** Calls this now and whenever the language changes. */
export function withLanguage(call) {
  watchers.push(call);
  call();
}

function write() {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  document.title = text('page.title');
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = text(element.dataset.text, JSON.parse(element.dataset.args ?? '[]'));
  }
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', text(element.dataset.label));
  }
  for (const button of document.querySelectorAll('[data-language]')) {
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
  }
  for (const call of watchers) call();
}

export function startLanguage() {
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      language = button.dataset.language;
      write();
    });
  }
  write();
}
