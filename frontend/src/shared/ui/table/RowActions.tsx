import { ActionIcon, Group, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { Link } from 'react-router';

import classes from './RowActions.module.css';

export interface RowAction {
  icon: Icon;
  label: string;
  danger?: boolean;
  disabled?: boolean;
  /** Why the action is not possible now: the button is disabled and announces the reason. */
  reason?: string;
  /** Target screen… */
  to?: string;
  /** …or the action. */
  onClick?: () => void;
}

/** Actions of a row; each has the row's name in its accessible name. */
export function RowActions({ name, actions }: { name: string; actions: RowAction[] }) {
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {actions.map(({ icon: Sign, label, danger, disabled, reason, to, onClick }) => {
        const looks = {
          variant: 'subtle',
          color: danger ? 'red' : 'gray',
          size: 32,
          disabled,
          'data-disabled': reason ? true : undefined,
          'aria-disabled': reason ? true : undefined,
          'aria-description': reason,
          className: classes.action,
          'aria-label': `${label}: ${name}`,
        } as const;
        const sign = <Sign size={18} stroke={1.7} aria-hidden />;
        return (
          <Tooltip key={label} label={reason ? `${label}: ${reason}` : label} withArrow openDelay={400}>
            {to && !reason ? (
              <ActionIcon component={Link} to={to} {...looks}>
                {sign}
              </ActionIcon>
            ) : (
              <ActionIcon {...looks} onClick={reason ? undefined : onClick}>
                {sign}
              </ActionIcon>
            )}
          </Tooltip>
        );
      })}
    </Group>
  );
}
