import { Skeleton, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { api, SELLERS, useProfile } from '~/api';
import { retryingImport } from '~/shared/lib/retryingImport';
import { latePart } from '~/shared/ui/latePart';
import { CarrierHome } from './CarrierHome';
import { Greeting } from './Greeting';
import { OfficeHome } from './OfficeHome';
import { daysOf, USUAL_RANGE } from './ranges';

/** The greeting at once, and the outline of the figures. */
function SalesHomeOutline() {
  return (
    <Stack gap="md">
      <Greeting />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** Its charts and tables are nothing that a carrier's telephone should load, or keep for when there is no network. */
const SalesHome = latePart(async () => (await retryingImport(() => import('./SalesHome'))).SalesHome, {
  waiting: <SalesHomeOutline />,
});

const AuditorHome = latePart(async () => (await retryingImport(() => import('./AuditorHome'))).AuditorHome, {
  waiting: <Greeting />,
});

/** The frequencies of the totals, as the server numbers them. */
const FREQUENCIES = [0, 1, 2, 3] as const;

/** Asks for what the sellers' home shows while its code is still on its way. */
function useEarlyFigures(wanted: boolean): void {
  const { timeZone } = useProfile();
  const totals = api.usePrefetch('getRemittanceTotals');
  const statistics = api.usePrefetch('getRemittanceStatistics');
  const attention = api.usePrefetch('getAttention');
  useEffect(() => {
    if (!wanted) return;
    for (const rangeSelector of FREQUENCIES) totals({ rangeSelector });
    statistics(daysOf(USUAL_RANGE, { from: undefined, to: undefined }, timeZone));
    attention();
  }, [wanted, timeZone, totals, statistics, attention]);
}

/** Where a login leads: a seller's figures, a dealer's cash, a delivery man's round. */
export default function HomePage() {
  const { role, office } = useProfile();
  const { search } = useLocation();
  // An agency's figures are asked for by its id, and those of an address with filters by these.
  useEarlyFigures(SELLERS.includes(role) && role !== 'agency' && !office?.permissionSet && search === '');
  if (role === 'deliveryMan') return <Navigate to="/delivery/" replace />;
  if (!SELLERS.includes(role)) return <CarrierHome />;
  // Who has a set that sees the log and writes nothing comes to verify it; who sees no figures gets the greeting.
  if (office?.permissionSet && office.writes.length === 0 && office.reads.includes('audit'))
    return <AuditorHome />;
  if (office?.permissionSet && !office.reads.includes('reports')) return <OfficeHome />;
  return <SalesHome />;
}
