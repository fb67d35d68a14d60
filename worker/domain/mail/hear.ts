import { unlessErased } from '#worker/clinic/no-such-clinic';
import { ofClinic } from '#worker/clinic/of-clinic';
import { noteMailEvent } from '#worker/data/mail/events';
import type { Deps } from '#worker/deps';
import type { Signed } from '#worker/vendors/resend/port';

/**
 * Hear a webhook of the mail service. Who signed it is the service, which repeats our own tags: so the clinic that they name
 * is the one that sent the mail. An event of no mail of ours is kept with the installation, so that its repeat is known.
 */
export async function hearMailService(
  deps: Deps,
  signed: Signed,
  body: Uint8Array<ArrayBuffer>,
): Promise<'heard' | 'off' | 'forged' | 'unreadable'> {
  const { installation, log, now } = deps;
  const event = await deps.mailTeller.read(signed, body, now());
  if (typeof event === 'string') return event;
  const { mail, ...told } = event;
  log.info('mail-event', { told: told.type, mailId: mail?.id ?? '', clinic: mail?.clinic ?? 0 });
  if (mail && mail.clinic > 0) {
    const { db } = ofClinic(deps, mail.clinic);
    const note = noteMailEvent(db, 'clinic', { ...told, mailId: mail.id }, now()).then(() => true);
    if (await unlessErased(note)) return 'heard';
  }
  await noteMailEvent(installation, 'installation', { ...told, mailId: mail?.clinic === 0 ? mail.id : '' }, now());
  return 'heard';
}
