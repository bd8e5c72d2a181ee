import {
  type Icon,
  IconAlertCircle,
  IconArrowsExchange,
  IconBuildingStore,
  IconCalendarStats,
  IconCashBanknote,
  IconClipboardList,
  IconHandStop,
  IconHistory,
  IconId,
  IconListDetails,
  IconLock,
  IconMapQuestion,
  IconReceipt2,
  IconReportAnalytics,
  IconReportMoney,
  IconScale,
  IconTruckDelivery,
  IconUserCheck,
  IconUserDollar,
  IconZoomMoney,
} from '@tabler/icons-react';
import * as may from '~/api/policy';
import { REPORTS, type ReportName } from '~/api/reports';
import { except } from '~/api/roles';
import type { Screen } from './screen';

const BALANCES: Screen['namespaces'] = ['entities', 'balances'];
const ACCOUNTING: Screen['namespaces'] = ['entities', 'accounting'];

/** Icons of reports, in the order of the menu; a report without one comes after them. */
const REPORT_ICONS: Partial<Record<ReportName, Icon>> = {
  addressee: IconId,
  agency: IconBuildingStore,
  history: IconHistory,
  attorney: IconUserCheck,
  distributionAgency: IconMapQuestion,
  distributor: IconTruckDelivery,
  distributorShipping: IconClipboardList,
  pendingDistributor: IconAlertCircle,
  largeSums: IconZoomMoney,
  holds: IconHandStop,
};
const reportNames = Object.keys({ ...REPORT_ICONS, ...REPORTS }) as ReportName[];

const reportScreen = (name: ReportName): Screen => {
  const { path, title, roles } = REPORTS[name];
  return {
    path,
    title,
    namespaces: ['entities', 'remittances', 'reports'],
    roles,
    menu: { icon: REPORT_ICONS[name] ?? IconReportAnalytics, group: 'reports' },
    load: () => import('~/features/reports/ReportPage'),
  };
};

/** Screens of balances, accounting and reports. */
export const MONEY_SCREENS: readonly Screen[] = [
  {
    path: '/balances/agency/',
    title: 'common:menu.agencyBalances',
    namespaces: BALANCES,
    roles: may.depositToAgency,
    menu: { icon: IconBuildingStore, group: 'balances' },
    load: () => import('~/features/balances/AgencyBalancesPage'),
  },
  {
    path: '/balances/agent/',
    title: 'common:menu.agentBalances',
    namespaces: BALANCES,
    roles: may.depositToAgent,
    menu: { icon: IconUserDollar, group: 'balances' },
    load: () => import('~/features/balances/AgentBalancesPage'),
  },
  {
    path: '/balances/dealer/',
    title: 'common:menu.dealerBalances',
    namespaces: BALANCES,
    roles: may.depositToDeliveryMan,
    menu: { icon: IconTruckDelivery, group: 'balances' },
    load: () => import('~/features/balances/DealerBalancesPage'),
  },
  {
    path: '/balances/dealer/log/',
    title: 'common:menu.assignedBalances',
    namespaces: BALANCES,
    roles: except(may.listDealerBalanceAssignments, 'manager'),
    menu: { icon: IconCashBanknote, group: 'balances' },
    load: () => import('~/features/balances/AssignedBalancesPage'),
  },
  {
    path: '/balances/movements/',
    title: 'common:menu.movements',
    namespaces: ['entities', 'movements'],
    roles: except(may.listMovements, 'internalAgent', 'deliveryMan'),
    // Agents have no such group; for them the entry is beside debits and operations.
    menu: { icon: IconArrowsExchange, group: 'balances', elsewhere: { externalAgent: 'accounting' } },
    load: () => import('~/features/movements/MovementsPage'),
  },
  {
    path: '/balances/debits/',
    title: 'common:menu.debits',
    namespaces: ['entities', 'debits'],
    roles: may.listDebits,
    menu: { icon: IconReceipt2, group: 'accounting' },
    load: () => import('~/features/debits/DebitsPage'),
  },
  {
    path: '/accounting/closures/',
    title: 'common:menu.closures',
    namespaces: ACCOUNTING,
    roles: may.listClosures,
    menu: { icon: IconLock, group: 'accounting' },
    load: () => import('~/features/accounting/closures/ClosuresPage'),
  },
  {
    path: '/accounting/dealer/closures/',
    title: 'common:menu.dealerClosures',
    namespaces: ACCOUNTING,
    roles: may.listDealerClosings,
    menu: { icon: IconTruckDelivery, group: 'accounting' },
    load: () => import('~/features/accounting/dealers/DealerClosuresPage'),
  },
  {
    path: '/accounting/daily/credit/',
    title: 'common:menu.dailyCredit',
    namespaces: ACCOUNTING,
    roles: except(may.listDailyCredit, 'dealer'),
    menu: { icon: IconCalendarStats, group: 'accounting' },
    load: () => import('~/features/accounting/dealers/DailyCreditPage'),
  },
  {
    path: '/accounting/balances/',
    title: 'common:menu.trialBalance',
    namespaces: ACCOUNTING,
    roles: may.listAccountBalances,
    menu: { icon: IconScale, group: 'accounting' },
    load: () => import('~/features/accounting/ledger/TrialBalancePage'),
  },
  {
    path: '/accounting/balances/real/',
    title: 'common:menu.realBalances',
    namespaces: ACCOUNTING,
    roles: may.listRealBalances,
    menu: { icon: IconZoomMoney, group: 'accounting' },
    load: () => import('~/features/accounting/ledger/RealBalancesPage'),
  },
  {
    path: '/accounting/operations/',
    title: 'common:menu.operations',
    namespaces: ACCOUNTING,
    roles: may.listEntries,
    menu: { icon: IconListDetails, group: 'accounting' },
    load: () => import('~/features/accounting/ledger/OperationsPage'),
  },
  {
    path: '/accounting/sales/',
    title: 'common:menu.sales',
    namespaces: ACCOUNTING,
    roles: may.listSales,
    menu: { icon: IconReportMoney, group: 'accounting' },
    load: () => import('~/features/accounting/sales/SalesPage'),
  },
  {
    path: '/accounting/dealer/sales/',
    title: 'common:menu.dealerSales',
    namespaces: ACCOUNTING,
    roles: may.listDealerSales,
    menu: { icon: IconReportAnalytics, group: 'accounting' },
    load: () => import('~/features/accounting/dealers/DealerSalesPage'),
  },
  ...reportNames.map(reportScreen),
];
