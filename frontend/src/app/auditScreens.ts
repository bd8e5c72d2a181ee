import {
  IconCertificate,
  IconChartLine,
  IconClockExclamation,
  IconEye,
  IconListSearch,
  IconShieldCheck,
  IconShieldX,
} from '@tabler/icons-react';
import * as may from '~/api/policy';
import type { Screen } from './screen';

const AUDIT: Screen['namespaces'] = ['entities', 'audit'];

/** The auditor's screens. */
export const AUDIT_SCREENS: readonly Screen[] = [
  {
    path: '/audit/events/',
    title: 'common:menu.auditEvents',
    namespaces: AUDIT,
    roles: may.listAuditEvents,
    menu: { icon: IconListSearch, group: 'audit' },
    load: () => import('~/features/audit/EventsPage'),
  },
  {
    path: '/audit/events/:position',
    title: 'common:menu.auditEvent',
    namespaces: AUDIT,
    roles: may.getAuditEvent,
    parent: '/audit/events/',
    load: () => import('~/features/audit/EventPage'),
  },
  {
    path: '/audit/record/:kind/:id',
    title: 'common:menu.auditRecord',
    namespaces: AUDIT,
    roles: may.getTimeline,
    parent: '/audit/events/',
    load: () => import('~/features/audit/RecordPage'),
  },
  {
    path: '/audit/account/',
    title: 'common:menu.auditAccount',
    namespaces: AUDIT,
    roles: may.listAuditEvents,
    menu: { icon: IconChartLine, group: 'audit' },
    load: () => import('~/features/audit/AccountPage'),
  },
  {
    path: '/audit/late/',
    title: 'common:menu.auditLate',
    namespaces: AUDIT,
    roles: may.listLateChanges,
    menu: { icon: IconClockExclamation, group: 'audit' },
    load: () => import('~/features/audit/LatePage'),
  },
  {
    path: '/audit/readings/',
    title: 'common:menu.auditReadings',
    namespaces: AUDIT,
    roles: may.listReadings,
    menu: { icon: IconEye, group: 'audit' },
    load: () => import('~/features/audit/ReadingsPage'),
  },
  {
    path: '/audit/verification/',
    title: 'common:menu.auditVerification',
    namespaces: AUDIT,
    roles: may.getVerification,
    menu: { icon: IconShieldCheck, group: 'audit' },
    load: () => import('~/features/audit/VerificationPage'),
  },
  {
    path: '/audit/checkpoints/',
    title: 'common:menu.auditCheckpoints',
    namespaces: AUDIT,
    roles: may.listCheckpoints,
    menu: { icon: IconCertificate, group: 'audit' },
    load: () => import('~/features/audit/CheckpointsPage'),
  },
  {
    path: '/audit/quarantine/',
    title: 'common:menu.auditQuarantine',
    namespaces: AUDIT,
    roles: may.getQuarantine,
    menu: { icon: IconShieldX, group: 'audit' },
    load: () => import('~/features/audit/QuarantinePage'),
  },
];
