import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Styles and scripts of the page and its layout, without Astro, whose dev server would take longer than the test. */
const ENTRY = `
import './site/styles/tokens.css';
import './site/styles/base.css';
import './site/styles/areas/merchant/app.css';
import './site/parts-page/parts-page.css';
import { createRoot } from 'react-dom/client';
import { PartsPage } from './site/parts-page/PartsPage.tsx';
createRoot(document.getElementById('root')).render(<PartsPage />);
`;

export type PartsBundle = {
  html: string;
  /** The files that contribute to the output. */
  files: string[];
};

/** Bundles the page of shared components into one document. */
export async function bundleParts(): Promise<PartsBundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: ENTRY, loader: 'jsx', resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const script = textOf('.js').replaceAll('</script', '<\\/script');
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parts</title><style>${textOf('.css')}</style></head><body class="app"><div id="root"></div><script>${script}</script></body></html>`,
    files: used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file),
  };
}
