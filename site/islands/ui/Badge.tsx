import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import '#site/styles/parts/feedback/badge.css';

type Props = { tone?: 'plain' | 'ok' | 'note' | 'warn' | 'bad'; icon: IconName; children: ReactNode };

export function Badge({ tone = 'plain', icon, children }: Props) {
  return (
    <span className={`badge badge-${tone}`}>
      <Icon name={icon} size="xs" />
      {children}
    </span>
  );
}
