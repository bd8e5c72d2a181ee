import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import type { ListState } from '~/shared/ui/table/useListState';

const TABS = ['data', 'terms', 'balance', 'history'] as const;
type Tab = (typeof TABS)[number];

interface SellerTabsProps extends Record<Tab, ReactNode> {
  label: string;
  list: ListState<'tab'>;
}

/** A seller's tabs; the one that shows stands in the address. */
export function SellerTabs({ label, list, ...panels }: SellerTabsProps) {
  const t = useTexts();
  const shown = TABS.find((tab) => tab === list.filters.tab) ?? 'data';
  return (
    <Tabs
      value={shown}
      keepMounted={false}
      onChange={(tab) => list.setFilters({ tab: tab === 'data' ? undefined : (tab ?? undefined) })}
    >
      <Tabs.List aria-label={label} mb="md">
        {TABS.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {t(`entities:tabs.${tab}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map((tab) => (
        <Tabs.Panel key={tab} value={tab}>
          {panels[tab]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
