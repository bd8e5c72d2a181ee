import { Skeleton } from '@mantine/core';
import {
  type Icon,
  IconArrowsExchange,
  IconBuildingStore,
  IconCash,
  IconCoins,
  IconLock,
  IconMapPin,
  IconReceipt,
  IconSettings,
  IconUser,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import {
  type Role,
  useGetCustomerQuery,
  useGetMovementQuery,
  useGetRemittanceQuery,
  useProfile,
} from '~/api';
import type { Change } from '~/api/live';
import { formatDateTime } from '~/shared/lib/dates';
import { formatMoney } from '~/shared/lib/decimal';
import { type TextKey, useLocale, useTexts } from '~/shared/lib/texts';
import { screenAt } from '../../routes';
import classes from './NoticeBell.module.css';

interface LineProps {
  icon: Icon;
  title: string;
  note?: string;
  to?: string;
  isNew: boolean;
  onChoose: () => void;
}

function Line({ icon: Sign, title, note, to, isNew, onChoose }: LineProps) {
  const t = useTexts();
  const inside = (
    <>
      <Sign size={18} stroke={1.7} aria-hidden />
      <span>
        <span className={classes.title}>{title}</span>
        {note && <span className={classes.note}>{note}</span>}
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

interface NoticeItemProps {
  change: Change;
  isNew: boolean;
  onChoose: () => void;
}

function RemittanceNotice({ change, ...line }: NoticeItemProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { data } = useGetRemittanceQuery({ id: change.id });
  if (!data) return <Skeleton height={36} my={8} />;
  const states: Record<typeof data.status, TextKey> = {
    0: 'common:notices.remittance.pending',
    1: 'common:notices.remittance.canceled',
    2: 'common:notices.remittance.shipping',
    3: 'common:notices.remittance.completed',
    4: 'common:notices.remittance.error',
  };
  return (
    <Line
      {...line}
      icon={IconReceipt}
      title={t('common:notices.of', { name: data.code, what: t(states[data.status]) })}
      note={[
        data.recipient.name,
        `${formatMoney(data.payout, locale)} ${data.currencyTo}`,
        formatDateTime(data.updated, locale, timeZone),
      ]
        .filter(Boolean)
        .join(' · ')}
      to={`/invoice/list/?query=${data.code}&open=${data.id}`}
    />
  );
}

/** An address that the reader's role may open. */
function open(role: Role, path: string, search = ''): string | undefined {
  return screenAt(path)?.roles.includes(role) ? path + search : undefined;
}

function MovementNotice({ change, ...line }: NoticeItemProps) {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const { data } = useGetMovementQuery({ id: change.id });
  if (!data) return <Skeleton height={36} my={8} />;
  const amounts = data.amounts.map(({ amount, currency }) => `${formatMoney(amount, locale)} ${currency}`);
  return (
    <Line
      {...line}
      icon={IconArrowsExchange}
      title={t('common:notices.of', { name: data.number, what: t(`common:notices.movement.${data.kind}`) })}
      note={[data.to?.name ?? data.from?.name, ...amounts, formatDateTime(data.created, locale, timeZone)]
        .filter(Boolean)
        .join(' · ')}
      to={open(role, '/balances/movements/', `?query=${data.number}&open=${data.id}`)}
    />
  );
}

function CustomerNotice({ change, ...line }: NoticeItemProps) {
  const t = useTexts();
  const { data } = useGetCustomerQuery({ id: change.id });
  if (!data) return <Skeleton height={36} my={8} />;
  const issuer = data.customerType === 0;
  return (
    <Line
      {...line}
      icon={IconUser}
      title={data.fullName ?? t('common:notices.erased')}
      note={issuer ? t('common:notices.issuer') : t('common:notices.recipient')}
      to={`${issuer ? '/issuers/list' : '/recipients'}?query=${encodeURIComponent(data.fullName ?? '')}&open=${data.id}`}
    />
  );
}

/** What needs no further look at the server. */
const PLAIN: Record<string, { icon: Icon; title: TextKey; to?: string }> = {
  party: { icon: IconBuildingStore, title: 'common:notices.party' },
  currency: { icon: IconCoins, title: 'common:notices.currency', to: '/nomenclators/currencies/' },
  place: { icon: IconMapPin, title: 'common:notices.place', to: '/nomenclators/municipality/' },
  payment_group: {
    icon: IconCash,
    title: 'common:notices.paymentGroup',
    to: '/nomenclators/payments/groups/',
  },
  closure: { icon: IconLock, title: 'common:notices.closure', to: '/accounting/closures/' },
  tenant: { icon: IconSettings, title: 'common:notices.tenant' },
};

/** One change in words. */
export function NoticeItem(props: NoticeItemProps) {
  const t = useTexts();
  const { role } = useProfile();
  const { change, ...line } = props;
  if (change.kind === 'remittance') return <RemittanceNotice {...props} />;
  if (change.kind === 'movement') return <MovementNotice {...props} />;
  if (change.kind === 'customer') return <CustomerNotice {...props} />;
  const plain = PLAIN[change.kind];
  if (!plain) return null;
  return (
    <Line
      {...line}
      icon={plain.icon}
      title={t(plain.title)}
      to={plain.to ? open(role, plain.to) : undefined}
    />
  );
}
