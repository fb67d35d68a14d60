import type { Page } from 'playwright-core';
import { settle } from './browser.ts';

/**
 * Accessibility checks that axe lacks. Each returns its findings, one line per element; an empty list means success.
 * They leave the page unchanged.
 */

/** In-page helpers of the checks, such as visibility and the name of an element in a finding. */
const IN_PAGE = `
  const seen = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    el.getClientRects().length > 0 && !el.closest('.sr-only, [inert]');
  const named = (el) => {
    const name = (el.getAttribute('aria-label') || el.textContent || el.id || '').trim().replace(/\\s+/g, ' ').slice(0, 40);
    return el.tagName.toLowerCase() + (el.className && typeof el.className === 'string' ? '.' + el.className.split(' ')[0] : '') + ' "' + name + '"';
  };
  const ownText = (el) => [...el.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const inScroller = (el) => {
    for (let up = el.parentElement; up && up !== document.body; up = up.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true;
    }
    return false;
  };
`;

const evaluate = <T>(page: Page, body: string): Promise<T> => page.evaluate(`(() => { ${IN_PAGE} ${body} })()`);

/** Finds text that its own box cuts off, and sideways scrolling. Ellipses and text fields are cut by design. */
const CUT = `
  const found = [];
  for (const el of document.body.querySelectorAll('*')) {
    if (!seen(el) || !(el.innerText || '').trim() || el.matches('textarea, input, select, svg *, iframe')) continue;
    const style = getComputedStyle(el);
    const cutsX = /hidden|clip/.test(style.overflowX) && el.scrollWidth > el.clientWidth + 1 && style.textOverflow !== 'ellipsis';
    const cutsY = /hidden|clip/.test(style.overflowY) && el.scrollHeight > el.clientHeight + 1;
    if ((cutsX || cutsY) && el.clientWidth > 1) found.push('cut: ' + named(el));
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    const reach = (el) => Math.max(el.getBoundingClientRect().right, el.getBoundingClientRect().left + el.scrollWidth);
    const wide = [...document.body.querySelectorAll('*')].filter((el) => seen(el) && !inScroller(el) && reach(el) >= root.scrollWidth - 2);
    found.push('sideways by ' + (root.scrollWidth - innerWidth) + ': ' + [...new Set([wide[0], wide.at(-1)].filter(Boolean).map(named))].join(' to '));
  }
  return found;
`;

/** Finds pairs of elements whose texts overlap. */
const OVERLAPS = `
  const texts = [...document.body.querySelectorAll('*')].filter((el) => seen(el) && ownText(el) && !el.closest('svg, canvas, dialog:not([open]), .install, .consent, .prompt'));
  const rectsOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width, height }) => width > 2 && height > 2);
  };
  const boxes = texts.map((el) => ({ el, rects: [...el.childNodes].filter(({ nodeType }) => nodeType === 3).flatMap(rectsOf) }));
  const found = [];
  for (const [at, first] of boxes.entries()) {
    for (const second of boxes.slice(at + 1)) {
      if (first.el.contains(second.el) || second.el.contains(first.el)) continue;
      // A line box is higher than its letters.
      const hit = first.rects.some((a) => second.rects.some((b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) * 0.4));
      const layer = (el) => el.closest('header, .app-bar, .dialog, [class*=float], [class*=sticky], thead') ?? null;
      if (hit && layer(first.el) === layer(second.el)) found.push('overlap: ' + named(first.el) + ' and ' + named(second.el));
    }
  }
  return found.slice(0, 5);
`;

/** Finds amounts and words that continue on the next line. Addresses and long words may, as no column fits them. */
const BROKEN = `
  const found = [];
  const clipped = (el) => el && (getComputedStyle(el).clipPath !== 'none' || clipped(el.parentElement));
  const texts = [...document.body.querySelectorAll('*')].filter((el) => seen(el) && ownText(el) && !el.closest('svg, canvas, pre, code'));
  for (const el of texts.filter((text) => !clipped(text))) {
    for (const node of [...el.childNodes].filter(({ nodeType }) => nodeType === 3)) {
      for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
        if (word.length > 12 || /[^\\p{L}\\d$.,:;!?()'’“”%+−]/u.test(word)) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 1);
        if (rects.some(({ top }) => top > rects[0].bottom - 3)) found.push('broken: ' + word + ' in ' + named(el));
      }
    }
  }
  return [...new Set(found)].slice(0, 5);
`;

