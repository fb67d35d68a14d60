/** Starts builds of the public site. */
export type SiteBuilder = {
  /** False when no hook is configured. */
  isThere: boolean;
  /** Never throws: `silent` means that the builder did not answer. */
  request(build: { build: string; revision: number }): Promise<'asked' | 'refused' | 'silent'>;
};
