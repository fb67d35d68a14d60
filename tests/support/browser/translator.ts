/** How a text node is translated: a translation takes its place in one step or in two, or it is put inside a wrapper. */
export type Translation = 'replaces' | 'inserts and removes' | 'wraps';

/**
 * Translates a page as browsers do: each text node, then each text that comes or changes, goes into a <font>. The words
 * stay, so that a test finds them. Runs in the page, so it uses nothing from outside. Returns a function that ends it.
 */
export function translate(root: Element, how: Translation): () => void {
  const SKIPPED = 'script, style, noscript, textarea, font';
  const one = (text: Text): void => {
    const parent = text.parentElement;
    if (!parent || parent.closest(SKIPPED) || !text.data.trim()) return;
    const font = document.createElement('font');
    const inner = document.createElement('font');
    if (how === 'wraps') {
      text.replaceWith(font);
      font.appendChild(text);
      return;
    }
    inner.textContent = text.data;
    font.appendChild(inner);
    if (how === 'replaces') text.replaceWith(font);
    else {
      parent.insertBefore(font, text);
      text.remove();
    }
  };
  const all = (node: Node): void => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found: Text[] = node instanceof Text ? [node] : [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    for (const text of found) one(text);
  };
  all(root);
  const observer = new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records) {
      if (type === 'characterData') all(target);
      for (const node of addedNodes) all(node);
    }
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  return () => observer.disconnect();
}

/** The same as a script for a page, from the moment when its HTML is read. */
export const translatorOf = (how: Translation): string => `{
  const translate = ${translate};
  const begin = () => document.body && void translate(document.body, ${JSON.stringify(how)});
  if (window.top === window) document.addEventListener('DOMContentLoaded', begin);
}`;
