/** Removes bidirectional controls from third-party text: after such a name, an amount would be shown backwards. */
export const plainText = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** Removes invisible characters, such as a zero-width space in a copied email address, and outer spaces. */
export const visibleText = (text: string): string => text.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, '').trim();
