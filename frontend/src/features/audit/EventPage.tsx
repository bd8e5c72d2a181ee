import { Alert, Anchor, Button, Group, Paper, Skeleton, Tabs } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { type AuditEventDetails, useGetAuditEventQuery, useListEntriesQuery } from '~/api';
import { eventPath } from '~/entities/ledger/audit';
import { useEventName } from '~/entities/ledger/Entry';
import { Transfers } from '~/entities/ledger/Transfers';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Failure } from '~/shared/ui/Failure';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { useListState } from '~/shared/ui/table/useListState';
import classes from './Audit.module.css';
import { useEventFacts } from './EventFacts';
import { Hash } from './Hash';
import { Raw } from './Raw';
import { Changes, Content } from './Values';
import { changesBetween } from './values';

const TABS = ['changes', 'payload', 'before', 'after', 'raw'] as const;
const RAW = ['payload', 'before', 'after'] as const;
const DEFAULTS = { sort: '' };
const FILTERS = ['tab'] as const;

/** What the event moved in the ledger, if anything. */
function Moved({ position }: { position: number }) {
  const t = useTexts();
  const locale = useLocale();
  // The last entry through this position is the event's own, or none is.
  const query = useListEntriesQuery({ position, sort: '-created', recordsPerPage: 1 });
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  if (!query.currentData) return <Skeleton height={72} />;
  const entry = query.currentData.data.find((one) => one.position === position);
  if (!entry) return null;
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <h2 className={classes.heading}>{t('audit:event.moved')}</h2>
      <Transfers
        label={t('entities:ledger.entry', { number: formatCount(position, locale) })}
        transfers={entry.transfers}
      />
    </Paper>
  );
}

function Chain({ details }: { details: AuditEventDetails }) {
  const t = useTexts();
  const locale = useLocale();
  const { event, hashHolds, previousHash, previousPosition } = details;
  const before = previousPosition === null ? t('audit:event.genesis') : t('audit:event.previousHash');
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <Group justify="space-between" mb={10}>
        <h2 className={classes.heading} style={{ margin: 0 }}>
          {t('audit:event.chain')}
        </h2>
        <StatusBadge
          tone={hashHolds ? 'good' : 'bad'}
          icon={hashHolds ? IconShieldCheck : IconShieldX}
          label={hashHolds ? t('audit:event.holds') : t('audit:event.broken')}
        />
      </Group>
      <Facts
        facts={[
          {
            label: t('audit:event.hash'),
            value: (
              <Hash
                hash={event.hash}
                label={t('audit:event.hashOf', { number: formatCount(event.position, locale) })}
              />
            ),
          },
          ...(previousHash ? [{ label: before, value: <Hash hash={previousHash} label={before} /> }] : []),
        ]}
      />
      {!hashHolds && (
        <Alert variant="light" color="red" mt="sm" icon={<IconShieldX size={18} aria-hidden />}>
          {t('audit:event.brokenHint')}{' '}
          <Anchor component={Link} to="/audit/verification/" fz="inherit" underline="always">
            {t('common:menu.auditVerification')}
          </Anchor>
        </Alert>
      )}
    </Paper>
  );
}

function Details({ details }: { details: AuditEventDetails }) {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const { event, payload, before, after, names } = details;
  const changes = changesBetween(before, after);
  // An operator's decision changes no field: its content says what happened.
  const first = changes.length > 0 ? 'changes' : 'payload';
  const shown = TABS.find((tab) => tab === list.filters.tab) ?? first;
  const none = t('audit:event.notThere');
  const state = { payload, before, after };
  return (
    <div className={classes.panels}>
      <div className={classes.two}>
        <Paper withBorder component="section" className={classes.panel}>
          <h2 className={classes.heading}>{t('audit:event.what')}</h2>
          <Facts facts={useEventFacts(event)} />
        </Paper>
        <Chain details={details} />
      </div>
      <Paper withBorder className={classes.panel}>
        <Tabs
          value={shown}
          keepMounted={false}
          onChange={(tab) => list.setFilters({ tab: tab === first ? undefined : (tab ?? undefined) })}
        >
          <Tabs.List aria-label={t('audit:event.changes')} mb="md">
            {TABS.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {t(`audit:event.tabs.${tab}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TABS.map((tab) => (
            <Tabs.Panel key={tab} value={tab}>
              {tab === 'changes' ? (
                <Changes
                  changes={changes}
                  names={names}
                  before={before}
                  after={after}
                  label={t('audit:event.changes')}
                />
              ) : tab === 'raw' ? (
                RAW.map((part) => (
                  <section key={part}>
                    <h2 className={classes.heading}>{t(`audit:event.tabs.${part}`)}</h2>
                    <Raw
                      value={state[part]}
                      names={names}
                      label={`${t('audit:event.tabs.raw')}: ${t(`audit:event.tabs.${part}`)}`}
                      none={none}
                    />
                  </section>
                ))
              ) : (
                <Content value={state[tab]} names={names} label={t(`audit:event.tabs.${tab}`)} none={none} />
              )}
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
      <Moved position={event.position} />
    </div>
  );
}

/** One event: who, when, what it says, before and after, its hash and its neighbours. */
export default function EventPage() {
  const t = useTexts();
  const locale = useLocale();
  const eventName = useEventName();
  const position = Number(useParams().position);
  const asked = Number.isSafeInteger(position) && position > 0 ? position : 0;
  const query = useGetAuditEventQuery({ position: asked });
  const details = query.currentData;
  const number = formatCount(asked, locale);
  const neighbour = (to: number | null | undefined, label: string, forward: boolean) => {
    const content = {
      variant: 'default' as const,
      leftSection: forward ? undefined : <IconChevronLeft size={17} aria-hidden />,
      rightSection: forward ? <IconChevronRight size={17} aria-hidden /> : undefined,
      children: label,
    };
    return to ? (
      <Button component={Link} to={eventPath(to)} {...content} />
    ) : (
      <Button disabled {...content} />
    );
  };
  return (
    <>
      <PageHeader
        title={
          details
            ? `${t('audit:event.named', { number })} · ${eventName(details.event.eventType)}`
            : t('audit:event.named', { number })
        }
      >
        {neighbour(details?.previousPosition, t('audit:event.previous'), false)}
        {neighbour(details?.nextPosition, t('audit:event.next'), true)}
      </PageHeader>
      <Loaded query={query}>{(found) => <Details details={found} />}</Loaded>
    </>
  );
}
