/** What makes a new build of the public site. */
export type SiteBuilder = {
  /** Whether there is anything to ask. */
  isThere: boolean;
  /** Never throws: `silent` is a builder that did not answer. */
  request(build: { build: string; revision: number }): Promise<'asked' | 'refused' | 'silent'>;
};
