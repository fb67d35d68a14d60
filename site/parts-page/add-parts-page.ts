import type { AstroIntegration } from 'astro';

/** Adds a page under the dev server that shows all UI components. Builds do not contain it. */
export const addPartsPage: AstroIntegration = {
  name: 'parts-page',
  hooks: {
    'astro:config:setup': ({ command, injectRoute }) => {
      if (command === 'dev') injectRoute({ pattern: '/dev/parts', entrypoint: './site/parts-page/page.astro' });
    },
  },
};