/** Checks the page in its current state for text cut off by its own box and for sideways scrolling. */
export async function findCutText(page: Page): Promise<string[]> {
  await settle(page);
  return evaluate<string[]>(page, CUT);
}

const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }`;

/** Runs the check with an additional style sheet. */
export async function withStyle<T>(page: Page, css: string, check: () => Promise<T>): Promise<T> {
  // A constructed style sheet, because the page's CSP blocks style elements.
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, css);
  try {
    await settle(page);
    return await check();
  } finally {
    await page.evaluate(() => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
    });
  }
}

/** WCAG 1.4.12: no text is lost with more space between lines, letters, words and paragraphs. */
export async function checkTextSpacing(page: Page): Promise<string[]> {
  const previousFindings = new Set(await evaluate<string[]>(page, CUT));
  return withStyle(page, SPACING, async () => {
    const found = [...(await evaluate<string[]>(page, CUT)), ...(await evaluate<string[]>(page, OVERLAPS))];
    return found.filter((finding) => !previousFindings.has(finding)).map((finding) => `text spacing, ${finding}`);
  });
}

/** WCAG 1.4.4: text grows to 200 %, and no word is cut off, covered or outside the page. */
export async function checkDoubleText(page: Page): Promise<string[]> {
  const SIZES = `return [...document.body.querySelectorAll('*')].filter((el) => seen(el) && ownText(el) && !el.closest('svg, iframe'))
    .map((el) => [named(el), parseFloat(getComputedStyle(el).fontSize)]);`;
  const previousSizes = new Map(await evaluate<[string, number][]>(page, SIZES));
  return withStyle(page, ':root { font-size: 200% !important }', async () => {
    const found = [...(await evaluate<string[]>(page, CUT)), ...(await evaluate<string[]>(page, OVERLAPS))];
    found.push(...(await evaluate<string[]>(page, BROKEN)));
    // Sizes that also depend on the window may grow less, but they must grow.
    const unchanged = (await evaluate<[string, number][]>(page, SIZES)).filter(
      ([name, size]) => size < (previousSizes.get(name) ?? 0) * 1.3,
    );
    return [...found, ...unchanged.map(([name]) => `stays small: ${name}`)].map((finding) => `200 % text, ${finding}`);
  });
}

/** WCAG 1.4.10: the page reflows at 1280 by 1024 and 400 %; tables may scroll in their own named region. */
export async function checkReflow(page: Page): Promise<string[]> {
  const originalSize = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 256 });
  await settle(page);
  const found = await evaluate<string[]>(
    page,
    `const found = [...(() => { ${CUT} })(), ...(() => { ${BROKEN} })()];
    const stuck = [...document.body.querySelectorAll('*')].filter((el) => seen(el) && /fixed|sticky/.test(getComputedStyle(el).position) && !el.closest('dialog'));
    for (const el of stuck) {
      const { height, width } = el.getBoundingClientRect();
      if (height > innerHeight * 0.6 && width > innerWidth * 0.6 && getComputedStyle(el).position === 'fixed') found.push('covers the window: ' + named(el));
    }
    for (const el of document.body.querySelectorAll('*')) {
      if (!seen(el) || !/auto|scroll/.test(getComputedStyle(el).overflowX) || el.scrollWidth <= el.clientWidth + 1) continue;
      if (el.tabIndex < 0 && !el.querySelector('a[href], button, input, select')) found.push('scrolls and takes no focus: ' + named(el));
    }
    return found;`,
  );
  if (originalSize) await page.setViewportSize(originalSize);
  return found.map((finding) => `400 % reflow, ${finding}`);
}

const CONTROLS = `a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex="0"]`;

/**
 * WCAG 2.5.3: a control's name contains its visible text, so that speech input users can say it. For a field, the text
 * is its label. Needs axe in the page (expectAccessible() injects it).
 */
export async function checkLabelInName(page: Page): Promise<string[]> {
  return evaluate<string[]>(
    page,
    `const words = (text) => text.toLowerCase().normalize('NFKD').replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
    const written = (el) => {
      const parts = [];
      const walk = (node) => {
        if (node.nodeType === 3) parts.push(node.textContent);
        else if (node.nodeType === 1 && seen(node) && node.getAttribute('aria-hidden') !== 'true') {
          const isBlock = !getComputedStyle(node).display.startsWith('inline');
          if (isBlock) parts.push(' ');
          for (const child of node.childNodes) walk(child);
          if (isBlock) parts.push(' ');
        }
      };
      for (const child of el.childNodes) walk(child);
      return words(parts.join(''));
    };
    const found = [];
    // Elements behind an open dialog cannot be reached.
    const top = [...document.querySelectorAll('dialog:modal')].at(-1);
    axe.setup(document);
    for (const el of (top ?? document.body).querySelectorAll('${CONTROLS}')) {
      if (!seen(el) || el.closest('[aria-hidden=true]') || el.matches('section, div, table, [role=region], [role=group], [role=img], [contenteditable]')) continue;
      const name = words(axe.commons.text.accessibleText(el) || '');
      const isField = el.matches('input, select, textarea');
      const texts = isField ? [...(el.labels ?? [])].filter(seen).map(written) : [written(el)];
      if (!name) found.push('no name: ' + named(el));
      for (const text of texts) if (text && !name.includes(text)) found.push('"' + text + '" is not in "' + name + '": ' + named(el));
    }
    axe.teardown();
    return found.map((finding) => 'label in name, ' + finding);`,
  );
}

/**
 * Forced colours remove backgrounds and shadows. Every control keeps a border, an outline, its text or an image. An
 * element without text keeps a border. The current item differs from the others by more than its background. Lines in
 * drawings differ from the page's background.
 */
export async function checkForcedColours(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  await settle(page);
  const found = await evaluate<string[]>(
    page,
    `const found = [];
    const hasEdge = (style) => ['Top', 'Right', 'Bottom', 'Left'].some((side) =>
      parseFloat(style['border' + side + 'Width']) > 0 && style['border' + side + 'Style'] !== 'none') || style.outlineStyle !== 'none';
    for (const el of document.body.querySelectorAll('button, input:not([type=hidden]), select, textarea')) {
      if (!seen(el) || el.closest('[aria-hidden=true]')) continue;
      const style = getComputedStyle(el);
      const isNative = el.matches('input[type=radio], input[type=checkbox], input[type=range], input[type=file]');
      if (!isNative && !hasEdge(style) && !(el.innerText || '').trim() && !el.querySelector('svg, img')) found.push('no edge and no words: ' + named(el));
    }
    for (const el of document.body.querySelectorAll('svg [stroke], svg, svg path')) {
      if (!seen(el.ownerSVGElement ?? el) || el.closest('[style*="forced-color-adjust"]')) continue;
      const style = getComputedStyle(el);
      if (style.forcedColorAdjust === 'none') continue;
      const back = getComputedStyle(document.body).backgroundColor;
      if (el.tagName === 'path' && style.stroke !== 'none' && style.stroke === back) found.push('a line in the colour of the ground: ' + named(el.closest('a, button, section, div') ?? el));
    }
    for (const el of document.body.querySelectorAll('[aria-current]')) {
      if (!seen(el)) continue;
      const others = [...(el.closest('ul, ol, nav, table, tr') ?? document).querySelectorAll(el.tagName)].filter((item) => item !== el && seen(item) && !item.hasAttribute('aria-current'));
      const look = (item) => { const s = getComputedStyle(item); return [s.fontWeight, s.borderTopColor, s.borderBottomColor, s.borderBottomWidth, s.borderTopWidth, s.textDecorationLine, s.outlineStyle].join(); };
      const isMarked = el.querySelector('svg, .sr-only') || ['::before', '::after'].some((part) => getComputedStyle(el, part).content !== 'none');
      if (others.length > 0 && others.every((item) => look(item) === look(el)) && !isMarked) found.push('current only by its ground: ' + named(el));
    }
    return found;`,
  );
  await page.emulateMedia({ forcedColors: 'none' });
  await settle(page);
  // Elements without border and text, which only their background makes visible.
  const grounds = await evaluate<string[]>(
    page,
    `return [...document.body.querySelectorAll('*')].filter((el) => {
      if (!seen(el) || el.closest('svg, canvas, .skeleton, [aria-busy=true], iframe, dialog::backdrop') || (el.textContent || '').trim() || el.children.length > 0) return false;
      if (el.matches('input, select, textarea, button, progress, img, iframe, canvas, svg, br, hr, video')) return false;
      const style = getComputedStyle(el);
      const { width, height } = el.getBoundingClientRect();
      const isDrawn = style.backgroundColor !== 'rgba(0, 0, 0, 0)' && width > 2 && height > 2;
      const hasEdge = parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none';
      return isDrawn && !hasEdge && style.forcedColorAdjust !== 'none';
    }).map((el) => 'drawn by its ground alone: ' + named(el.parentElement) + ' > ' + named(el));`,
  );
  return [...found, ...grounds].map((finding) => `forced colours, ${finding}`);
}

type Found = { nodes: { target: unknown; failureSummary?: string }[] }[];

/** WCAG 2.5.8: targets are 24 by 24 pixels or spaced accordingly. Needs axe, which runs this rule only on request. */
export async function checkTargetSize(page: Page): Promise<string[]> {
  const found = await page.evaluate<Found>(
    `axe.run(document, { iframes: false, runOnly: ['target-size'], resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ nodes }) => nodes.map(({ target }) => `target size: ${String(target)}`));
}

