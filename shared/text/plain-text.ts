/** Removes bidirectional controls from a text that is not ours: after such a name an amount would read backwards. */
export const plainText = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
