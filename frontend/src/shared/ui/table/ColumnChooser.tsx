import { ActionIcon, Checkbox, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { ColumnDef } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { useRemembered } from '~/shared/lib/useRemembered';

function columnId<T>(column: ColumnDef<T, unknown>): string {
  return column.id ?? ('accessorKey' in column ? String(column.accessorKey) : '');
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

interface ChosenColumns<T> {
  columns: ColumnDef<T, unknown>[];
  hidden: string[];
  setHidden: (ids: string[]) => void;
}

/** The list's visible columns, stored under the list's name. */
export function useChosenColumns<T>(name: string, all: ColumnDef<T, unknown>[]): ChosenColumns<T> {
  const [hidden, setHidden] = useRemembered<string[]>(`caudal.columns.${name}`, [], isTexts);
  const columns = useMemo(() => all.filter((column) => !hidden.includes(columnId(column))), [all, hidden]);
  return { columns, hidden, setHidden };
}

interface ColumnChooserProps<T> {
  all: ColumnDef<T, unknown>[];
  hidden: string[];
  onHidden: (ids: string[]) => void;
}

/** Chooses the visible columns; the row's name and its actions are always visible. */
export function ColumnChooser<T>({ all, hidden, onHidden }: ColumnChooserProps<T>) {
  const t = useTexts();
  const offered = all.filter(
    ({ header, meta }) =>
      typeof header === 'string' && header && meta?.card !== 'title' && meta?.card !== 'actions',
  );
  const toggle = (id: string) =>
    onHidden(hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Tooltip label={t('common:list.columns')} withArrow openDelay={400}>
        <span>
          <Popover.Target>
            <ActionIcon variant="default" size={36} aria-label={t('common:list.columns')}>
              <IconColumns3 size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Popover.Target>
        </span>
      </Tooltip>
      <Popover.Dropdown aria-label={t('common:list.columns')}>
        <Text size="sm" fw={600} mb="xs">
          {t('common:list.columns')}
        </Text>
        <Stack gap="xs">
          {offered.map((column) => {
            const id = columnId(column);
            return (
              <Checkbox
                key={id}
                label={column.header as string}
                checked={!hidden.includes(id)}
                onChange={() => toggle(id)}
              />
            );
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
