import { readFileSync } from 'node:fs';
import { formatHex, wcagContrast } from 'culori';

/**
 * Contrast of every pair of colour roles that may meet on a page, from the tokens of both themes (WCAG 2, 8 bit
 * sRGB).
 */
export type Theme = 'light' | 'dark';
/** Colours as screens show them: '#rrggbb', by role. */
export type Tokens = Record<Theme, Record<string, string>>;

const GROUNDS = ['bg', 'surface', 'sunken', 'hover', 'tint'];
const STATES = ['ok', 'warn', 'bad', 'note'];
const EVERY_GROUND = [...GROUNDS, ...STATES.map((state) => `${state}-tint`)];
const TEXT = 4.5;
const EDGE = 3;

type Pair = { role: string; on: string[]; least: number };

const pairs: Pair[] = [
  ...['text', 'text-2', 'link'].map((role) => ({ role, on: EVERY_GROUND, least: TEXT })),
  { role: 'text-3', on: GROUNDS, least: TEXT },
  { role: 'on-tint', on: ['tint'], least: TEXT },
  { role: 'on-brand', on: ['brand', 'brand-hover', 'brand-press'], least: TEXT },
  ...STATES.map((role) => ({ role, on: [`${role}-tint`, 'surface', 'bg', 'sunken', 'hover'], least: TEXT })),
  { role: 'on-bad', on: ['bad-fill'], least: TEXT },
  { role: 'control', on: GROUNDS, least: EDGE },
  { role: 'bad-fill', on: GROUNDS, least: EDGE },
  { role: 'focus', on: EVERY_GROUND, least: EDGE },
  ...[1, 2, 3, 4, 5, 6].map((n) => ({ role: `chart-${n}`, on: ['surface'], least: EDGE })),
];

/** The band is dark in both themes. */
const bandPairs: Pair[] = [
  ...['text', 'text-2', 'text-3', 'link', 'mint'].map((role) => ({ role, on: ['band'], least: TEXT })),
  ...['control', 'focus'].map((role) => ({ role, on: ['band'], least: EDGE })),
];

const OKLCH = String.raw`(oklch\([\d.\s]+\))`;

export function readTokens(css: string): Tokens {
  const tokens: Tokens = { light: {}, dark: {} };
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  const both = new RegExp(String.raw`--([\w-]+):\s*light-dark\(\s*${OKLCH}\s*,\s*${OKLCH}\s*\)`, 'g');
  for (const [, name = '', light = '', dark = ''] of plain.matchAll(both)) {
    tokens.light[name] = toHex(light);
    tokens.dark[name] = toHex(dark);
  }
  for (const [, name = '', colour = ''] of plain.matchAll(new RegExp(String.raw`--([\w-]+):\s*${OKLCH}\s*;`, 'g')))
    tokens.light[name] = tokens.dark[name] = toHex(colour);
  return tokens;
}

function toHex(colour: string): string {
  const hex = formatHex(colour);
  if (!hex) throw new Error(`${colour} is no colour`);
  return hex;
}

export type Measured = { role: string; ground: string; theme: Theme | 'band'; ratio: number; least: number };

/** For each role and theme, the background with the lowest contrast. Throws if a role has no token. */
export function measure(tokens: Tokens): Measured[] {
  const colour = (theme: Theme, name: string): string => {
    const found = tokens[theme][name];
    if (!found) throw new Error(`there is no token --${name}`);
    return found;
  };
  const worst = ({ role, on, least }: Pair, theme: Theme, label: Measured['theme']): Measured => {
    const all = on.map((ground) => ({ ground, ratio: wcagContrast(colour(theme, role), colour(theme, ground)) }));
    const [first] = all.sort((a, b) => a.ratio - b.ratio);
    if (!first) throw new Error(`--${role} has no ground`);
    return { role, theme: label, least, ...first };
  };
  return [
    ...pairs.flatMap((pair) => (['light', 'dark'] as const).map((theme) => worst(pair, theme, theme))),
    ...bandPairs.map((pair) => worst(pair, 'dark', 'band')),
  ];
}

if (import.meta.main) {
  const measured = measure(readTokens(readFileSync('site/styles/tokens.css', 'utf8')));
  for (const { role, ground, theme, ratio, least } of measured) {
    const isEnough = ratio >= least;
    console.log(`${isEnough ? 'ok    ' : 'failed'} ${theme.padEnd(5)} ${role} on ${ground}: ${ratio.toFixed(2)}`);
    if (!isEnough) process.exitCode = 1;
  }
}
