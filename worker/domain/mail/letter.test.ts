import { expect, it } from 'vitest';
import { button, html, note, senderBlock, sheet, table } from './letter.ts';

const NAME = `O'Neil & "Sons" <b onclick='x'>`;
const ESCAPED = 'O&#39;Neil &amp; &quot;Sons&quot; &lt;b onclick=&#39;x&#39;&gt;';

it('values in an email are escaped in content and attributes, but its markup parts are inserted unchanged', () => {
  expect(senderBlock(NAME, '&amp;').toString()).toContain(
    `>${ESCAPED}</p>\n<p style="margin:0 0 16px;color:#42514c;font-size:14px">&amp;amp;</p>`,
  );
  expect(button(`https://a.example/?a=1&b="2"`, NAME).toString()).toContain(
    'href="https://a.example/?a=1&amp;b=&quot;2&quot;"',
  );
  expect(html`<i>${note(NAME)}</i>`.toString()).toContain(
    `<i><p style="margin:12px 0 0;color:#42514c;font-size:14px">${ESCAPED}</p>`,
  );
  const rows = table([
    [NAME, '1'],
    ['b', NAME],
  ]).toString();
  expect(rows.split(ESCAPED)).toHaveLength(3);
  expect(rows).not.toContain('</tr>,');
  const page = sheet(NAME, note(NAME), [note('one'), note('two')]);
  expect(typeof page).toBe('string');
  expect(page.split(ESCAPED)).toHaveLength(3);
  expect(page).not.toContain('<b onclick');
});
