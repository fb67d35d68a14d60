/** The places of a text where one of the typed words stands, without regard to case. */
export function hitsIn(text: string, typed: string): { text: string; isHit: boolean }[] {
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, isHit: false }];
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'gi'))
    .map((part, at) => ({ text: part, isHit: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}

export function Marked({ text, typed }: { text: string; typed: string }) {
  return hitsIn(text, typed).map(({ text: part, isHit }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text in its order
    isHit ? <mark key={at}>{part}</mark> : part,
  );
}
