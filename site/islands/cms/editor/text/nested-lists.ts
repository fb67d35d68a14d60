import { appendAll } from './dom.ts';

const isList = (element: Element | null): boolean => element?.tagName === 'UL' || element?.tagName === 'OL';

/** Moves nested lists that a program wrote beside their item into that item. */
export function nestLists(parent: Element): void {
  for (const list of parent.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    let item = list.previousElementSibling;
    if (item?.tagName !== 'LI') {
      item = list.ownerDocument.createElement('li');
      list.parentNode?.insertBefore(item, list);
    }
    const lastElement = item.lastElementChild;
    const isContinued =
      lastElement !== null &&
      isList(lastElement) &&
      lastElement.tagName === list.tagName &&
      lastElement === item.lastChild;
    if (isContinued) {
      appendAll(lastElement, list.childNodes);
      list.remove();
    } else item.appendChild(list);
  }
}
