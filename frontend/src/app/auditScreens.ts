import {
  IconCertificate,
  IconChartLine,
  IconListSearch,
  IconShieldCheck,
  IconShieldX,
} from '@tabler/icons-react';
import type { Role } from '~/api/roles';
import type { Screen } from './screen';

const MANAGER: readonly Role[] = ['manager'];
const AUDIT: Screen['namespaces'] = ['entities', 'audit'];

/** The auditor's screens. */
export const AUDIT_SCREENS: readonly Screen[] = [
  {
    path: '/audit/events/',
    title: 'common:menu.auditEvents',
    namespaces: AUDIT,
    roles: MANAGER,
    menu: { icon: IconListSearch, group: 'audit' },
    load: () => import('~/features/audit/EventsPage'),
  },
  {
    path: '/audit/events/:position',
    title: 'common:menu.auditEvent',
    namespaces: AUDIT,
    roles: MANAGER,
    parent: '/audit/events/',
    load: () => import('~/features/audit/EventPage'),
  },
  {
    path: '/audit/record/:kind/:id',
    title: 'common:menu.auditRecord',
    namespaces: AUDIT,
    roles: MANAGER,
    parent: '/audit/events/',
    load: () => import('~/features/audit/RecordPage'),
  },
  {
    path: '/audit/account/',
    title: 'common:menu.auditAccount',
    namespaces: AUDIT,
    roles: MANAGER,
    menu: { icon: IconChartLine, group: 'audit' },
    load: () => import('~/features/audit/AccountPage'),
  },
  {
    path: '/audit/verification/',
    title: 'common:menu.auditVerification',
    namespaces: AUDIT,
    roles: MANAGER,
    menu: { icon: IconShieldCheck, group: 'audit' },
    load: () => import('~/features/audit/VerificationPage'),
  },
  {
    path: '/audit/checkpoints/',
    title: 'common:menu.auditCheckpoints',
    namespaces: AUDIT,
    roles: MANAGER,
    menu: { icon: IconCertificate, group: 'audit' },
    load: () => import('~/features/audit/CheckpointsPage'),
  },
  {
    path: '/audit/quarantine/',
    title: 'common:menu.auditQuarantine',
    namespaces: AUDIT,
    roles: MANAGER,
    menu: { icon: IconShieldX, group: 'audit' },
    load: () => import('~/features/audit/QuarantinePage'),
  },
];
