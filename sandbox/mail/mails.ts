import { z } from 'zod';
import type { World } from '../world.ts';

export type StoredMail = {
  seq: number;
  id: string;
  at_ms: number;
  sender: string;
  recipients: string;
  subject: string;
  text: string;
  html: string;
};

const COLUMNS = 'seq, id, at_ms, sender, recipients, subject, text, html';

export const findMail = (world: World, id: string) =>
  world.store.get<StoredMail>(`SELECT ${COLUMNS} FROM mails WHERE id = ?`, id);

/** Oldest first. `to` picks the mails to one address, with or without a name around it. */
export function listMails(world: World, to?: string): StoredMail[] {
  const all = world.store.all<StoredMail>(`SELECT ${COLUMNS} FROM mails ORDER BY seq`);
  if (!to) return all;
  const bare = (address: string) => (/<([^>]+)>/.exec(address)?.[1] ?? address).trim().toLowerCase();
  return all.filter((mail) => recipientsOf(mail).some((address) => bare(address) === bare(to)));
}

export const recipientsOf = (mail: StoredMail): string[] => z.array(z.string()).parse(JSON.parse(mail.recipients));
