// Says what something is.

import { sm2 } from 'kuaimi/slim';
import { area, filled } from '../field.js';
import { element, from, tool, worded } from '../form.js';
import { translated, withLanguage } from '../language.js';

export function inspectTool() {
  const page = tool('inspect');
  const what = page.add(area('inspect.what', { code: true, opens: true }));
  const list = element('dl', { hidden: true });
  let facts = {};
  const write = () => {
    list.hidden = Object.keys(facts).length === 0;
    list.replaceChildren(...Object.entries(facts).flatMap(([name, value]) => [
      worded('dt', `fact.${name}`),
      element('dd', { className: /^[0-9a-f]{16,}$/.test(value) ? 'code' : '', textContent: translated(value) }),
    ]));
  };
  page.buttons({
    async 'inspect.do'() {
      facts = {};
      write();
      facts = await from(what, async () => sm2.describe(await filled(what)));
      write();
      page.right('inspect.done', { english: facts.kind });
    },
  });
  page.add(list);
  withLanguage(write);
}
