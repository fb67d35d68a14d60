import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The background flags keep Chromium from contacting the internet at every start. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  // Fewer processes: one renderer for the pages of a context, and none for network or graphics.
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

/** Launches a Chromium: on Linux the one from npm, elsewhere the system's. Throws a clear message if there is none. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64')
    return chromium.launch({ ...(await npmBrowser()), args: ARGS });
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

/** The browser from npm, with the libraries that a minimal machine lacks and the same fonts everywhere. */
async function npmBrowser() {
  const folder = await unpackBrowser();
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

/** Writes the font configuration anew if needed: it contains its own path, which is stale in a moved node_modules. */
function fontsFile(folder: string): string {
  const file = path.join(folder, 'fonts.conf');
  const expectedText = FONTS(folder);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== expectedText) {
    // Replaced atomically, because another browser may be reading it or share it by a hard link.
    const newFile = `${file}-${process.pid}`;
    writeFileSync(newFile, expectedText);
    renameSync(newFile, file);
  }
  return file;
}

/** Unpacks the browser once per version. Moves it into place when complete, because two test runs may do it at once. */
async function unpackBrowser(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const home = path.join(path.dirname(entry), '..');
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string };
  const folder = path.resolve(`node_modules/.cache/chromium-${version}`);
  if (existsSync(folder)) return folder;

  mkdirSync(path.dirname(folder), { recursive: true });
  const tempFolder = mkdtempSync(`${folder}-`);
  const { default: packed, inflate } = await import('@sparticuz/chromium');
  const { TMPDIR } = process.env;
  // The package reads its folder only from TMPDIR.
  process.env.TMPDIR = tempFolder;
  try {
    await packed.executablePath();
    await inflate(path.join(home, 'bin/al2023.tar.br'));
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  try {
    renameSync(tempFolder, folder);
  } catch (cause) {
    if (!existsSync(folder)) throw cause;
    rmSync(tempFolder, { recursive: true });
  }
  return folder;
}
