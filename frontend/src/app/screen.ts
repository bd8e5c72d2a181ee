import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Role } from '~/api/roles';
import type { Namespace, TextKey } from '~/shared/lib/texts';

export type MenuGroup = 'balances' | 'accounting' | 'reports' | 'audit' | 'nomenclators' | 'settings';

/** A screen behind the login, as router, menu, palette and titles know it. */
export interface Screen {
  path: string;
  /** Further addresses of the same screen. */
  aliases?: readonly string[];
  title: TextKey;
  namespaces: readonly Namespace[];
  /** Who sees it: the roles that may make its call, or fewer of them. */
  roles: readonly Role[];
  /** Its entry in the menu; `elsewhere` for roles that have no such group. */
  menu?: { icon: Icon; group?: MenuGroup; elsewhere?: Partial<Record<Role, MenuGroup>> };
  /** Shown in the palette, and found in the user menu. */
  icon?: Icon;
  /** The screen that this one belongs below. */
  parent?: string;
  load: () => Promise<{ default: ComponentType }>;
}
