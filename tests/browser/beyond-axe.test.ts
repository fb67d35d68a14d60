import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  checkDoubleText,
  checkFocusVisible,
  checkForcedColours,
  checkLabelInName,
  checkReflow,
  checkTargetSize,
  checkTextSpacing,
} from '#tests/support/browser/beyond-axe';
import { expectAccessible, useBrowser } from '#tests/support/browser/browser';

const newPage = useBrowser();

const documentOf = (body: string, css = '') =>
  `<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width"><style>
body, button, input { font: 1rem/1.4 sans-serif; } body { margin: 1rem; } :focus-visible { outline: 2px solid #06c; } ${css}
</style></head><body><main><h1>A page</h1>${body}</main></body></html>`;

async function show(body: string, css?: string): Promise<Page> {
  const page = await newPage({ viewport: { width: 1280, height: 1024 } });
  await page.setContent(documentOf(body, css));
  return page;
}

type Check = (page: Page) => Promise<string[]>;
const withAxe =
  (check: Check): Check =>
  async (page) => {
    // axe finds some of these flaws itself; here it only has to be loaded into the page.
    await expectAccessible(page).catch(() => undefined);
    return check(page);
  };

/** Pages with one flaw each, the check that must find it, and the expected message. */
const flaws: [name: string, check: Check, body: string, css: string, message: RegExp][] = [
  [
    'a box of a fixed height that cuts its text',
    checkTextSpacing,
    '<p class="box">Two lines of text which just fit into it</p>',
    '.box { height: 2.8em; width: 12em; overflow: hidden; }',
    /text spacing, cut: p\.box/,
  ],
  [
    'words that run over each other',
    checkDoubleText,
    '<div class="two"><span>Amount due today</span><span class="b">$184.00</span></div>',
    '.two { position: relative; } .b { position: absolute; left: 150px; top: 0; }',
    /200 % text, overlap/,
  ],
  [
    'text in pixels',
    checkDoubleText,
    '<p class="px">Small print</p>',
    '.px { font-size: 13px; }',
    /stays small: p\.px/,
  ],
  [
    'a row that cannot break',
    checkReflow,
    '<p class="row">One long row of words that never breaks at all in a narrow window</p>',
    '.row { white-space: nowrap; }',
    /400 % reflow, sideways by \d+: .*p\.row/,
  ],
  [
    'a scroller that the keyboard cannot reach',
    checkReflow,
    '<div class="wide"><p>A table of very many columns, which needs its room</p></div>',
    '.wide { overflow-x: auto; } .wide p { width: 60rem; }',
    /scrolls and takes no focus: div\.wide/,
  ],
  [
    'a button named by other words than it shows',
    withAxe(checkLabelInName),
    '<button aria-label="Submit the form">Pay now</button>',
    '',
    /"pay now" is not in "submit the form"/,
  ],
  [
    'a field named by other words than its label',
    withAxe(checkLabelInName),
    '<label for="f">City</label> <input id="f" aria-label="Town">',
    '',
    /"city" is not in "town"/,
  ],
  [
    'a button of a dialog named by other words than it shows',
    async (page) => {
      await page.evaluate(() => document.querySelector('dialog')?.showModal());
      return withAxe(checkLabelInName)(page);
    },
    '<dialog aria-label="A question"><button aria-label="Submit">Pay now</button></dialog>',
    '',
    /"pay now" is not in "submit"/,
  ],
  [
    'small targets close together',
    withAxe(checkTargetSize),
    '<button class="s">a</button><button class="s">b</button>',
    '.s { width: 12px; height: 12px; padding: 0; font-size: 0.5rem; }',
    /target size: button/,
  ],
  [
    'a mark that is only a coloured ground',
    checkForcedColours,
    '<p>Open <span class="dot"></span></p>',
    '.dot { display: inline-block; width: 12px; height: 12px; background: #090; }',
    /drawn by its ground alone: p "Open" > span\.dot/,
  ],
  [
    'a current link that only has another ground',
    checkForcedColours,
    '<ul><li><a href="#a" aria-current="page">One</a></li><li><a href="#b">Two</a></li></ul>',
    '[aria-current] { background: #cfc; }',
    /current only by its ground: a "One"/,
  ],
  [
    'a field under a bar that sticks',
    checkFocusVisible,
    `<div class="bar">A bar</div>${'<p>Text.</p>'.repeat(60)}<input aria-label="Last">`,
    '.bar { position: fixed; inset: auto 0 0; height: 60px; background: #eee; }',
    /focus, hidden: input "Last"/,
  ],
  [
    'a link without a ring',
    checkFocusVisible,
    '<a href="#a">One</a>',
    'a:focus-visible { outline: none; }',
    /focus, no ring: a "One"/,
  ],
];

describe('the accessibility checks beyond axe', () => {
  it.each(flaws)('the check finds %s', async (_name, check, body, css, message) => {
    const faults = await check(await show(body, css));
    expect(faults.join('\n')).toMatch(message);
  });

  it('all checks find nothing on a sound page and leave it unchanged', async () => {
    const page = await show(
      `<nav><ul><li><a class="on" href="#a" aria-current="page">One</a></li><li><a href="#b">Two</a></li></ul></nav>
      <p>Words that may break anywhere.</p><label for="f">City</label> <input id="f"> <button>Pay now</button>
      <dialog aria-label="A question"><p>Is it so?</p><button>Yes</button></dialog>`,
      '.on { font-weight: 600; }',
    );
    const before = await page.content();
    for (const check of [
      withAxe(checkLabelInName),
      checkForcedColours,
      checkTextSpacing,
      checkDoubleText,
      checkFocusVisible,
      checkReflow,
    ])
      expect((await check(page)).join('\n')).toBe('');
    expect(await page.content()).toBe(before);
    await page.evaluate(() => document.querySelector('dialog')?.showModal());
    for (const check of [
      withAxe(checkLabelInName),
      checkForcedColours,
      checkTextSpacing,
      checkDoubleText,
      checkFocusVisible,
      checkReflow,
    ])
      expect((await check(page)).join('\n')).toBe('');
    expect(await page.evaluate(() => [document.adoptedStyleSheets.length, window.innerWidth])).toEqual([0, 1280]);
  });
});
