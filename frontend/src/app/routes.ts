import {
  type Icon,
  IconBuildingStore,
  IconCalculator,
  IconCash,
  IconCoins,
  IconCreditCardPay,
  IconDevices,
  IconHome,
  IconId,
  IconKey,
  IconLock,
  IconMap2,
  IconMapPin,
  IconMoped,
  IconPercentage,
  IconPlus,
  IconReceipt,
  IconReportAnalytics,
  IconScale,
  IconSettings,
  IconShieldCheck,
  IconTruckDelivery,
  IconUserCircle,
  IconUserDollar,
  IconUserShare,
  IconUsers,
  IconVocabulary,
  IconWebhook,
} from '@tabler/icons-react';
import * as may from '~/api/policy';
import type { Role } from '~/api/roles';
import { except } from '~/api/roles';
import type { TextKey } from '~/shared/lib/texts';
import { AUDIT_SCREENS } from './auditScreens';
import { MONEY_SCREENS } from './moneyScreens';
import type { MenuGroup, Screen } from './screen';

/** Menu groups, after the single entries. */
export const MENU_GROUPS: readonly { group: MenuGroup; title: TextKey; icon: Icon }[] = [
  { group: 'balances', title: 'common:menu.balances', icon: IconScale },
  { group: 'accounting', title: 'common:menu.accounting', icon: IconCalculator },
  { group: 'reports', title: 'common:menu.reports', icon: IconReportAnalytics },
  { group: 'audit', title: 'common:menu.audit', icon: IconShieldCheck },
  { group: 'nomenclators', title: 'common:menu.nomenclators', icon: IconVocabulary },
  { group: 'settings', title: 'common:menu.settings', icon: IconSettings },
];

