import { readFileSync } from 'node:fs';
import { formatHex, wcagContrast } from 'culori';

/**
 * Contrast of every pair of colour roles that may meet on a page, from the tokens of both themes (WCAG 2, 8 bit
 * sRGB).
 */
export type Theme = 'light' | 'dark';
/** Colours as screens show them: '#rrggbb', by role. */
export type Tokens = Record<Theme, Record<string, string>>;

const BACKGROUNDS = ['bg', 'surface', 'sunken', 'hover', 'tint'];
const STATES = ['ok', 'warn', 'bad', 'note'];
const ALL_BACKGROUNDS = [...BACKGROUNDS, ...STATES.map((state) => `${state}-tint`)];
const TEXT_RATIO = 4.5;
const EDGE_RATIO = 3;

type Pair = { role: string; on: string[]; least: number };

const pairs: Pair[] = [
  ...['text', 'text-2', 'link'].map((role) => ({ role, on: ALL_BACKGROUNDS, least: TEXT_RATIO })),
  { role: 'text-3', on: BACKGROUNDS, least: TEXT_RATIO },
  { role: 'on-tint', on: ['tint'], least: TEXT_RATIO },
  { role: 'on-brand', on: ['brand', 'brand-hover', 'brand-press'], least: TEXT_RATIO },
  ...STATES.map((role) => ({ role, on: [`${role}-tint`, 'surface', 'bg', 'sunken', 'hover'], least: TEXT_RATIO })),
  { role: 'on-bad', on: ['bad-fill'], least: TEXT_RATIO },
  { role: 'control', on: BACKGROUNDS, least: EDGE_RATIO },
  { role: 'bad-fill', on: BACKGROUNDS, least: EDGE_RATIO },
  { role: 'focus', on: ALL_BACKGROUNDS, least: EDGE_RATIO },
  ...[1, 2, 3, 4, 5, 6].map((n) => ({ role: `chart-${n}`, on: ['surface'], least: EDGE_RATIO })),
];

/** The band is dark in both themes. */
const bandPairs: Pair[] = [
  ...['text', 'text-2', 'text-3', 'link', 'mint'].map((role) => ({ role, on: ['band'], least: TEXT_RATIO })),
  ...['control', 'focus'].map((role) => ({ role, on: ['band'], least: EDGE_RATIO })),
];

const OKLCH = String.raw`(oklch\([\d.\s]+\))`;

export function readTokens(css: string): Tokens {
  const tokens: Tokens = { light: {}, dark: {} };
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  const themedToken = new RegExp(String.raw`--([\w-]+):\s*light-dark\(\s*${OKLCH}\s*,\s*${OKLCH}\s*\)`, 'g');
  for (const [, name = '', light = '', dark = ''] of plain.matchAll(themedToken)) {
    tokens.light[name] = toHex(light);
    tokens.dark[name] = toHex(dark);
  }
  for (const [, name = '', colour = ''] of plain.matchAll(new RegExp(String.raw`--([\w-]+):\s*${OKLCH}\s*;`, 'g')))
    tokens.light[name] = tokens.dark[name] = toHex(colour);
  return tokens;
}

function toHex(colour: string): string {
  const hex = formatHex(colour);
  if (!hex) throw new Error(`${colour} is not a colour`);
  return hex;
}

export type Measured = { role: string; ground: string; theme: Theme | 'band'; ratio: number; least: number };

/** For each role and theme, the background with the lowest contrast. Throws if a role has no token. */
export function measure(tokens: Tokens): Measured[] {
  const colour = (theme: Theme, name: string): string => {
    const value = tokens[theme][name];
    if (!value) throw new Error(`there is no token --${name}`);
    return value;
  };
  const worst = ({ role, on, least }: Pair, theme: Theme, label: Measured['theme']): Measured => {
    const all = on.map((ground) => ({ ground, ratio: wcagContrast(colour(theme, role), colour(theme, ground)) }));
    const [first] = all.sort((a, b) => a.ratio - b.ratio);
    if (!first) throw new Error(`--${role} has no background`);
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
