import { defineConfig } from 'astro/config';

/** A minimal Astro blog: a folder of Markdown, a page for each text and one list. */
export default defineConfig({
  root: import.meta.dirname,
  srcDir: import.meta.dirname,
  build: { format: 'file' },
  outDir: process.env.OUT_DIR,
  cacheDir: process.env.TILLWAY_STATE,
  // Vite's default folder would be written beside the pages.
  vite: { cacheDir: process.env.TILLWAY_STATE && `${process.env.TILLWAY_STATE}/vite` },
});
