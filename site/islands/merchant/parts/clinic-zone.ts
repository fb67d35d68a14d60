import { write } from '#site/islands/ui/format-moment.ts';

/** The clinic's zone in words: "Eastern Time". */
export const clinicZone = (): string => write(new Date(), { timeZoneName: 'longGeneric' }).split(', ').at(-1) ?? '';
