import { ActionIcon, Group, Select, Text, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Pager.module.css';
import { PAGE_SIZES, SMALLEST_SIZE } from './useListState';

interface PagerProps {
  page: number;
  size: number;
  totalPages: number;
  totalRecords: number;
  /** Only the newest rows were searched, because too many match. */
  isPartial?: boolean | undefined;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}

/**
 * First, previous, next, last, page size, and a jump that accepts pages up to the last. With all rows on one page
 * there are no page buttons; with fewer rows than the smallest page size there is no size choice either.
 */
export function Pager({ page, size, totalPages, totalRecords, isPartial, onPage, onSize }: PagerProps) {
  const t = useTexts();
  const locale = useLocale();
  const [jump, setJump] = useState('');
  const last = Math.max(totalPages, 1);

  const go = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    const wanted = Number(jump);
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > last) return;
    onPage(wanted);
    setJump('');
  };

  const step = (label: string, to: number, Sign: typeof IconChevronLeft, disabled: boolean) => (
    <ActionIcon variant="default" size={36} aria-label={label} disabled={disabled} onClick={() => onPage(to)}>
      <Sign size={18} aria-hidden />
    </ActionIcon>
  );

  return (
    <nav className={classes.pager} aria-label={t('common:pager.label')}>
      <Text size="sm" c="dimmed" className={classes.total}>
        {isPartial
          ? t('common:pager.partial', { shown: formatCount(totalRecords, locale) })
          : t('common:pager.total', { count: totalRecords, shown: formatCount(totalRecords, locale) })}
      </Text>
      {last > 1 && (
        <Group gap={6} wrap="nowrap">
          {step(t('common:pager.first'), 1, IconChevronsLeft, page <= 1)}
          {step(t('common:pager.previous'), page - 1, IconChevronLeft, page <= 1)}
          <Text size="sm" px={6} className={classes.where} aria-live="polite">
            {t('common:pager.page', { page: formatCount(page, locale), last: formatCount(last, locale) })}
          </Text>
          {step(t('common:pager.next'), page + 1, IconChevronRight, page >= last)}
          {step(t('common:pager.last'), last, IconChevronsRight, page >= last)}
        </Group>
      )}
      {totalRecords > SMALLEST_SIZE && (
        <Group gap={8} wrap="nowrap">
          {last > 1 && (
            <TextInput
              w={78}
              size="sm"
              inputMode="numeric"
              aria-label={t('common:pager.jump')}
              placeholder={t('common:pager.jumpHint')}
              value={jump}
              onChange={(event) => setJump(event.currentTarget.value.replace(/\D/g, ''))}
              onKeyDown={go}
            />
          )}
          <Select
            w={112}
            size="sm"
            aria-label={t('common:pager.size')}
            allowDeselect={false}
            value={String(size)}
            data={PAGE_SIZES.map((rows) => ({
              value: String(rows),
              label: rows === 0 ? t('common:pager.all') : t('common:pager.rows', { rows }),
            }))}
            onChange={(value) => value !== null && onSize(Number(value))}
          />
        </Group>
      )}
    </nav>
  );
}
