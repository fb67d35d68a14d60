/** `href` values for a phone number and an email address. */
export const telHref = (phone: string) => `tel:${phone.replaceAll(/[^\d+]/g, '')}`;
export const mailHref = (email: string) => `mailto:${email}`;
