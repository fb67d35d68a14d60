import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Whatever a file loads with itself; not types, and not what it loads later by `import()`. */
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
/** The `imports` of package.json, which are one folder each. */
const ALIAS = /^#(\w+)\/(.*)$/;

/** The file that a module's name means, from the root of the tree; undefined for a package. */
function fileOf(name: string, from: string): string | undefined {
  const [, folder, rest] = ALIAS.exec(name) ?? [];
  if (folder) return `${folder}/${rest}.ts`;
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(from), name) : undefined;
}

/** Reads each file once, and answers which files it stands on: itself, and what it imports, directly or not. */
export function readImports(root = '.'): (file: string) => Set<string> {
  const direct = new Map<string, string[]>();
  const importsOf = (file: string): string[] => {
    const known = direct.get(file);
    if (known) return known;
    const at = path.join(root, file);
    const text = /\.(?:tsx?|mjs|astro)$/.test(file) && existsSync(at) ? readFileSync(at, 'utf8') : '';
    const found = [...text.matchAll(IMPORT)].flatMap(([, name = '']) => fileOf(name.replace(/\?.*$/, ''), file) ?? []);
    direct.set(file, found);
    return found;
  };
  return (file) => {
    const all = new Set([file]);
    for (const one of all) for (const next of importsOf(one)) all.add(next);
    return all;
  };
}
