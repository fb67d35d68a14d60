import { readFileSync } from 'node:fs';

/**
 * Contrast of every pair of colour roles that may meet on a page, from the tokens of both themes (WCAG 2, 8 bit
 * sRGB).
 */
type Rgb = [number, number, number];
export type Theme = 'light' | 'dark';
export type Tokens = Record<Theme, Record<string, Rgb>>;

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

const OKLCH = String.raw`oklch\(\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*\)`;

export function readTokens(css: string): Tokens {
  const tokens: Tokens = { light: {}, dark: {} };
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '');
  const both = new RegExp(String.raw`--([\w-]+):\s*light-dark\(\s*${OKLCH}\s*,\s*${OKLCH}\s*\)`, 'g');
  for (const [, name = '', ...numbers] of plain.matchAll(both)) {
    const [l = 0, c = 0, h = 0, l2 = 0, c2 = 0, h2 = 0] = numbers.map(Number);
    tokens.light[name] = toRgb(l, c, h);
    tokens.dark[name] = toRgb(l2, c2, h2);
  }
  for (const [, name = '', ...numbers] of plain.matchAll(new RegExp(String.raw`--([\w-]+):\s*${OKLCH}\s*;`, 'g'))) {
    const [l = 0, c = 0, h = 0] = numbers.map(Number);
    tokens.light[name] = tokens.dark[name] = toRgb(l, c, h);
  }
  return tokens;
}

/** CSS Color 4: OKLCH to OKLab to linear sRGB to 8 bit. */
export function toRgb(lightness: number, chroma: number, hue: number): Rgb {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    to8Bit(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    to8Bit(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    to8Bit(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function to8Bit(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear));
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255);
}

function luminance(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

export type Measured = { role: string; ground: string; theme: Theme | 'band'; ratio: number; least: number };

/** The ground with the lowest contrast for each role and theme. Throws when a role has no token. */
export function measure(tokens: Tokens): Measured[] {
  const colour = (theme: Theme, name: string): Rgb => {
    const found = tokens[theme][name];
    if (!found) throw new Error(`there is no token --${name}`);
    return found;
  };
  const worst = ({ role, on, least }: Pair, theme: Theme, label: Measured['theme']): Measured => {
    const all = on.map((ground) => ({ ground, ratio: contrast(colour(theme, role), colour(theme, ground)) }));
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
