/** Addresses with a content hash, which browsers cache forever. */
const addresses = import.meta.glob<string>('../pictures/*/*.webp', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

/** The address of a product picture, such as `demo/step-1-light-720`. */
export function pictureAt(name: string): string {
  const address = addresses[`../pictures/${name}.webp`];
  if (!address) throw new Error(`site/pictures has no ${name}.webp`);
  return address;
}
