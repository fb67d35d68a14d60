import { domainAssociationPath } from '#shared/paths';
import { readDomainAssociation } from '#worker/data/merchants/domain-association';
import { type Media, type Routes, route } from '#worker/http/routes';

const plainText: Media = { media: 'text/plain' };

/** The route that serves the file that Apple reads before it accepts the host of the pay pages. */
export const domainAssociationRoutes: Routes = {
  [`GET ${domainAssociationPath}`]: route({
    access: 'anyone',
    summary: 'Show the file by which Apple recognises the payment pages',
    answers: { 200: plainText, 404: plainText },
    handle: async ({ c, deps }) => {
      const file = await readDomainAssociation(deps.media);
      return file === null ? c.text('There is no file for Apple Pay here.', 404) : c.text(file);
    },
  }),
};
