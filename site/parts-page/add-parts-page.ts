import type { AstroIntegration } from 'astro';

/** Adds a page with all UI components to the dev server, but not to builds. */
export const addPartsPage: AstroIntegration = {
  name: 'parts-page',
  hooks: {
    'astro:config:setup': ({ command, injectRoute }) => {
      if (command === 'dev') injectRoute({ pattern: '/dev/parts', entrypoint: './site/parts-page/page.astro' });
    },
  },
};
