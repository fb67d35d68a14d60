import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

export const gzipBytes = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length;

const STATIC = /(?:^|[;}\s/])(?:import|export)\s*(?:[\w*{}\s,$]+?from\s*)?["'](\.[^"']+)["']/g;
const DYNAMIC = /import\(\s*["'`](\.[^"'`]+)["'`]\s*\)/g;

/** A module and all that it imports, statically or, when asked, at any time. */
export function closureOf(entries: string[], withDynamic: boolean): string[] {
  const seen = new Set<string>();
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

/** What a page's own JavaScript weighs, compressed: inline before first paint, and everything it ever loads. */
export function pageScripts(client: string, html: string): { inlineBytes: number; allBytes: number; files: string[] } {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => code,
  );
  const addresses = [
    ...html.matchAll(/\b(?:component-url|renderer-url|before-hydration-url)="([^"]+)"/g),
    ...html.matchAll(/<script[^>]*\bsrc="([^"]+)"/g),
  ].map(([, address = '']) => path.join(client, address));
  const files = closureOf(addresses, true);
  const inlineBytes = inline.length > 0 ? gzipSync(inline.join('\n'), { level: 9 }).length : 0;
  return { inlineBytes, allBytes: inlineBytes + files.reduce((sum, file) => sum + gzipBytes(file), 0), files };
}
