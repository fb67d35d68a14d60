import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Without the background flags Chromium contacts the internet at every start. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  // Fewer processes: one renderer for the pages of a context, and none for the network or the (missing) graphics
  // card.
  '--renderer-process-limit=1',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** A Chromium on this machine: on Linux the one from npm, elsewhere the system's. Throws a clear message. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64')
    return chromium.launch({ ...(await shipped()), args: ARGS });
  for (const channel of ['chrome', 'msedge', 'chromium']) {
    try {
      return await chromium.launch({ channel, args: ARGS });
    } catch {
      // Try the next one.
    }
  }
  throw new Error(
    'No browser was found: install Google Chrome, or run "npx playwright-core install chromium", and try again.',
  );
}

/** The shipped browser with libraries and fonts that a bare machine may lack, the same fonts everywhere. */
async function shipped() {
  const folder = await unpacked();
  const executablePath = path.join(folder, 'chromium');
  const linked = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout ?? '';
  const env = { ...process.env, FONTCONFIG_FILE: fontsFile(folder) };
  if (!linked.includes('not found')) return { executablePath, env };
  return { executablePath, env: { ...env, LD_LIBRARY_PATH: path.join(folder, 'al2023/lib') } };
}

const FONTS = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;

/** The file names its own folder, which a copied or moved node_modules still names by its old place. */
function fontsFile(folder: string): string {
  const file = path.join(folder, 'fonts.conf');
  const wanted = FONTS(folder);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== wanted) {
    // Replaced whole, since another browser may be reading it, or share it by a hard link.
    const mine = `${file}-${process.pid}`;
    writeFileSync(mine, wanted);
    renameSync(mine, file);
  }
  return file;
}

/** Unpacked once per version and moved into place when complete, because two test runs may do it at the same time. */
async function unpacked(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const home = path.join(path.dirname(entry), '..');
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string };
  const folder = path.resolve(`node_modules/.cache/chromium-${version}`);
  if (existsSync(folder)) return folder;

  mkdirSync(path.dirname(folder), { recursive: true });
  const mine = mkdtempSync(`${folder}-`);
  const { default: packed, inflate } = await import('@sparticuz/chromium');
  const { TMPDIR } = process.env;
  // The package takes its folder only from TMPDIR.
  process.env.TMPDIR = mine;
  try {
    await packed.executablePath();
    await inflate(path.join(home, 'bin/al2023.tar.br'));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  try {
    renameSync(mine, folder);
  } catch (cause) {
    if (!existsSync(folder)) throw cause;
    rmSync(mine, { recursive: true });
  }
  return folder;
}
