/** The operator stores the card provider's file under this key (docs/deploy.md). */
export const DOMAIN_ASSOCIATION_KEY = 'well-known/apple-developer-merchantid-domain-association';

/** The file by which Apple recognises the host of the pay pages; null if the operator has stored none. */
export async function readDomainAssociation(media: R2Bucket): Promise<string | null> {
  const file = await media.get(DOMAIN_ASSOCIATION_KEY);
  return file ? file.text() : null;
}
