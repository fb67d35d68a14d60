export type Declarations = ReadonlyMap<string, string>;
export type ClassRules = ReadonlyMap<string, Declarations>;

/** Reads a style attribute's declarations in lower case, including the `mso-` ones, which browsers drop. */
export function readDeclarations(text: string): Map<string, string> {
  const declarations = new Map<string, string>();
  for (const part of text.match(/(?:[^;"'(]|"[^"]*"|'[^']*'|\([^)]*\)|["'(])+/g) ?? []) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name)
      declarations.set(
        name,
        part
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      );
  }
  return declarations;
}

/** The style sheets that a program puts before its text, without comments. */
export const styleSheet = (document: Document): string =>
  [...document.querySelectorAll('style')]
    .map((style) => style.textContent ?? '')
    .join('\n')
    .replaceAll(/<!--|-->|\/\*[\s\S]*?\*\//g, '');

/** Rules of single classes (".xl65", "td.xl65"): spreadsheets use them for bold and alignment. */
export function readClassRules(sheet: string): Map<string, Map<string, string>> {
  const rules = new Map<string, Map<string, string>>();
  for (const [, selectors = '', text = ''] of sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(',')) {
      const [, name] = /^\s*(?:td|th|tr)?\.([\w-]+)\s*$/i.exec(selector) ?? [];
      if (name) rules.set(name, new Map([...(rules.get(name) ?? []), ...readDeclarations(text)]));
    }
  }
  return rules;
}

/** An element's own style; its style attribute overrides its classes. */
export function styleOf(element: Element, rules: ClassRules): Declarations {
  const inline = readDeclarations(element.getAttribute('style') ?? '');
  const classDeclarations = [...element.classList].flatMap((name) => [...(rules.get(name) ?? [])]);
  return classDeclarations.length > 0 ? new Map([...classDeclarations, ...inline]) : inline;
}

/** True if an element has no text, picture, dividing line or table. */
export const isBlank = (element: Element): boolean =>
  /^[\s\u00a0]*$/.test(element.textContent ?? '') && element.querySelector('img, hr, table') === null;
