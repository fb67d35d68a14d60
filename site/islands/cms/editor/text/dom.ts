/** Edits to a parsed document that is not on the page. */

export function appendAll(parent: Node, nodes: Iterable<Node>): void {
  for (const node of [...nodes]) parent.appendChild(node);
}

export function insertBefore(target: Node, node: Node): void {
  target.parentNode?.insertBefore(node, target);
}

export function replaceWithNodes(target: Node, nodes: Iterable<Node>): void {
  for (const node of [...nodes]) insertBefore(target, node);
  target.parentNode?.removeChild(target);
}

/** Replaces an element with its content. */
export const unwrap = (element: Node): void => replaceWithNodes(element, element.childNodes);

export function renameElement(element: HTMLElement | Element, name: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(name);
  appendAll(renamed, element.childNodes);
  replaceWithNodes(element, [renamed]);
  return renamed;
}
