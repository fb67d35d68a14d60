/** The platform's location hints for a Durable Object; it may choose a nearby place. */
export type Region = 'wnam' | 'enam' | 'sam' | 'weur' | 'eeur' | 'apac' | 'oc' | 'afr' | 'me';

const HOUR_MIN = 60;

/** IANA zones in South America. */
const SOUTH_AMERICA =
  /^America\/(Argentina\/|Araguaina|Asuncion|Bahia|Belem|Boa_Vista|Bogota|Buenos_Aires|Campo_Grande|Caracas|Cayenne|Cuiaba|Fortaleza|Guayaquil|Guyana|La_Paz|Lima|Maceio|Manaus|Montevideo|Paramaribo|Porto_Velho|Punta_Arenas|Recife|Rio_Branco|Santiago|Sao_Paulo)/;
const MIDDLE_EAST =
  /^Asia\/(Aden|Amman|Baghdad|Bahrain|Beirut|Damascus|Dubai|Gaza|Hebron|Jerusalem|Kuwait|Muscat|Nicosia|Qatar|Riyadh|Tehran)$/;

/**
 * The region of a clinic's object, by the IANA zone of its CRM account; '' if the zone has none (such as UTC), so that
 * the object is created near the first request. In North America and Europe the winter UTC offset decides, with limits
 * at Denver (-7 h) and Helsinki (+2 h).
 */
export function regionOf(timeZone: string): Region | '' {
  const [continent = ''] = timeZone.split('/');
  switch (continent) {
    case 'America':
    case 'US':
    case 'Canada':
      if (SOUTH_AMERICA.test(timeZone)) return 'sam';
      return winterOffset(timeZone) <= -7 * HOUR_MIN ? 'wnam' : 'enam';
    case 'Europe':
      return winterOffset(timeZone) >= 2 * HOUR_MIN ? 'eeur' : 'weur';
    case 'Atlantic':
      return 'weur';
    case 'Africa':
      return 'afr';
    case 'Asia':
      return MIDDLE_EAST.test(timeZone) ? 'me' : 'apac';
    case 'Indian':
      return 'apac';
    case 'Australia':
      return 'oc';
    case 'Pacific':
      return timeZone === 'Pacific/Honolulu' ? 'wnam' : 'oc';
    default:
      return '';
  }
}

/** UTC offset in January (minutes); 0 for an unknown zone. */
function winterOffset(timeZone: string): number {
  try {
    // biome-ignore lint/plugin: reads the offset of a zone, formats no time
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(Date.UTC(2026, 0, 15)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MIN + Number(minutes));
  } catch {
    return 0;
  }
}
