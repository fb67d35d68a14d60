import type { AstroIntegration } from 'astro';

/** Under the dev server there is one page more, which shows the parts that screens are made of. No build has it. */
export const addPartsPage: AstroIntegration = {
  name: 'parts-page',
  hooks: {
    'astro:config:setup': ({ command, injectRoute }) => {
      if (command === 'dev') injectRoute({ pattern: '/dev/parts', entrypoint: './site/parts-page/page.astro' });
    },
  },
};
