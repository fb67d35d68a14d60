/**
 * The elements with which a translator replaced text nodes, or wrapped them. React still holds the text nodes: it would
 * throw on removing one or inserting before it, and would change a text that nobody sees.
 */
const standIns = new WeakMap<Node, ChildNode>();

function note(records: MutationRecord[]): void {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const [text] = removedNodes;
    const standIn = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT');
    // A text that is still on the page was moved.
    if (text instanceof Text && !text.isConnected && standIn) standIns.set(text, standIn as ChildNode);
  }
}
const observer = new MutationObserver(note);

/** The child of a parent that stands for a node: itself, what wraps it, or what replaced it. Null if nothing does. */
function shownIn(parent: Node, node: Node): Node | null {
  note(observer.takeRecords());
  for (let one: Node | null | undefined = node; one; one = one.parentNode ?? standIns.get(one))
    if (one.parentNode === parent) return one;
  return null;
}

/** Makes React's changes arrive while the browser translates the page. The translator translates them again. */
function guardTranslation(): void {
  const prototype = Node.prototype;
  const { insertBefore, removeChild } = prototype;
  const value = Object.getOwnPropertyDescriptor(prototype, 'nodeValue');
  observer.observe(document, { childList: true, subtree: true });

  prototype.removeChild = function (child) {
    const shown = shownIn(this, child);
    if (shown) removeChild.call(this, shown);
    return child;
  };
  prototype.insertBefore = function (node, before) {
    // A text that moves leaves no translation behind.
    standIns.get(node)?.remove();
    insertBefore.call(this, node, before && shownIn(this, before));
    return node;
  };
  prototype.appendChild = function (node) {
    return this.insertBefore(node, null);
  };
  Object.defineProperty(prototype, 'nodeValue', {
    ...value,
    set(text: string) {
      if (this instanceof Text) standIns.get(this)?.replaceWith(this);
      value?.set?.call(this, text);
    },
  });
}
guardTranslation();
