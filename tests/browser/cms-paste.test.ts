import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PageDetail } from '#shared/contracts/content/content-answers';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';
import { attacks } from '#tests/support/content/attacks';
import { useProduct } from '#tests/support/product/product';
import { openEditor, save, textBox, tool, useWriter, useWriters } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;

const { writer, writerPage } = useWriter(newPage, writers);

async function openWith(content = ''): Promise<{ page: Page; id: string }> {
  const { id } = await writers.makePage(writer.token, { content });
  // Pasted text may name files that do not exist.
  const page = await writerPage({ expected: /./ });
  await openEditor(page, `${appUrl}/cms/pages/edit/${id}`);
  return { page, id };
}

const paste = (page: Page, html: string, text = '') =>
  textBox(page).evaluate(
    (element, data) => {
      const clipboardData = new DataTransfer();
      if (data.html) clipboardData.setData('text/html', data.html);
      if (data.text) clipboardData.setData('text/plain', data.text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { html, text },
  );

async function savedAfterPaste(html: string): Promise<string> {
  const { page, id } = await openWith();
  await textBox(page).click();
  await paste(page, html);
  await save(page).click();
  await page.getByText(/^Saved \d/).waitFor();
  return (await writers.call<PageDetail>('GET', `/api/cms/pages/${id}`, undefined, writer.token)).content;
}

describe('pasted text', () => {
  it(`runs no script from a hostile page: ${attacks.length} strings, as HTML and as text`, async () => {
    const { page, id } = await openWith();
    await page.exposeFunction('wasAsked', () => undefined);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await textBox(page).click();
    for (const attack of attacks) {
      await paste(page, attack);
      await paste(page, '', attack);
    }
    // Presses the remaining links as a reader would.
    await textBox(page).evaluate((element) => {
      for (const link of element.querySelectorAll('a')) {
        link.addEventListener('click', (event) => event.preventDefault());
        if (/^\s*(javascript|data|vbscript)/i.test(link.getAttribute('href') ?? '')) Reflect.set(window, 'canary', 2);
      }
    });
    expect(await page.evaluate(() => Reflect.get(window, 'canary'))).toBeUndefined();
    await save(page).click();
    await page.getByText(/^Saved \d/).waitFor();
    await openEditor(page, `${appUrl}/cms/pages/edit/${id}`);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => Reflect.get(window, 'canary'))).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(
      await textBox(page).locator('script, iframe, object, svg, math, [onerror], [onload], [onclick]').count(),
    ).toBe(0);
  });

  it('keeps the structure but not the styling of a word processor', async () => {
    const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{color:red}</style></head><body>
      <!--StartFragment--><h1 style="color:red">Fees</h1>
      <p class="MsoNormal" style="margin:0"><span style="font-weight:bold">Bold</span> and <span style="font-style:italic">slanted</span><o:p></o:p></p>
      <p class="MsoListParagraphCxSpFirst"><span style="mso-list:Ignore">·<span>&nbsp;&nbsp; </span></span>One</p>
      <p class="MsoListParagraphCxSpLast"><span style="mso-list:Ignore">·<span>&nbsp;&nbsp; </span></span>Two</p>
      <p class="MsoNormal"><img src="file:///C:/x.png"><font color="red">Last</font></p><!--EndFragment--></body></html>`;
    const content = await savedAfterPaste(word);
    expect(content.replaceAll(/ data-[\w-]+="[^"]*"/g, '')).toBe(
      '<h2>Fees</h2><p><strong>Bold</strong> and <em>slanted</em></p><ul><li><p>One</p></li><li><p>Two</p></li></ul><p>Last</p>',
    );
  });

  it('does not turn bold because of the wrapper markup of a web editor', async () => {
    const docs =
      '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:400">Plain</span> <span style="font-weight:700">bold</span> <span style="text-decoration:line-through">gone</span></p></b>';
    expect(await savedAfterPaste(docs)).toBe('<p>Plain <strong>bold</strong> <del>gone</del></p>');
  });
});

describe('the caret', () => {
  it('leaves a closing table by a click below it, and a closing code block by an arrow key', async () => {
    const { page } = await openWith('<p>Fees</p><table><tbody><tr><th>Visit</th><td>$80</td></tr></tbody></table>');
    const box = textBox(page);
    const table = await box.locator('table').boundingBox();
    if (!table) throw new Error('the table is not shown');
    await page.mouse.click(table.x + 40, table.y + table.height + 60);
    await page.keyboard.type('Below.');
    await page.keyboard.press('Enter');
    await tool(page, 'Code block').click();
    await page.keyboard.type('a = 1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('After.');
    expect(await box.locator(':scope > *').evaluateAll((all) => all.map((block) => block.textContent))).toEqual([
      'Fees',
      'Visit$80',
      'Below.',
      'a = 1',
      'After.',
    ]);
  });
});

describe('pasted pictures', () => {
  const pasteFiles = (page: Page, count: number, html = '') =>
    textBox(page).evaluate(
      (element, { count: many, html: text }) => {
        const clipboardData = new DataTransfer();
        for (let at = 0; at < many; at++) {
          clipboardData.items.add(new File([new Uint8Array([at])], `${at}.png`, { type: 'image/png' }));
        }
        if (text) clipboardData.setData('text/html', text);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { count, html },
    );
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

  it('two pasted pictures open two dialogs in turn, and a picture copied from a web page opens one', async () => {
    const { page } = await openWith();
    await textBox(page).click();
    await pasteFiles(page, 2);
    await heading(page, 'Image 1 of 2').waitFor();
    await page.keyboard.press('Escape');
    await heading(page, 'Image 2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await heading(page, 'Image 2 of 2').waitFor({ state: 'detached' });
    await pasteFiles(page, 1, '<meta charset="utf-8"><img src="https://other.example/a.jpg">');
    await heading(page, 'Image').waitFor();
  });

  it('a picture on Word’s disk is reported as left out, and the text is kept', async () => {
    const { page } = await openWith();
    await textBox(page).click();
    await paste(page, '<p class="MsoNormal">Words <img src="file:///C:/a.png"></p>');
    await page.getByText('An image was left out: the program did not copy the file itself.').waitFor();
    expect(await textBox(page).innerText()).toContain('Words');
  });
});

describe('a text that the editor would change', () => {
  it('can be read but not edited', async () => {
    const innerTable = '<table><tbody><tr><td>a</td></tr></tbody></table>';
    const content = `<table><tbody><tr><td>${innerTable}</td></tr></tbody></table>`;
    const { id } = await writers.makePage(writer.token, { content });
    const page = await writerPage();
    await page.goto(`${appUrl}/cms/pages/edit/${id}`);
    await page.getByText('This text can be read here, but not changed.').waitFor();
    expect(await textBox(page).getAttribute('contenteditable')).toBe('false');
    await expectAccessible(page);
  });
});

describe('saved text', () => {
  const constructs = [
    '<p>Plain, <strong>bold</strong>, <em>slanted</em>, <del>struck</del>, <code>code</code></p>',
    '<h2>A heading</h2><h3>And one below</h3>',
    '<blockquote><p>A quote</p></blockquote>',
    '<pre data-language="js"><code>let a = 1 &#x3C; 2;</code></pre>',
    '<p><a href="https://tillway.example/" title="There">A link</a> and <a href="/blog">one here</a></p>',
    '<p>One line<br>and another</p><hr>',
    '<table><tbody><tr><th>Fee</th><th align="right">Amount</th></tr><tr><td>Visit</td><td align="right">$10</td></tr></tbody></table>',
    '<ul><li><p>One</p><ol><li><p>Inside</p></li></ol></li></ul>',
  ];
  const plain = (html: string) =>
    html
      .replaceAll(/ (data-(?!language)[\w-]+|id|start)="[^"]*"/g, '')
      .replaceAll(/<\/?thead>/g, '')
      .replaceAll(/<\/?tbody>/g, '');

  it(`stays unchanged when another part of it is edited: ${constructs.length} constructs`, async () => {
    for (const html of constructs) {
      const { page, id } = await openWith(`${html}<p>End</p>`);
      await textBox(page).press('Control+End');
      await page.keyboard.type('!');
      await save(page).click();
      await page.getByText(/^Saved \d/).waitFor();
      const { content } = await writers.call<PageDetail>('GET', `/api/cms/pages/${id}`, undefined, writer.token);
      expect(plain(content).replaceAll(/<(t[hd][^>]*)><p>(.*?)<\/p>/g, '<$1>$2')).toBe(`${plain(html)}<p>End!</p>`);
      await page.context().close();
    }
  });
});
