import { ScrollArea, Skeleton } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { useListNewsQuery } from '~/api';
import type { Change } from '~/api/live';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Failure } from '~/shared/ui/Failure';
import classes from './NoticeBell.module.css';
import { NoticeItem } from './NoticeItem';

interface NoticeListProps {
  changes: Change[];
  /** Position up to which the reader has seen changes. */
  newSince: number;
  onChoose: () => void;
}

/** List of notifications. */
export function NoticeList({ changes, newSince, onChoose }: NoticeListProps) {
  const t = useTexts();
  const positions = changes.map(({ position }) => position).join(',');
  const query = useListNewsQuery({ positions }, { skip: positions === '', refetchOnMountOrArgChange: true });
  if (positions !== '' && !query.data) {
    return query.error ? (
      <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
    ) : (
      <Skeleton height={160} />
    );
  }
  const news = positions === '' ? [] : (query.data?.news ?? []);
  if (news.length === 0) {
    return (
      <Empty icon={IconBellOff} title={t('entities:notices.none')} hint={t('entities:notices.noneHint')} />
    );
  }
  return (
    <ScrollArea.Autosize mah="min(60vh, 460px)" type="auto" tabIndex={0}>
      <ul className={classes.list}>
        {news.map((one) => (
          <li key={one.position}>
            <NoticeItem news={one} isNew={one.position > newSince} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </ScrollArea.Autosize>
  );
}
