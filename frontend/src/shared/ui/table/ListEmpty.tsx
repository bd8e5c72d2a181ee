import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '../Empty';

export interface EmptyWords {
  icon: Icon;
  /** Title if the list has no rows at all. */
  title: string;
  hint?: string;
  /** Button that adds the first row. */
  action?: ReactNode;
}

interface ListEmptyProps extends EmptyWords {
  filtered: boolean;
  onClear: () => void;
}

/** Empty state of a list: no match, with a button that clears the filters; or no rows, with the first step. */
export function ListEmpty({ filtered, onClear, icon, title, hint, action }: ListEmptyProps) {
  const t = useTexts();
  if (!filtered) {
    return (
      <Empty icon={icon} title={title} hint={hint}>
        {action}
      </Empty>
    );
  }
  return (
    <Empty icon={icon} title={t('common:list.noMatch')} hint={t('common:list.noMatchHint')}>
      <Button variant="default" onClick={onClear}>
        {t('common:filters.clear')}
      </Button>
    </Empty>
  );
}
