import type { ReactNode, Ref } from 'react';
import { Icon, type IconName } from '../Icon.tsx';
import '#site/styles/parts/feedback/banner.css';

type Tone = 'ok' | 'note' | 'warn' | 'bad';

const icons: Record<Tone, IconName> = { ok: 'circleCheck', note: 'info', warn: 'warn', bad: 'alert' };

type Props = {
  tone: Tone;
  lead?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  onDismiss?: () => void;
  /** The label of the close button. */
  close?: string;
  /** By default, the screen reader announces errors at once and other messages later. */
  role?: 'alert' | 'status';
  /** Lets the caller focus the banner. */
  ref?: Ref<HTMLDivElement>;
};

export function Banner({ tone, lead, children, actions, onDismiss, close = 'Close message', role, ref }: Props) {
  return (
    <div
      className={`banner banner-${tone}`}
      role={role ?? (tone === 'bad' ? 'alert' : 'status')}
      tabIndex={-1}
      ref={ref}
    >
      <Icon name={icons[tone]} />
      <div className="banner-body">
        {lead && <p className="banner-lead">{lead}</p>}
        {children && <p>{children}</p>}
        {actions && <div className="banner-actions">{actions}</div>}
      </div>
      {onDismiss && (
        <button type="button" className="icon-button" aria-label={close} title={close} onClick={onDismiss}>
          <Icon name="x" size="sm" />
        </button>
      )}
    </div>
  );
}
