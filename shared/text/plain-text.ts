/** A text of others without the characters that turn the writing round: an amount behind such a name would read backwards. */
export const plainText = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