type Stop = { name: string; isHidden: boolean; hasRing: boolean; isEnd: boolean };

const FOCUS = `
  const el = document.activeElement;
  if (!el || el === document.body || el === document.documentElement) return { name: '', isHidden: false, hasRing: true, isEnd: true };
  const { left, right, top, bottom } = el.getBoundingClientRect();
  const [x1, x2] = [Math.max(left, 0), Math.min(right, innerWidth)];
  const [y1, y2] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  const points = [];
  for (const fx of [0.1, 0.5, 0.9]) for (const fy of [0.15, 0.5, 0.85]) points.push([x1 + (x2 - x1) * fx, y1 + (y2 - y1) * fy]);
  const label = el.labels?.[0];
  const isOwn = (hit) => hit && (el.contains(hit) || hit.contains(el) && getComputedStyle(hit).position === 'static' || label?.contains(hit));
  const isHidden = x2 - x1 < 1 || y2 - y1 < 1 || !points.some(([x, y]) => isOwn(document.elementFromPoint(x, y)));
  const ringed = (node) => [null, '::before', '::after'].some((part) => {
    const s = getComputedStyle(node, part);
    return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 && (part === null || s.content !== 'none');
  });
  // The calendar button inside a date or time field has the browser's own focus ring.
  const hasRing = el.matches('iframe, input[type=date], input[type=datetime-local]') || ringed(el) || [1, 2, 3].some((up) => { let at = el; for (let n = 0; n < up && at; n++) at = at.parentElement; return at && at !== document.body && ringed(at); }) || (el.nextElementSibling && ringed(el.nextElementSibling)) || (label && ringed(label));
  return { name: named(el), isHidden, hasRing: Boolean(hasRing), isEnd: false };
`;

const MOST_STOPS = 60;

/**
 * WCAG 2.4.11 and 2.4.7: no element reached by Tab is outside the window or fully covered, and each shows a focus ring.
 * Uses the current window size. Stops after MOST_STOPS are assumed to repeat earlier rows.
 */
export async function checkFocusVisible(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  const found = new Set<string>();
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const stop = await evaluate<Stop>(page, FOCUS);
    if (stop.isEnd) break;
    if (stop.isHidden) found.add(`focus, hidden: ${stop.name}`);
    if (!stop.hasRing) found.add(`focus, no ring: ${stop.name}`);
  }
  return [...found];
}
