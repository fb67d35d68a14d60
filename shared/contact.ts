/** Addresses of the links to a phone and to a mailbox. */
export const telHref = (phone: string) => `tel:${phone.replaceAll(/[^\d+]/g, '')}`;
export const mailHref = (email: string) => `mailto:${email}`;
