import type { Sample } from './backlog.ts';
import type { Result } from './result.ts';

const [WIDTH, LEFT, RIGHT, TOP, PANEL, GAP] = [860, 56, 16, 28, 84, 34];
const HOUR = 3_600_000;

const PANELS: { title: string; value(sample: Sample): number; colour: string }[] = [
  { title: 'CRM edits not yet in the books', value: ({ edits }) => edits, colour: '#1d4ed8' },
  { title: 'payments to be looked up', value: ({ payments }) => payments, colour: '#b45309' },
  { title: 'mails owed', value: ({ mails }) => mails, colour: '#047857' },
  { title: 'clinics with a clock two minutes late', value: ({ late }) => late, colour: '#b91c1c' },
];

/** The backlog over the day as an SVG with one panel per figure; outages are shaded. */
export function chartOf({ samples, size, dayMs, plan }: Result): string {
  const height = TOP + PANELS.length * (PANEL + GAP);
  const x = (ms: number) => LEFT + (ms / dayMs) * (WIDTH - LEFT - RIGHT);
  const outages = [
    { from: plan.crmDownAt, ms: size.crmDownMs, name: 'CRM down' },
    { from: plan.gatewayDownAt, ms: size.gatewayDownMs, name: 'gateway down' },
  ].filter(({ from }) => from < dayMs);
  const shades = outages.map(
    ({ from, ms, name }) =>
      `<rect x="${coordinate(x(from))}" y="${TOP - 8}" width="${coordinate(Math.max(1, x(from + ms) - x(from)))}" ` +
      `height="${height - TOP}" fill="#e5e7eb"/>` +
      `<text x="${coordinate(x(from))}" y="${TOP - 12}">${name}</text>`,
  );
  const panels = PANELS.map(({ title, value, colour }, n) => {
    const bottom = TOP + n * (PANEL + GAP) + PANEL;
    const max = Math.max(1, ...samples.map(value));
    const points = samples.map((sample) => {
      const y = bottom - (value(sample) / max) * (PANEL - 16);
      return `${coordinate(x(sample.at - size.from))},${coordinate(y)}`;
    });
    return [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${bottom}" y2="${bottom}" stroke="#9ca3af"/>`,
      `<text x="${LEFT - 8}" y="${bottom}" text-anchor="end">0</text>`,
      `<text x="${LEFT - 8}" y="${bottom - PANEL + 24}" text-anchor="end">${max}</text>`,
      `<text x="${LEFT + 4}" y="${bottom - PANEL + 10}" fill="${colour}">${title}</text>`,
      `<polyline fill="none" stroke="${colour}" stroke-width="1.2" points="${points.join(' ')}"/>`,
    ].join('\n');
  });
  const hours = Array.from({ length: Math.floor(dayMs / HOUR / 3) + 1 }, (_, n) => n * 3);
  const axis = hours.map(
    (hour) => `<text x="${coordinate(x(hour * HOUR))}" y="${height - 12}" text-anchor="middle">${hour} h</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" ` +
      'font-family="sans-serif" font-size="11" fill="#374151">',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...shades,
    ...panels,
    ...axis,
    '</svg>',
    '',
  ].join('\n');
}

const coordinate = (value: number): string => value.toFixed(1).replace('.0', '');
