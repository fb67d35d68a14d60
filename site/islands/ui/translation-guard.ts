/**
 * Maps text nodes to the elements with which the browser's translator replaced or wrapped them. React still refers to
 * the text nodes. It would throw an error when it removes one or inserts a node before it, and its changes to their
 * text would not be visible.
 */
const replacements = new WeakMap<Node, ChildNode>();

function recordReplacements(records: MutationRecord[]): void {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const [text] = removedNodes;
    const replacement = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT');
    // A text node that is still on the page was only moved.
    if (text instanceof Text && !text.isConnected && replacement) replacements.set(text, replacement as ChildNode);
  }
}
const observer = new MutationObserver(recordReplacements);

/** Returns the parent's child that is the node itself, its wrapper or its replacement; null if there is none. */
function findVisibleChild(parent: Node, node: Node): Node | null {
  recordReplacements(observer.takeRecords());
  for (let current: Node | null | undefined = node; current; current = current.parentNode ?? replacements.get(current))
    if (current.parentNode === parent) return current;
  return null;
}

/** Makes React's changes work on a page that the browser translates. The translator then translates the new text. */
function guardTranslation(): void {
  const prototype = Node.prototype;
  const { insertBefore, removeChild } = prototype;
  const value = Object.getOwnPropertyDescriptor(prototype, 'nodeValue');
  observer.observe(document, { childList: true, subtree: true });

  prototype.removeChild = function (child) {
    const visibleChild = findVisibleChild(this, child);
    if (visibleChild) removeChild.call(this, visibleChild);
    return child;
  };
  prototype.insertBefore = function (node, reference) {
    // A text node that moves must not leave its translation behind.
    replacements.get(node)?.remove();
    insertBefore.call(this, node, reference && findVisibleChild(this, reference));
    return node;
  };
  prototype.appendChild = function (node) {
    return this.insertBefore(node, null);
  };
  Object.defineProperty(prototype, 'nodeValue', {
    ...value,
    set(text: string) {
      if (this instanceof Text) replacements.get(this)?.replaceWith(this);
      value?.set?.call(this, text);
    },
  });
}
guardTranslation();
