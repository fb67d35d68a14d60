/** Edits to a parsed document that is not on the page. */

export function appendAll(parent: Node, nodes: Iterable<Node>): void {
  for (const node of [...nodes]) parent.appendChild(node);
}

export function putBefore(place: Node, node: Node): void {
  place.parentNode?.insertBefore(node, place);
}

export function replaceBy(place: Node, nodes: Iterable<Node>): void {
  for (const node of [...nodes]) putBefore(place, node);
  place.parentNode?.removeChild(place);
}

/** Replaces an element with its content. */
export const unwrap = (element: Node): void => replaceBy(element, element.childNodes);

export function rename(element: HTMLElement | Element, name: string): HTMLElement {
  const renamed = element.ownerDocument.createElement(name);
  appendAll(renamed, element.childNodes);
  replaceBy(element, [renamed]);
  return renamed;
}
