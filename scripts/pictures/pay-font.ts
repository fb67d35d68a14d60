import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Subsets the brand's font to the characters of the payer's pages: site/fonts/payer.woff2, half the size of the full
 * font, so that it may load before the first paint. Run it again (`node scripts/pictures/pay-font.ts`, with access to
 * npm) after an update of the font's package. The tool is downloaded only for the run.
 */
const TOOL = 'subset-font@2.9.0';
const FONT = 'node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2';
/** As in site/styles/fonts-optional.css: ASCII, Latin-1, and the dashes, quotes and signs of a bill. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x2013],
  [0x2014],
  [0x2018, 0x201a],
  [0x201c, 0x201e],
  [0x2022],
  [0x2026],
  [0x20ac],
  [0x2122],
  [0x2212],
];
const WEIGHTS = { min: 400, max: 600 };
/** Kerning, tabular and lining digits, and accents: the payer's pages use no other features. */
const FEATURES = ['kern', 'tnum', 'lnum', 'ccmp', 'locl', 'mark'];

type Subset = (font: Buffer, text: string, options: Record<string, unknown>) => Promise<Buffer>;

const characters = RANGES.flatMap(([from = 0, to = from]) =>
  Array.from({ length: to - from + 1 }, (_one, at) => String.fromCodePoint(from + at)),
);
const folder = mkdtempSync(path.join(tmpdir(), 'pay-font-'));
try {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, TOOL], { stdio: 'inherit' });
  const subset = createRequire(path.join(folder, 'from.js'))('subset-font') as Subset;
  const options = { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS }, keepFeatures: FEATURES };
  writeFileSync('site/fonts/payer.woff2', await subset(readFileSync(FONT), characters.join(''), options));
} finally {
  rmSync(folder, { recursive: true });
}
