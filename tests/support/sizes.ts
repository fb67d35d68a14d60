import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** The compressed size of a file. */
export const gzipBytes = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length;

const STATIC = /(?:^|[;}\s/])(?:import|export)\s*(?:[\w*{}\s,$]+?from\s*)?["'](\.[^"']+)["']/g;
const DYNAMIC = /import\(\s*["'`](\.[^"'`]+)["'`]\s*\)/g;

/** Modules and all their imports, with dynamic ones on request. Does not follow `known` modules. */
export function closureOf(entries: string[], withDynamic: boolean, known: string[] = []): string[] {
  const seen = new Set(known);
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    for (const pattern of withDynamic ? [STATIC, DYNAMIC] : [STATIC]) {
      for (const [, to = ''] of code.matchAll(pattern)) visit(path.resolve(path.dirname(file), to));
    }
  };
  for (const entry of entries) visit(entry);
  return [...seen];
}

const inlineOf = (html: string): number => {
  const scripts = [
    ...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/(?:ld\+)?json)[^>]*>([\s\S]*?)<\/script>/g),
  ].map(([, code = '']) => code);
  return scripts.length > 0 ? gzipSync(scripts.join('\n'), { level: 9 }).length : 0;
};

const entriesOf = (client: string, html: string): string[] =>
  [
    ...html.matchAll(/\b(?:component-url|renderer-url|before-hydration-url)="([^"]+)"/g),
    ...html.matchAll(/<script[^>]*\bsrc="([^"]+)"/g),
  ].map(([, address = '']) => path.join(client, address));

const sum = (files: string[]): number => files.reduce((bytes, file) => bytes + gzipBytes(file), 0);

/**
 * The compressed size of a page that shows the screens in the chunks of these names; `withDynamic` includes later
 * imports.
 */
export function screenBytes(client: string, html: string, chunks: string[], withDynamic = false): number {
  const folder = path.join(client, '_astro');
  const files = chunks.map((name) => {
    const file = readdirSync(folder).find((entry) => entry.startsWith(`${name}.`) && entry.endsWith('.js'));
    if (!file) throw new Error(`the build has no chunk ${name}`);
    return path.join(folder, file);
  });
  const shell = closureOf(entriesOf(client, html), false);
  return inlineOf(html) + sum(closureOf(files, withDynamic, shell));
}

/** The compressed size of a page's first JavaScript, with all its static imports. */
export const shellBytes = (client: string, html: string): number =>
  inlineOf(html) + sum(closureOf(entriesOf(client, html), false));

/** The compressed sizes of a page's JavaScript: inline before first paint, and everything that it can load. */
export function pageScripts(client: string, html: string): { inlineBytes: number; allBytes: number; files: string[] } {
  const files = closureOf(entriesOf(client, html), true);
  const inlineBytes = inlineOf(html);
  return { inlineBytes, allBytes: inlineBytes + sum(files), files };
}
