import { Anchor, Breadcrumbs, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { groupOf, MENU_GROUPS, screenAt } from '../routes';
import type { Screen } from '../screen';

/** Breadcrumbs of a screen: group, parent, itself. Nothing for a screen without group and parent. */
export function Crumbs({ screen }: { screen: Screen }) {
  const t = useTexts();
  const { role } = useProfile();
  const above: Screen[] = [];
  for (let at = screen.parent; at; ) {
    const parent = screenAt(at);
    if (!parent || above.includes(parent)) break;
    above.unshift(parent);
    at = parent.parent;
  }
  const group = MENU_GROUPS.find((one) => one.group === groupOf(screen, role));
  if (!group && above.length === 0) return null;
  return (
    <nav aria-label={t('common:shell.crumbs')}>
      <Breadcrumbs mb={6} separatorMargin={6}>
        {group && (
          <Text size="sm" c="dimmed">
            {t(group.title)}
          </Text>
        )}
        {above.map((one) => (
          <Anchor key={one.path} component={Link} to={one.path} size="sm">
            {t(one.title)}
          </Anchor>
        ))}
        <Text size="sm" aria-current="page">
          {t(screen.title)}
        </Text>
      </Breadcrumbs>
    </nav>
  );
}
