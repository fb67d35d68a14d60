import { isIn, type SentMail, ZONE } from './clinic.ts';
import { type Bill, DOWN, type Month, SILENT, START, STEPS } from './month.ts';

/**
 * Checks the rules of reminders against the mails that the mail service accepted. Local days and hours are computed
 * here independently, so that the judge does not share the product's mistakes.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [FIRST_HOUR, END_HOUR, PLANNED_HOUR] = [8, 21, 9];
const MIN_DAYS_APART = 7;
const MAX_DELAY_MS = 48 * HOUR;
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
const localTimeOf = (at: number) => {
  const [day = '', time = ''] = clock.format(at).split(', ');
  return { day, hour: Number(time.slice(0, 2)), time };
};
/** Days since a fixed Sunday. */
const dayNumber = (day: string) => Date.parse(day) / DAY - Date.parse('2026-01-04') / DAY;
const isWorkday = (number: number) => number % 7 !== 0 && number % 7 !== 6;

/** A reminder with the invoice and step from its key. */
type Reminder = SentMail & { id: string; step: number; day: string; hour: number; time: string };

export function judge(month: Month): string[] {
  const reminders = month.mails.map((mail): Reminder => {
    const [, id = '', step = ''] = /^reminder-\d+-(\d+)-\d+-(-?\d+)/.exec(mail.key) ?? [];
    return { ...mail, id, step: Number(step), ...localTimeOf(mail.at) };
  });
  const ofInvoice = Map.groupBy(reminders, ({ id }) => id);
  const ofPayer = Map.groupBy(month.bills, ({ payer }) => payer);
  const full = new Set(month.full.map(utcDay));
  const violations = [...judgeDays(reminders, month.cap)];
  for (const bill of month.bills) {
    const billReminders = (ofInvoice.get(bill.id) ?? []).sort((a, b) => a.at - b.at);
    const endingBills = (ofPayer.get(bill.payer) ?? []).filter(({ fate }) => fate === 'stopped' || fate === 'bounced');
    violations.push(...judgeInvoice(bill, billReminders), ...judgeFate(bill, billReminders, endingBills));
    if (bill.fate === 'none' && endingBills.length === 0) violations.push(...judgeMissing(bill, billReminders, full));
  }
  return violations;
}

const utcDay = (at: number) => Math.floor(at / DAY);

function* judgeDays(reminders: Reminder[], cap: number): Generator<string> {
  for (const { key, time, day, hour } of reminders)
    if (!isWorkday(dayNumber(day)) || hour < FIRST_HOUR || hour >= END_HOUR)
      yield `R2: ${key} went out on ${day} at ${time}`;
  for (const [day, dayReminders] of Map.groupBy(reminders, ({ at }) => utcDay(at)))
    if (dayReminders.length > cap) yield `R7: ${dayReminders.length} on day ${day}`;
  for (const [day, dayReminders] of Map.groupBy(reminders, (reminder) => reminder.day)) {
    const [first] = dayReminders.sort((a, b) => a.at - b.at);
    const nine = nineOf(dayNumber(day));
    if (![nine - 1, nine].some((at) => isIn(TROUBLE, at)) && first?.time !== '09:00')
      yield `R8: the first of ${day} went out at ${first?.time}`;
  }
}

function* judgeInvoice({ id, dueDays }: Bill, reminders: Reminder[]): Generator<string> {
  for (const [index, { at, day, step }] of reminders.entries()) {
    const before = reminders[index - 1];
    if (reminders.slice(0, index).some((earlier) => earlier.step === step)) yield `R1: ${id} twice for step ${step}`;
    if (before && dayNumber(day) - dayNumber(before.day) < MIN_DAYS_APART)
      yield `R3: ${id} on ${before.day} and on ${day}`;
    const times = dueDays.map((due) => timeOf(due, step));
    if (!times.some((time) => time <= at && at <= time + MAX_DELAY_MS))
      yield `R5: ${id} for step ${step} on ${day}, due ${dueDays.join()}`;
  }
}

/** Planned time of a step (UTC ms): nine o'clock on its day, or on the next working day. */
function timeOf(due: string, step: number): number {
  let number = dayNumber(due) + step;
  while (!isWorkday(number)) number++;
  return nineOf(number);
}

function nineOf(number: number): number {
  const noon = Date.parse('2026-01-04T12:00:00Z') + number * DAY;
  return noon + (PLANNED_HOUR - localTimeOf(noon).hour) * HOUR;
}

/** `endingBills`: bills of the same payer whose fate ends all reminders to the payer. */
function* judgeFate(bill: Bill, reminders: Reminder[], endingBills: Bill[]): Generator<string> {
  const { id, fate, fateAt } = bill;
  for (const { at, day, to } of reminders) {
    const isAfter = fateAt !== null && fateAt < at;
    if (isAfter && fate === 'address-changed' && to === bill.payer) yield `R4: ${id} at its old address on ${day}`;
    if (isAfter && ENDING_FATES.includes(fate)) yield `R4: ${id} was ${fate} and reminded on ${day}`;
    if (isAfter && fate === 'mailed-by-hand' && at - fateAt < DAY) yield `R4: ${id} twice within a day`;
    for (const ending of endingBills)
      if (to === bill.payer && ending.fateAt !== null && ending.fateAt < at)
        yield `R4: ${bill.payer} was ${ending.fate} and reminded on ${day}`;
  }
}

const ENDING_FATES: Bill['fate'][] = ['paid-in-crm', 'paid-here', 'paying', 'excluded'];

/** Each step due while the clinic's clock ran needs a reminder then or shortly before; a silent CRM only delays it. */
function* judgeMissing({ id, dueDays: [due = ''] }: Bill, reminders: Reminder[], full: Set<number>): Generator<string> {
  for (const step of STEPS) {
    const time = timeOf(due, step);
    if (time < START || time > START + 28 * DAY) continue;
    if ([0, 1, 2, 3].some((hours) => isIn(DOWN, time + hours * HOUR))) continue;
    if ([-1, 0, 1, 2].some((days) => full.has(utcDay(time) + days))) continue;
    const isNear = ({ at }: Reminder) => time - MIN_DAYS_APART * DAY < at && at <= time + MAX_DELAY_MS;
    if (!reminders.some(isNear)) yield `R6: ${id} was not reminded for step ${step} of ${due}`;
  }
}
