/** How long, large or many what people send may be. */

export const contentLimits = {
  title: 200,
  slug: 80,
  /** Bytes of a text's HTML. */
  content: 300_000,
  alt: 300,
  name: 100,
  /** Bytes of a file. */
  upload: 25_000_000,
  /** Narrower copies of an image that an upload may bring along. */
  variants: 3,
} as const;
