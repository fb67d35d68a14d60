import { useId } from 'react';
import type { Today, TodayNeed } from '#shared/contracts/payments/today';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { type AttentionText, describeAttention, describeBounces } from './words.ts';

const QUESTION_ICON = 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17h.01';
const FILES_ICON =
  'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2';
const FILE_ICON = 'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v5h6M16 13H8M16 17H8M10 9H8';
const PERSON_ICON = 'M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2M16 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0z';
const LETTER_ICON =
  'M22 7l-8.97 5.7a1.94 1.94 0 0 1-2.06 0L2 7M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z';

// Icon shapes from Lucide (ISC license) on a grid of 24 by 24. They are defined here, so no other screen loads them.
const shapes: Record<TodayNeed['kind'], string> = {
  unknown: QUESTION_ICON,
  undecided: QUESTION_ICON,
  reversal: QUESTION_ICON,
  alike: FILES_ICON,
  'no-invoice': FILE_ICON,
  differs: FILE_ICON,
  approval: PERSON_ICON,
  returned: FILE_ICON,
  frozen: FILE_ICON,
  unreadable: FILE_ICON,
};

/** Returns the path of the screen where the item can be resolved, or null if this user cannot resolve it. */
function pathOf({ kind, invoice }: TodayNeed): string | null {
  const preview = invoice && `/invoice/${encodeURIComponent(invoice.id)}`;
  switch (kind) {
    case 'frozen':
    case 'returned':
    case 'unreadable':
      return preview;
    case 'approval':
      return hasRight('oversee') ? '/account/approvals' : null;
    default:
      return '/checks';
  }
}

/** The items that need attention. `today` is null while they load. */
export function AttentionItems({ today }: { today: Today | null }) {
  const id = useId();
  const needs = today?.needs;
  const bounced = today?.came_back;
  return (
    <section className="today-part" aria-labelledby={id}>
      <h3 id={id}>Needs a person</h3>
      {needs?.length === 0 && !bounced ? (
        <p className="today-card today-none">
          <Icon name="circleCheck" />
          Nothing needs a person.
        </p>
      ) : (
        <ul className="today-card">
          {needs
            ? needs.map((need) => (
                <AttentionItem
                  key={`${need.kind} ${need.invoice?.id} ${need.at.join()}`}
                  text={describeAttention(need)}
                  shape={shapes[need.kind]}
                  address={pathOf(need)}
                />
              ))
            : ['first', 'second', 'third'].map((row) => (
                <li key={row} className="need">
                  <span />
                  <strong>
                    <span className="skeleton" />
                  </strong>
                  <p>
                    <span className="skeleton" />
                  </p>
                </li>
              ))}
          {bounced && (
            <AttentionItem
              text={describeBounces(bounced)}
              shape={LETTER_ICON}
              address={`/invoice/${encodeURIComponent(bounced.first.id)}`}
            />
          )}
        </ul>
      )}
    </section>
  );
}

type AttentionItemProps = { text: AttentionText; shape: string; address: string | null };

function AttentionItem({ text: { lead, line, act }, shape, address }: AttentionItemProps) {
  return (
    <li className="need">
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={shape} />
      </svg>
      <strong>{lead}</strong>
      <p>{line}</p>
      {address && (
        <AppLink className="button button-secondary button-sm" href={address}>
          {act}
          <span className="sr-only">: {lead}</span>
        </AppLink>
      )}
    </li>
  );
}
