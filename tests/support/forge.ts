/** The changed character's distance from the end: the last character may carry bits that decoders ignore. */
const FROM_END = 10;

/** Forges a secret or link of the same shape by changing one character of its signature. */
export function forge(secret: string): string {
  const at = secret.length - FROM_END;
  return `${secret.slice(0, at)}${secret[at] === 'A' ? 'B' : 'A'}${secret.slice(at + 1)}`;
}
