import {
  type Icon,
  IconArrowsExchange,
  IconBuildingStore,
  IconCash,
  IconCoins,
  IconKey,
  IconLock,
  IconMapPin,
  IconPercentage,
  IconReceipt,
  IconSettings,
  IconUser,
  IconUserCheck,
  IconWebhook,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { type News, useProfile } from '~/api';
import { kindName } from '~/entities/approvals';
import { formatDateTime } from '~/shared/lib/dates';
import { formatMoney } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './NoticeBell.module.css';
import { noticePath } from './noticePath';

const ICONS: Record<News['kind'], Icon> = {
  remittance: IconReceipt,
  movement: IconArrowsExchange,
  closure: IconLock,
  rates: IconPercentage,
  api_key: IconKey,
  webhook: IconWebhook,
  party: IconBuildingStore,
  customer: IconUser,
  payment_group: IconCash,
  currency: IconCoins,
  place: IconMapPin,
  tenant: IconSettings,
  proposal: IconUserCheck,
};

interface NoticeItemProps {
  news: News;
  isNew: boolean;
  onChoose: () => void;
}

/** A notification: who changed which record, and when. */
export function NoticeItem({ news, isNew, onChoose }: NoticeItemProps) {
  const t = useTexts();
  const locale = useLocale();
  const { id, role, timeZone } = useProfile();
  const Sign = ICONS[news.kind];
  const who =
    news.actor.name ?? t(news.actor.id === null ? 'entities:ledger.system' : 'entities:notices.erased');
  const name = news.name ?? t(`entities:notices.unnamed.${news.kind}`);
  const amounts = news.amounts.map(({ amount, currency }) => `${formatMoney(amount, locale)} ${currency}`);
  const kind = news.approvalKind && kindName(t, news.approvalKind);
  const to = noticePath(news, { role, id });
  const inside = (
    <>
      <Sign size={18} stroke={1.7} aria-hidden />
      <span>
        <span className={classes.title}>
          {t([`entities:notices.did.${news.eventType}`, 'entities:notices.did.other'] as never, {
            who,
            name,
          })}
        </span>
        <span className={classes.note}>
          {[kind, news.about, ...amounts, formatDateTime(news.at, locale, timeZone)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {isNew && <span className={classes.new} role="img" aria-label={t('entities:notices.new')} />}
    </>
  );
  return to ? (
    <Link className={classes.item} to={to} onClick={onChoose}>
      {inside}
    </Link>
  ) : (
    <div className={classes.item}>{inside}</div>
  );
}
