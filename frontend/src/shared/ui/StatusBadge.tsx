import type { Icon } from '@tabler/icons-react';
import classes from './StatusBadge.module.css';

export type Tone = 'neutral' | 'waiting' | 'moving' | 'good' | 'bad';

interface StatusBadgeProps {
  tone: Tone;
  label: string;
  icon: Icon;
}

/** A state as text with a colour and an icon, so that colour is never its only sign. */
export function StatusBadge({ tone, label, icon: Sign }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <Sign size={14} stroke={2.2} aria-hidden />
      {label}
    </span>
  );
}
