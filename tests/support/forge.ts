/** How far from its end a secret is changed: the last character may carry bits that no decoder reads. */
const FROM_END = 10;

/** A secret or link of the same shape that we never issued, with another character in its signature. */
export function forge(secret: string): string {
  const at = secret.length - FROM_END;
  return `${secret.slice(0, at)}${secret[at] === 'A' ? 'B' : 'A'}${secret.slice(at + 1)}`;
}
