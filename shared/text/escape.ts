const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text to HTML, safe in content and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** Template tag: every value is escaped unless it came from this tag itself. */
export class SafeHtml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function html(parts: TemplateStringsArray, ...values: (string | SafeHtml | SafeHtml[])[]): SafeHtml {
  const texts = values.map((value) =>
    Array.isArray(value)
      ? value.map(({ text }) => text).join('')
      : value instanceof SafeHtml
        ? value.text
        : escapeHtml(value),
  );
  return new SafeHtml(parts.map((part, at) => part + (texts[at] ?? '')).join(''));
}

/** JSON that may stand inside a script element of type application/json. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
