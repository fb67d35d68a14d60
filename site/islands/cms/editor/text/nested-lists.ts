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
    const before = item.lastElementChild;
    const isContinued =
      before !== null && isList(before) && before.tagName === list.tagName && before === item.lastChild;
    if (isContinued) {
      appendAll(before, list.childNodes);
      list.remove();
    } else item.appendChild(list);
  }
}
