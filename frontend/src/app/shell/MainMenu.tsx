import { NavLink as MantineNavLink } from '@mantine/core';
import { NavLink, useMatches } from 'react-router';
import { type Role, useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { groupOf, MENU_GROUPS, type MenuGroup, SCREENS, type Screen } from '../routes';
import classes from './MainMenu.module.css';

function entries(role: Role, group: MenuGroup | undefined): Screen[] {
  return SCREENS.filter(
    ({ menu, roles }) => menu && (menu.elsewhere?.[role] ?? menu.group) === group && roles.includes(role),
  );
}

/** Whether another entry's address begins with its own: then it is not where one is. */
const isAbove = ({ path }: Screen) =>
  SCREENS.some((other) => other.menu && other.path !== path && other.path.startsWith(path));

interface EntryProps {
  screen: Screen;
  inner?: boolean;
  onChoose: () => void;
}

function Entry({ screen, inner, onChoose }: EntryProps) {
  const t = useTexts();
  const Sign = screen.menu?.icon;
  return (
    <NavLink to={screen.path} end={isAbove(screen)} className={classes.wrap} onClick={onChoose}>
      {({ isActive }) => (
        <MantineNavLink
          component="span"
          active={isActive}
          label={t(screen.title)}
          leftSection={Sign && <Sign size={inner ? 17 : 19} stroke={1.7} aria-hidden />}
          className={classes.link}
        />
      )}
    </NavLink>
  );
}

/** The menu of the screens that the reader's role may open. */
export function MainMenu({ onChoose }: { onChoose: () => void }) {
  const t = useTexts();
  const { role } = useProfile();
  const here = groupOf(useMatches().at(-1)?.handle as Screen | undefined, role);
  return (
    <nav aria-label={t('common:shell.menu')}>
      {entries(role, undefined).map((screen) => (
        <Entry key={screen.path} screen={screen} onChoose={onChoose} />
      ))}
      {MENU_GROUPS.map(({ group, title, icon: Sign }) => {
        const inside = entries(role, group);
        if (inside.length === 0) return null;
        return (
          <MantineNavLink
            component="button"
            label={t(title)}
            leftSection={<Sign size={19} stroke={1.7} aria-hidden />}
            className={classes.link}
            key={`${group}-${here === group}`}
            defaultOpened={here === group}
            childrenOffset={14}
          >
            {inside.map((screen) => (
              <Entry key={screen.path} screen={screen} inner onChoose={onChoose} />
            ))}
          </MantineNavLink>
        );
      })}
    </nav>
  );
}
