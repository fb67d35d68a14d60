/** The way a text node is translated: replaced in one step or in two, or put inside a wrapper. */
export type Translation = 'replaces' | 'inserts and removes' | 'wraps';

/**
 * Translates a page as browsers do: puts each text node, and each text that is added or changed later, into a <font>.
 * Keeps the words, so that tests find them. Runs in the page, so it uses no outer names. Returns a function to stop it.
 */
export function translate(root: Element, translation: Translation): () => void {
  const SKIPPED = 'script, style, noscript, textarea, font';
  const translateText = (text: Text): void => {
    const parent = text.parentElement;
    if (!parent || parent.closest(SKIPPED) || !text.data.trim()) return;
    const font = document.createElement('font');
    const inner = document.createElement('font');
    if (translation === 'wraps') {
      text.replaceWith(font);
      font.appendChild(text);
      return;
    }
    inner.textContent = text.data;
    font.appendChild(inner);
    if (translation === 'replaces') text.replaceWith(font);
    else {
      parent.insertBefore(font, text);
      text.remove();
    }
  };
  const translateAll = (node: Node): void => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found: Text[] = node instanceof Text ? [node] : [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    for (const text of found) translateText(text);
  };
  translateAll(root);
  const observer = new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records) {
      if (type === 'characterData') translateAll(target);
      for (const node of addedNodes) translateAll(node);
    }
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  return () => observer.disconnect();
}

/** The same as a script for a page, which starts as soon as the HTML is parsed. */
export const translatorOf = (translation: Translation): string => `{
  const translate = ${translate};
  const begin = () => document.body && void translate(document.body, ${JSON.stringify(translation)});
  if (window.top === window) document.addEventListener('DOMContentLoaded', begin);
}`;
