/**
 * Draws a picture for an article without one: an object from a clinic's front desk, and a line from it to the payment.
 * The object matches the words of the slug, if possible. The same slug always produces the same drawing. Colors are the
 * CSS tokens of the page.
 */
export function articleDrawing(slug: string): string {
  const random = randomFrom(slug);
  const motif = MOTIFS.find(({ pattern }) => pattern.test(slug)) ?? pick(random, MOTIFS);
  const route = pick(random, ROUTES);
  const secondRoute = pick(random, SECOND_ROUTES);
  return `<svg class="drawing article-drawing" viewBox="0 0 640 360" aria-hidden="true" preserveAspectRatio="xMidYMid slice">\
<path fill="var(--tint)" d="M0 0h640v360H0z"/>\
<path stroke="var(--line)" d="M0 90h640M0 180h640M0 270h640M128 0v360M256 0v360M384 0v360M512 0v360"/>\
<g fill="none" stroke-linecap="round" stroke-linejoin="round">\
<path stroke="var(--control)" stroke-opacity=".45" stroke-width="5" stroke-dasharray=".1 13" d="${secondRoute}"/>\
<path stroke="var(--brand)" stroke-width="7" d="${route.path}"/>${motif.drawing}</g>\
<circle cx="${route.x}" cy="${route.y}" r="21" fill="var(--brand)"/>\
<path fill="none" stroke="var(--tint)" stroke-width="5" stroke-linecap="round" stroke-linejoin="round" d="m${route.x - 9} ${route.y} 6.5 7 12-13.5"/>\
</svg>`;
}

/** Paths of the main line; each starts behind the motif, at 240 180. */
const ROUTES = [
  { path: 'M240 180h92a28 28 0 0 0 28-28v-24a28 28 0 0 1 28-28h126', x: 534, y: 100 },
  { path: 'M240 180h132a28 28 0 0 1 28 28v34a28 28 0 0 0 28 28h86', x: 534, y: 270 },
  {
    path: 'M240 180h60a28 28 0 0 1 28 28v24a28 28 0 0 0 28 28h58a28 28 0 0 0 28-28V128a28 28 0 0 1 28-28h44',
    x: 534,
    y: 100,
  },
  { path: 'M240 180h274', x: 534, y: 180 },
  {
    path: 'M240 180h52a28 28 0 0 0 28-28v-34a28 28 0 0 1 28-28h50a28 28 0 0 1 28 28v124a28 28 0 0 0 28 28h60',
    x: 534,
    y: 270,
  },
];

/** Paths of the second line, which is independent of the main line. */
const SECOND_ROUTES = [
  'M0 270h150a30 30 0 0 0 30-30V90a30 30 0 0 1 30-30h430',
  'M0 90h330a30 30 0 0 1 30 30v150a30 30 0 0 0 30 30h250',
  'M384 0v230a30 30 0 0 0 30 30h226',
  'M128 360v-50a30 30 0 0 1 30-30h270a30 30 0 0 0 30-30V0',
];

const SHEET = 'fill="var(--surface)" stroke="var(--control)" stroke-opacity=".5" stroke-width="2"';
const INK_STROKE = 'stroke="var(--text)" stroke-width="8"';
const FAINT_STROKE = 'stroke="var(--line)" stroke-width="8"';
const BRAND_STROKE = 'stroke="var(--brand)" stroke-width="9"';

/** Motifs; the first with a matching word in the slug is used. */
const MOTIFS = [
  // An invoice.
  {
    pattern: /\b(invoice|bill|plan|statement)/,
    drawing: `<path ${SHEET} d="M108 74h144v214l-18-12-18 12-18-12-18 12-18-12-18 12-18-12-18 12z"/><path ${BRAND_STROKE} d="M132 106h48"/><path ${FAINT_STROKE} d="M132 138h96M132 160h78M132 182h88"/><path ${INK_STROKE} d="M180 232h48"/>`,
  },
  // A card.
  {
    pattern: /\b(card|debit|bank)/,
    drawing: `<rect ${SHEET} x="72" y="112" width="196" height="136" rx="16"/><path stroke="var(--text)" stroke-width="20" stroke-linecap="butt" d="M73 152h194"/><path ${FAINT_STROKE} d="M98 198h60M98 220h38"/><circle cx="222" cy="210" r="15" fill="var(--tint)" stroke="var(--brand)" stroke-width="5"/><circle cx="238" cy="210" r="15" stroke="var(--brand)" stroke-width="5"/>`,
  },
  // A card reader.
  {
    pattern: /\b(reader|terminal|counter|tap|desk)/,
    drawing: `<rect ${SHEET} x="118" y="70" width="124" height="220" rx="20"/><rect fill="var(--brand)" x="136" y="90" width="88" height="66" rx="9"/><path stroke="var(--tint)" stroke-width="6" d="M154 132c10-16 14-16 18-4s10 8 16-6"/><path stroke="var(--control)" stroke-width="15" d="M152 190h.1M180 190h.1M208 190h.1M152 220h.1M180 220h.1M208 220h.1M152 250h.1M180 250h.1"/><path stroke="var(--brand)" stroke-width="15" d="M208 250h.1"/>`,
  },
  // A calendar.
  {
    pattern: /\b(late|remind|due|day-off|appointment|schedule|when)/,
    drawing: `<rect ${SHEET} x="88" y="88" width="172" height="184" rx="16"/><path stroke="var(--brand)" stroke-width="9" d="M128 72v30M220 72v30"/><path stroke="var(--line)" stroke-width="3" d="M89 132h170"/><path stroke="var(--control)" stroke-width="14" stroke-opacity=".55" d="M124 166h.1M158 166h.1M192 166h.1M226 166h.1M124 200h.1M158 200h.1M226 200h.1M124 234h.1M158 234h.1"/><circle cx="192" cy="200" r="17" fill="var(--tint)" stroke="var(--brand)" stroke-width="5"/>`,
  },
  // A signature.
  {
    pattern: /\b(sign)/,
    drawing: `<rect ${SHEET} x="72" y="98" width="200" height="164" rx="14"/><path stroke="var(--line)" stroke-width="4" d="M98 222h148"/><path stroke="var(--text)" stroke-width="5" d="M100 206c16-52 34-70 40-58s-18 60-6 60 22-44 32-44-8 40 4 40 14-30 22-30-4 26 6 26 18-12 44-16"/><path ${BRAND_STROKE} d="M98 128h34"/>`,
  },
  // Two ledgers.
  {
    pattern: /\b(clos|batch|book|ledger|settle|month)/,
    drawing: `<rect ${SHEET} x="64" y="100" width="92" height="160" rx="12"/><rect ${SHEET} x="184" y="100" width="92" height="160" rx="12"/><path ${FAINT_STROKE} d="M84 136h34M84 180h34M84 224h34M222 136h34M222 180h34M222 224h34"/><path stroke="var(--brand)" stroke-width="5" d="M140 136h60M140 180h60M140 224h60"/>`,
  },
];

/** Returns a pseudo-random number generator, seeded only by the text. */
function randomFrom(text: string): () => number {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507);
    state = Math.imul(state ^ (state >>> 13), 3266489909);
    return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: () => number, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};
