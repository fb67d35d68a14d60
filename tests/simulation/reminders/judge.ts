import { isIn, type Sent, ZONE } from './clinic.ts';
import { type Bill, DOWN, type Month, SILENT, START, STEPS } from './month.ts';

/**
 * Checks the rules of reminders against the mails that the mail service accepted. Local days and hours are computed
 * here independently, so that the judge does not share the product's mistakes.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [FROM, TO, PLANNED] = [8, 21, 9];
const APART_DAYS = 7;
const LATEST_MS = 48 * HOUR;
const TROUBLE = [...DOWN, ...SILENT];

const clock = new Intl.DateTimeFormat('en-CA', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: ZONE,
});
const shown = (at: number) => {
  const [day = '', time = ''] = clock.format(at).split(', ');
  return { day, hour: Number(time.slice(0, 2)), time };
};
/** Days since a fixed Sunday. */
const dayNumber = (day: string) => Date.parse(day) / DAY - Date.parse('2026-01-04') / DAY;
const isWorking = (number: number) => number % 7 !== 0 && number % 7 !== 6;

/** A reminder with the invoice and step from its key. */
type Reminder = Sent & { id: string; step: number; day: string; hour: number; time: string };

export function judge(month: Month): string[] {
  const reminders = month.sent.map((sent): Reminder => {
    const [, id = '', step = ''] = /^reminder-\d+-(\d+)-\d+-(-?\d+)/.exec(sent.key) ?? [];
    return { ...sent, id, step: Number(step), ...shown(sent.at) };
  });
  const ofInvoice = Map.groupBy(reminders, ({ id }) => id);
  const ofPayer = Map.groupBy(month.bills, ({ payer }) => payer);
  const full = new Set(month.full.map(utcDay));
  const broken = [...judgeDays(reminders, month.cap)];
  for (const bill of month.bills) {
    const own = (ofInvoice.get(bill.id) ?? []).sort((a, b) => a.at - b.at);
    const ended = (ofPayer.get(bill.payer) ?? []).filter(({ fate }) => fate === 'stopped' || fate === 'bounced');
    broken.push(...judgeInvoice(bill, own), ...judgeFate(bill, own, ended));
    if (bill.fate === 'none' && ended.length === 0) broken.push(...judgeForgotten(bill, own, full));
  }
  return broken;
}

const utcDay = (at: number) => Math.floor(at / DAY);

function* judgeDays(reminders: Reminder[], cap: number): Generator<string> {
  for (const { key, time, day, hour } of reminders)
    if (!isWorking(dayNumber(day)) || hour < FROM || hour >= TO) yield `R2: ${key} went out on ${day} at ${time}`;
  for (const [day, all] of Map.groupBy(reminders, ({ at }) => utcDay(at)))
    if (all.length > cap) yield `R7: ${all.length} on day ${day}`;
  for (const [day, all] of Map.groupBy(reminders, (one) => one.day)) {
    const [first] = all.sort((a, b) => a.at - b.at);
    const nine = nineOf(dayNumber(day));
    if (![nine - 1, nine].some((at) => isIn(TROUBLE, at)) && first?.time !== '09:00')
      yield `R8: the first of ${day} went out at ${first?.time}`;
  }
}

function* judgeInvoice({ id, dueDays }: Bill, own: Reminder[]): Generator<string> {
  for (const [at, one] of own.entries()) {
    const before = own[at - 1];
    if (own.slice(0, at).some(({ step }) => step === one.step)) yield `R1: ${id} twice for step ${one.step}`;
    if (before && dayNumber(one.day) - dayNumber(before.day) < APART_DAYS)
      yield `R3: ${id} on ${before.day} and on ${one.day}`;
    const times = dueDays.map((due) => timeOf(due, one.step));
    if (!times.some((time) => time <= one.at && one.at <= time + LATEST_MS))
      yield `R5: ${id} for step ${one.step} on ${one.day}, due ${dueDays.join()}`;
  }
}

/** Planned time of a step (UTC ms): nine o'clock on its day, or on the next working day. */
function timeOf(due: string, step: number): number {
  let number = dayNumber(due) + step;
  while (!isWorking(number)) number++;
  return nineOf(number);
}

function nineOf(number: number): number {
  const noon = Date.parse('2026-01-04T12:00:00Z') + number * DAY;
  return noon + (PLANNED - shown(noon).hour) * HOUR;
}

/** `ended`: bills of the same payer that end all reminders to the payer. */
function* judgeFate(bill: Bill, own: Reminder[], ended: Bill[]): Generator<string> {
  const { id, fate, fateAt } = bill;
  for (const { at, day, to } of own) {
    const isAfter = fateAt !== null && fateAt < at;
    if (isAfter && fate === 'address-changed' && to === bill.payer) yield `R4: ${id} at its old address on ${day}`;
    if (isAfter && ENDS.includes(fate)) yield `R4: ${id} was ${fate} and reminded on ${day}`;
    if (isAfter && fate === 'mailed-by-hand' && at - fateAt < DAY) yield `R4: ${id} twice within a day`;
    for (const other of ended)
      if (to === bill.payer && other.fateAt !== null && other.fateAt < at)
        yield `R4: ${bill.payer} was ${other.fate} and reminded on ${day}`;
  }
}

const ENDS: Bill['fate'][] = ['paid-in-crm', 'paid-here', 'paying', 'excluded'];

/** Each step due while the clinic's clock ran needs a reminder then or shortly before; a silent CRM only delays it. */
function* judgeForgotten({ id, dueDays: [due = ''] }: Bill, own: Reminder[], full: Set<number>): Generator<string> {
  for (const step of STEPS) {
    const time = timeOf(due, step);
    if (time < START || time > START + 28 * DAY) continue;
    if ([0, 1, 2, 3].some((hours) => isIn(DOWN, time + hours * HOUR))) continue;
    if ([-1, 0, 1, 2].some((days) => full.has(utcDay(time) + days))) continue;
    const isNear = ({ at }: Reminder) => time - APART_DAYS * DAY < at && at <= time + LATEST_MS;
    if (!own.some(isNear)) yield `R6: ${id} was not reminded for step ${step} of ${due}`;
  }
}
