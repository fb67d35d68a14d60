import type { ViteUserConfig } from 'astro';

type Plugin = Extract<NonNullable<ViteUserConfig['plugins']>[number], { name: string }>;

/**
 * Replaces Vite's wrapper for lazy imports: preloads all files of an import at once, and waits for its styles, so that
 * nothing is shown unstyled. Vite's own wrapper adds 0.5 kB to each entry chunk for nonces, relative addresses and
 * browsers without modulepreload, none of which is needed here.
 */
const HELPER = `
const pending = new Map();
const preload = (file) => new Promise((resolve, reject) => {
  const href = '/' + file;
  const isStyle = file.endsWith('.css');
  if (document.querySelector('link[href="' + href + '"]')) return resolve();
  const link = document.createElement('link');
  link.rel = isStyle ? 'stylesheet' : 'modulepreload';
  link.href = href;
  link.onload = resolve;
  link.onerror = () => {
    link.remove();
    reject(new Error('a style has not come'));
  };
  document.head.append(link);
  if (!isStyle) resolve();
});
export const __vitePreload = (load, files = []) =>
  Promise.all(files.map((file) => {
    if (!pending.has(file)) pending.set(file, preload(file).finally(() => pending.delete(file)));
    return pending.get(file);
  })).then(load);
`;

export const loadAhead: Plugin = {
  name: 'load-ahead',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => ({ code: HELPER, map: null }),
  },
};
