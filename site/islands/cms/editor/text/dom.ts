/** Changes of a parsed document that is not shown. */

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

/** Leaves an element's content in its place. */
export const unwrap = (element: Node): void => replaceBy(element, element.childNodes);

export function rename(element: HTMLElement | Element, name: string): HTMLElement {
  const other = element.ownerDocument.createElement(name);
  appendAll(other, element.childNodes);
  replaceBy(element, [other]);
  return other;
}
