import { type Icon, IconPlus, IconReceipt } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { ALL_ROLES, type Role, SELLERS } from '~/api/roles';
import type { Namespace, TextKey } from '~/shared/lib/texts';

export interface Screen {
  path: string;
  title: TextKey;
  namespaces: readonly Namespace[];
  roles: readonly Role[];
  menu?: { icon: Icon };
  load: () => Promise<{ default: ComponentType }>;
}

/** Where a login leads. */
export const LANDING = '/invoice/list/';

/** Every screen behind the login: the router, the menu and the titles are made of this. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/invoice/list/',
    title: 'common:menu.remittances',
    namespaces: ['remittances'],
    roles: ALL_ROLES,
    menu: { icon: IconReceipt },
    load: () => import('~/features/remittances/RemittancesPage'),
  },
  {
    path: '/invoice/new/',
    title: 'common:menu.newRemittance',
    namespaces: ['remittances'],
    roles: SELLERS,
    menu: { icon: IconPlus },
    load: () => import('~/features/remittances/create/NewRemittancePage'),
  },
];
