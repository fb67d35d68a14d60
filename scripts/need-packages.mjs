import { existsSync } from 'node:fs';

/**
 * npm runs this before the project's own scripts. It is plain JavaScript because without `node_modules` the machine's
 * own Node runs it, which may be too old for TypeScript.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const readsTypeScript = major > 22 || (major === 22 && minor >= 18);

if (!existsSync('node_modules/.package-lock.json') || !readsTypeScript) {
  console.error('tillway: the packages are not installed: run npm ci first');
  process.exitCode = 1;
}