/** All screens behind the login, from which router, menu, palette and titles derive. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/home',
    title: 'common:menu.home',
    namespaces: ['entities', 'dashboard'],
    roles: may.getAttention,
    menu: { icon: IconHome },
    load: () => import('~/features/dashboard/HomePage'),
  },
  {
    path: '/invoice/list/',
    title: 'common:menu.remittances',
    namespaces: ['entities', 'remittances'],
    roles: may.listRemittances,
    menu: { icon: IconReceipt },
    load: () => import('~/features/remittances/RemittancesPage'),
  },
  {
    path: '/invoice/new/',
    title: 'common:menu.newRemittance',
    namespaces: ['entities', 'remittances'],
    roles: may.createRemittance,
    menu: { icon: IconPlus },
    parent: '/invoice/list/',
    load: () => import('~/features/remittances/create/NewRemittancePage'),
  },
  {
    path: '/invoice/transfers/',
    title: 'common:menu.transfers',
    namespaces: ['entities', 'remittances'],
    roles: may.listRemittances,
    menu: { icon: IconCreditCardPay },
    load: () => import('~/features/remittances/transfers/TransfersPage'),
  },
  {
    path: '/delivery/',
    title: 'common:menu.delivery',
    namespaces: ['entities', 'delivery'],
    roles: except(may.listDealerDesk, 'manager'),
    menu: { icon: IconMoped },
    load: () => import('~/features/delivery/DeliveryPage'),
  },
  {
    path: '/delivery/disputes/',
    title: 'common:menu.disputes',
    namespaces: ['entities', 'disputes'],
    roles: may.listDeliveryDisputes,
    menu: { icon: IconScale },
    load: () => import('~/features/disputes/DisputesPage'),
  },
  {
    path: '/agencies/list',
    title: 'common:menu.agencies',
    namespaces: ['entities', 'agencies'],
    roles: may.createAgency,
    menu: { icon: IconBuildingStore },
    load: () => import('~/features/agencies/AgenciesPage'),
  },
  {
    path: '/agencies/new',
    title: 'common:menu.newAgency',
    namespaces: ['entities', 'agencies'],
    roles: may.createAgency,
    icon: IconPlus,
    parent: '/agencies/list',
    load: () => import('~/features/agencies/AgencyPage'),
  },
  {
    path: '/agencies/new/:id',
    title: 'common:menu.agency',
    // Deposits and payments use the texts of the balances.
    namespaces: ['entities', 'balances', 'agencies'],
    roles: may.updateAgency,
    parent: '/agencies/list',
    load: () => import('~/features/agencies/AgencyPage'),
  },
  {
    path: '/agent/list',
    title: 'common:menu.agents',
    namespaces: ['entities', 'agents'],
    roles: may.listAgents,
    menu: { icon: IconUserDollar },
    load: () => import('~/features/agents/AgentsPage'),
  },
  {
    path: '/agent/new/:agencyId?',
    title: 'common:menu.newAgent',
    namespaces: ['entities', 'agents'],
    roles: may.createAgent,
    icon: IconPlus,
    parent: '/agent/list',
    load: () => import('~/features/agents/NewAgentPage'),
  },
  {
    path: '/agent/form/:id',
    title: 'common:menu.agent',
    namespaces: ['entities', 'agents'],
    roles: may.updateAgent,
    parent: '/agent/list',
    load: () => import('~/features/agents/AgentPage'),
  },
  {
    path: '/issuers/list',
    aliases: ['/issuers'],
    title: 'common:menu.issuers',
    namespaces: ['entities', 'issuers'],
    roles: may.listSenders,
    menu: { icon: IconUserShare },
    load: () => import('~/features/issuers/IssuersPage'),
  },
  {
    path: '/recipients',
    title: 'common:menu.recipients',
    namespaces: ['entities', 'recipients'],
    roles: may.listRecipients,
    menu: { icon: IconId },
    load: () => import('~/features/recipients/RecipientsPage'),
  },
  {
    path: '/dealers',
    title: 'common:menu.dealers',
    namespaces: ['entities', 'dealers'],
    roles: may.listDealers,
    menu: { icon: IconTruckDelivery },
    load: () => import('~/features/dealers/DealersPage'),
  },
  ...MONEY_SCREENS,
  ...AUDIT_SCREENS,
  {
    path: '/nomenclators/rates/',
    title: 'common:menu.rates',
    namespaces: ['entities', 'nomenclators'],
    roles: may.listTodaysRates,
    menu: { icon: IconPercentage, group: 'nomenclators' },
    load: () => import('~/features/nomenclators/rates/RatesPage'),
  },
  {
    path: '/nomenclators/currencies/',
    title: 'common:menu.currencies',
    namespaces: ['entities', 'nomenclators'],
    roles: may.updateCurrency,
    menu: { icon: IconCoins, group: 'nomenclators' },
    load: () => import('~/features/nomenclators/CurrenciesPage'),
  },
  {
    path: '/nomenclators/payments/groups/',
    title: 'common:menu.paymentGroups',
    namespaces: ['entities', 'nomenclators'],
    roles: may.updatePaymentGroup,
    menu: { icon: IconCash, group: 'nomenclators' },
    load: () => import('~/features/nomenclators/PaymentGroupsPage'),
  },
  {
    path: '/nomenclators/agency/groups/',
    title: 'common:menu.agencyGroups',
    namespaces: ['entities', 'nomenclators'],
    roles: may.updatePaymentGroup,
    icon: IconCash,
    parent: '/nomenclators/payments/groups/',
    load: () => import('~/features/nomenclators/AgencyGroupsPage'),
  },
  {
    path: '/nomenclators/agent/group/',
    title: 'common:menu.agentGroups',
    namespaces: ['entities', 'nomenclators'],
    roles: may.updatePaymentGroup,
    icon: IconCash,
    parent: '/nomenclators/payments/groups/',
    load: () => import('~/features/nomenclators/AgentGroupsPage'),
  },
  {
    path: '/nomenclators/province/',
    title: 'common:menu.provinces',
    namespaces: ['entities', 'nomenclators'],
    roles: may.updateProvince,
    menu: { icon: IconMap2, group: 'nomenclators' },
    load: () => import('~/features/nomenclators/ProvincesPage'),
  },
  {
    path: '/nomenclators/municipality/',
    title: 'common:menu.municipalities',
    namespaces: ['entities', 'nomenclators'],
    roles: may.updateMunicipality,
    menu: { icon: IconMapPin, group: 'nomenclators' },
    load: () => import('~/features/nomenclators/MunicipalitiesPage'),
  },
  {
    path: '/users/list/',
    title: 'common:menu.users',
    namespaces: ['entities', 'users'],
    roles: may.listUsers,
    menu: { icon: IconUsers, group: 'settings' },
    load: () => import('~/features/users/UsersPage'),
  },
  {
    path: '/users/form/:id?',
    title: 'common:menu.userForm',
    namespaces: ['entities', 'users'],
    roles: may.updateUser,
    parent: '/users/list/',
    load: () => import('~/features/users/UserFormPage'),
  },
  {
    path: '/users/keys/',
    title: 'common:menu.keys',
    namespaces: ['entities', 'keys'],
    roles: may.listApiKeys,
    menu: { icon: IconKey, group: 'settings' },
    load: () => import('~/features/keys/KeysPage'),
  },
  {
    path: '/users/webhooks/',
    title: 'common:menu.webhooks',
    namespaces: ['entities', 'webhooks'],
    roles: may.listWebhooks,
    menu: { icon: IconWebhook, group: 'settings' },
    load: () => import('~/features/webhooks/WebhooksPage'),
  },
  {
    path: '/users/sessions/',
    title: 'common:menu.sessions',
    namespaces: ['entities', 'users'],
    roles: may.listSessions,
    menu: { icon: IconDevices, group: 'settings' },
    load: () => import('~/features/users/SessionsPage'),
  },
  {
    path: '/users/list/sessions/:id',
    title: 'common:menu.sessions',
    namespaces: ['entities', 'users'],
    roles: may.listUsers,
    parent: '/users/list/',
    load: () => import('~/features/users/SessionsPage'),
  },
  {
    path: '/users/password/change/',
    title: 'common:menu.changePassword',
    namespaces: ['entities', 'users'],
    roles: may.changePassword,
    menu: { icon: IconLock, group: 'settings' },
    load: () => import('~/features/users/ChangePasswordPage'),
  },
  {
    path: '/users/profile/',
    title: 'common:menu.profile',
    namespaces: ['entities', 'users'],
    roles: may.getProfile,
    icon: IconUserCircle,
    load: () => import('~/features/users/ProfilePage'),
  },
  {
    path: '/users/utilities/',
    title: 'common:menu.utilities',
    namespaces: ['entities', 'users'],
    roles: except(may.setAgentTerms, 'manager'),
    icon: IconCoins,
    load: () => import('~/features/users/UtilitiesPage'),
  },
];

/** Screens of the user menu, beside theme, language and logout. */
export const USER_SCREENS = ['/users/profile/', '/users/utilities/', '/users/password/change/'] as const;

/** Menu group of a screen for a role, by itself or by its parent. */
export function groupOf(screen: Screen | undefined, role: Role): MenuGroup | undefined {
  if (!screen) return undefined;
  const own = screen.menu?.elsewhere?.[role] ?? screen.menu?.group;
  return own ?? (screen.parent ? groupOf(screenAt(screen.parent), role) : undefined);
}

/** A screen by its listed address. */
export function screenAt(path: string): Screen | undefined {
  return SCREENS.find((screen) => screen.path === path);
}
