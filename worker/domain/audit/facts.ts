/** Fields of a row before or after an action, as stored in the event. */
export type Facts = Record<string, unknown>;

/**
 * Parses the stored fields. Text that is not a JSON object was not written by the product; it is returned as
 * `unreadable`.
 */
export function factsOf(text: string): Facts {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Returned as `unreadable`.
  }
  return { unreadable: text };
}
