import { Timeline as MantineTimeline, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale } from '~/shared/lib/texts';

export interface TimelineItem {
  key: string | number;
  icon: Icon;
  title: string;
  /** RFC 3339. */
  at: string;
  who: string | null;
  children?: ReactNode;
}

/** History of a record: time, actor and reason, oldest first. */
export function Timeline({ items, zone }: { items: TimelineItem[]; zone: string }) {
  const locale = useLocale();
  return (
    <MantineTimeline bulletSize={26} lineWidth={2} active={items.length}>
      {items.map((item) => (
        <MantineTimeline.Item
          key={item.key}
          bullet={<item.icon size={14} stroke={2} aria-hidden />}
          title={
            <span style={{ fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600 }}>{item.title}</span>
          }
        >
          <Text size="xs" c="dimmed">
            <time dateTime={item.at}>{formatDateTime(item.at, locale, zone)}</time>
            {item.who && ` · ${item.who}`}
          </Text>
          {item.children}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}
