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
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { type News, type Role, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatMoney } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { screenAt } from '../../routes';
import classes from './NoticeBell.module.css';

const ICONS: Record<News['kind'], Icon> = {
  remittance: IconReceipt,
  movement: IconArrowsExchange,
  closure: IconLock,
  rates: IconPercentage,
  api_key: IconKey,
  party: IconBuildingStore,
  customer: IconUser,
  payment_group: IconCash,
  currency: IconCoins,
  place: IconMapPin,
  tenant: IconSettings,
};

/** Screen of a record, with a search that finds it. */
function addressOf({ kind, id, name, customerType }: News): [path: string, search: string] | null {
  const found = new URLSearchParams({ query: name ?? '', open: id });
  switch (kind) {
    case 'remittance':
      return ['/invoice/list/', `?${found}`];
    case 'movement':
      return ['/balances/movements/', `?${found}`];
    case 'customer':
      return [customerType === 0 ? '/issuers/list' : '/recipients', `?${found}`];
    case 'rates':
      return ['/nomenclators/rates/', ''];
    case 'api_key':
      return ['/users/keys/', ''];
    case 'closure':
      return ['/accounting/closures/', ''];
    case 'party':
      return ['/users/list/', `?${new URLSearchParams({ query: name ?? '' })}`];
    case 'currency':
      return ['/nomenclators/currencies/', ''];
    case 'place':
      return ['/nomenclators/municipality/', ''];
    case 'payment_group':
      return ['/nomenclators/payments/groups/', ''];
    default:
      return null;
  }
}

/** Path of a record for the reader's role; none when deleted. */
export function noticePath(news: News, role: Role): string | null {
  const address = news.isVisible && news.name !== null ? addressOf(news) : null;
  if (!address) return null;
  const [path, search] = address;
  return screenAt(path)?.roles.includes(role) ? path + search : null;
}

interface NoticeItemProps {
  news: News;
  isNew: boolean;
  onChoose: () => void;
}

/** A notification: who changed which record, and when. */
export function NoticeItem({ news, isNew, onChoose }: NoticeItemProps) {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const Sign = ICONS[news.kind];
  const who =
    news.actor.name ?? t(news.actor.id === null ? 'entities:ledger.system' : 'common:notices.erased');
  const name = news.name ?? t(`common:notices.unnamed.${news.kind}`);
  const amounts = news.amounts.map(({ amount, currency }) => `${formatMoney(amount, locale)} ${currency}`);
  const to = noticePath(news, role);
  const inside = (
    <>
      <Sign size={18} stroke={1.7} aria-hidden />
      <span>
        <span className={classes.title}>
          {t([`common:notices.did.${news.eventType}`, 'common:notices.did.other'] as never, { who, name })}
        </span>
        <span className={classes.note}>
          {[news.about, ...amounts, formatDateTime(news.at, locale, timeZone)].filter(Boolean).join(' · ')}
        </span>
      </span>
      {isNew && <span className={classes.new} role="img" aria-label={t('common:notices.new')} />}
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
