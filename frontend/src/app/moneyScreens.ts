import {
  IconAlertCircle,
  IconArrowsExchange,
  IconBuildingStore,
  IconCalendarStats,
  IconCashBanknote,
  IconClipboardList,
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
import { type Role, SELLERS } from '~/api/roles';
import type { Screen } from './screen';

const MANAGER: readonly Role[] = ['manager'];
const MANAGER_AGENCY: readonly Role[] = ['manager', 'agency'];
const MANAGER_DEALER: readonly Role[] = ['manager', 'dealer'];
/** Roles with debits and closures. */
const ACCOUNTABLE: readonly Role[] = ['manager', 'agency', 'externalAgent'];
/** Roles of the sales reports, which sellers see for their own sales. */
const SALES_REPORTS: readonly Role[] = [...ACCOUNTABLE, 'dealer'];

const BALANCES: Screen['namespaces'] = ['entities', 'balances'];
const ACCOUNTING: Screen['namespaces'] = ['entities', 'accounting'];
const REPORTS: Screen['namespaces'] = ['entities', 'remittances', 'reports'];
const report = () => import('~/features/reports/ReportPage');

/** Screens of balances, accounting and reports; menu visibility by the specification's point 2. */
export const MONEY_SCREENS: readonly Screen[] = [
  {
    path: '/balances/agency/',
    title: 'common:menu.agencyBalances',
    namespaces: BALANCES,
    roles: MANAGER,
    menu: { icon: IconBuildingStore, group: 'balances' },
    load: () => import('~/features/balances/AgencyBalancesPage'),
  },
  {
    path: '/balances/agent/',
    title: 'common:menu.agentBalances',
    namespaces: BALANCES,
    roles: MANAGER_AGENCY,
    menu: { icon: IconUserDollar, group: 'balances' },
    load: () => import('~/features/balances/AgentBalancesPage'),
  },
  {
    path: '/balances/dealer/',
    title: 'common:menu.dealerBalances',
    namespaces: BALANCES,
    roles: MANAGER_DEALER,
    menu: { icon: IconTruckDelivery, group: 'balances' },
    load: () => import('~/features/balances/DealerBalancesPage'),
  },
  {
    path: '/balances/dealer/log/',
    title: 'common:menu.assignedBalances',
    namespaces: BALANCES,
    roles: ['dealer'],
    menu: { icon: IconCashBanknote, group: 'balances' },
    load: () => import('~/features/balances/AssignedBalancesPage'),
  },
  {
    path: '/balances/movements/',
    title: 'common:menu.movements',
    namespaces: ['entities', 'movements'],
    roles: [...ACCOUNTABLE, 'dealer'],
    // Agents have no such group; for them the entry is beside debits and operations.
    menu: { icon: IconArrowsExchange, group: 'balances', elsewhere: { externalAgent: 'accounting' } },
    load: () => import('~/features/movements/MovementsPage'),
  },
  {
    path: '/balances/debits/',
    title: 'common:menu.debits',
    namespaces: ['entities', 'debits'],
    roles: ACCOUNTABLE,
    menu: { icon: IconReceipt2, group: 'accounting' },
    load: () => import('~/features/debits/DebitsPage'),
  },
  {
    path: '/accounting/closures/',
    title: 'common:menu.closures',
    namespaces: ACCOUNTING,
    roles: ACCOUNTABLE,
    menu: { icon: IconLock, group: 'accounting' },
    load: () => import('~/features/accounting/closures/ClosuresPage'),
  },
  {
    path: '/accounting/dealer/closures/',
    title: 'common:menu.dealerClosures',
    namespaces: ACCOUNTING,
    roles: MANAGER,
    menu: { icon: IconTruckDelivery, group: 'accounting' },
    load: () => import('~/features/accounting/dealers/DealerClosuresPage'),
  },
  {
    path: '/accounting/daily/credit/',
    title: 'common:menu.dailyCredit',
    namespaces: ACCOUNTING,
    roles: MANAGER,
    menu: { icon: IconCalendarStats, group: 'accounting' },
    load: () => import('~/features/accounting/dealers/DailyCreditPage'),
  },
  {
    path: '/accounting/balances/',
    title: 'common:menu.trialBalance',
    namespaces: ACCOUNTING,
    roles: SELLERS,
    menu: { icon: IconScale, group: 'accounting' },
    load: () => import('~/features/accounting/ledger/TrialBalancePage'),
  },
  {
    path: '/accounting/balances/real/',
    title: 'common:menu.realBalances',
    namespaces: ACCOUNTING,
    roles: MANAGER,
    menu: { icon: IconZoomMoney, group: 'accounting' },
    load: () => import('~/features/accounting/ledger/RealBalancesPage'),
  },
  {
    path: '/accounting/operations/',
    title: 'common:menu.operations',
    namespaces: ACCOUNTING,
    roles: SELLERS,
    menu: { icon: IconListDetails, group: 'accounting' },
    load: () => import('~/features/accounting/ledger/OperationsPage'),
  },
  {
    path: '/accounting/sales/',
    title: 'common:menu.sales',
    namespaces: ACCOUNTING,
    roles: SELLERS,
    menu: { icon: IconReportMoney, group: 'accounting' },
    load: () => import('~/features/accounting/sales/SalesPage'),
  },
  {
    path: '/accounting/dealer/sales/',
    title: 'common:menu.dealerSales',
    namespaces: ACCOUNTING,
    roles: MANAGER,
    menu: { icon: IconReportAnalytics, group: 'accounting' },
    load: () => import('~/features/accounting/dealers/DealerSalesPage'),
  },
  {
    path: '/reports/addressee/',
    title: 'common:menu.reportAddressee',
    namespaces: REPORTS,
    roles: SALES_REPORTS,
    menu: { icon: IconId, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/agency/',
    title: 'common:menu.reportAgency',
    namespaces: REPORTS,
    roles: SALES_REPORTS,
    menu: { icon: IconBuildingStore, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/history/',
    title: 'common:menu.reportHistory',
    namespaces: REPORTS,
    roles: MANAGER_DEALER,
    menu: { icon: IconHistory, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/attorney/',
    title: 'common:menu.reportAttorney',
    namespaces: REPORTS,
    roles: MANAGER_DEALER,
    menu: { icon: IconUserCheck, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/distributionAgency/',
    title: 'common:menu.reportDistributionAgency',
    namespaces: REPORTS,
    roles: MANAGER_DEALER,
    menu: { icon: IconMapQuestion, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/distributor/',
    title: 'common:menu.reportDistributor',
    namespaces: REPORTS,
    roles: MANAGER_DEALER,
    menu: { icon: IconTruckDelivery, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/distributorShipping/',
    title: 'common:menu.reportDistributorShipping',
    namespaces: REPORTS,
    roles: MANAGER_DEALER,
    menu: { icon: IconClipboardList, group: 'reports' },
    load: report,
  },
  {
    path: '/reports/pendingDistributor/',
    title: 'common:menu.reportPendingDistributor',
    namespaces: REPORTS,
    roles: MANAGER_DEALER,
    menu: { icon: IconAlertCircle, group: 'reports' },
    load: report,
  },
];
