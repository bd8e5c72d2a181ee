import { NavLink as MantineNavLink, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { NavLink, useLocation, useMatches } from 'react-router';
import { type Role, useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { groupOf, MENU_GROUPS, SCREENS } from '../routes';
import type { MenuGroup, Screen } from '../screen';
import classes from './MainMenu.module.css';

function entries(role: Role, group: MenuGroup | undefined): Screen[] {
  return SCREENS.filter(
    ({ menu, roles }) => menu && (menu.elsewhere?.[role] ?? menu.group) === group && roles.includes(role),
  );
}

/** Whether another entry's address extends this one: then this one is not the current. */
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
  const title = t(screen.title);
  return (
    <NavLink to={screen.path} end={isAbove(screen)} className={classes.wrap} title={title} onClick={onChoose}>
      {({ isActive }) => (
        <MantineNavLink
          component="span"
          active={isActive}
          noWrap
          label={title}
          leftSection={Sign && <Sign size={inner ? 17 : 19} stroke={1.7} aria-hidden />}
          className={inner ? `${classes.link} ${classes.inner}` : classes.link}
        />
      )}
    </NavLink>
  );
}

interface GroupProps {
  title: string;
  icon: Icon;
  inside: Screen[];
  /** Whether one of its screens is open. */
  here: boolean;
  onChoose: () => void;
}

function Group({ title, icon: Sign, inside, here, onChoose }: GroupProps) {
  const [opened, setOpened] = useState(here);
  return (
    <MantineNavLink
      component="button"
      label={title}
      noWrap
      leftSection={<Sign size={19} stroke={1.7} aria-hidden />}
      className={classes.link}
      opened={opened}
      onChange={setOpened}
      aria-expanded={opened}
      childrenOffset={4}
    >
      {inside.map((screen) => (
        <Entry key={screen.path} screen={screen} inner onChoose={onChoose} />
      ))}
    </MantineNavLink>
  );
}

/** Icon only, in the rail. */
function RailEntry({ screen }: { screen: Screen }) {
  const t = useTexts();
  const Sign = screen.menu?.icon;
  const title = t(screen.title);
  return (
    <Tooltip label={title} position="right" withArrow>
      <NavLink to={screen.path} end={isAbove(screen)} aria-label={title} className={classes.rail}>
        {Sign && <Sign size={21} stroke={1.7} aria-hidden />}
      </NavLink>
    </Tooltip>
  );
}

/** Icon only; its entries open beside it. */
function RailGroup({ title, icon: Sign, inside, here }: Omit<GroupProps, 'onChoose'>) {
  const t = useTexts();
  return (
    <Menu position="right-start" shadow="md">
      <Menu.Target>
        <UnstyledButton
          title={title}
          className={classes.rail}
          aria-label={title}
          aria-current={here ? 'true' : undefined}
        >
          <Sign size={21} stroke={1.7} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{title}</Menu.Label>
        {inside.map((screen) => {
          const Inner = screen.menu?.icon;
          return (
            <Menu.Item
              key={screen.path}
              component={NavLink}
              to={screen.path}
              leftSection={Inner && <Inner size={17} stroke={1.7} aria-hidden />}
            >
              {t(screen.title)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

interface MainMenuProps {
  /** Icons only. */
  rail: boolean;
  onChoose: () => void;
}

/** Menu of the screens that the reader's role may open. */
export function MainMenu({ rail, onChoose }: MainMenuProps) {
  const t = useTexts();
  const { role } = useProfile();
  const { pathname } = useLocation();
  const here = groupOf(useMatches().at(-1)?.handle as Screen | undefined, role);
  const nav = useRef<HTMLElement>(null);
  // Keeps the current entry in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is another entry
  useEffect(() => {
    const entry = nav.current?.querySelector('[aria-current]');
    // A telephone's closed menu is outside of the window: scrolling to it would scroll the screen.
    if (entry && entry.getBoundingClientRect().right > 0) entry.scrollIntoView?.({ block: 'nearest' });
  }, [pathname, rail]);
  return (
    <nav ref={nav} aria-label={t('common:shell.menu')}>
      {entries(role, undefined).map((screen) =>
        rail ? (
          <RailEntry key={screen.path} screen={screen} />
        ) : (
          <Entry key={screen.path} screen={screen} onChoose={onChoose} />
        ),
      )}
      {MENU_GROUPS.map(({ group, title, icon }) => {
        const inside = entries(role, group);
        if (inside.length === 0) return null;
        const given = { title: t(title), icon, inside, here: here === group };
        return rail ? (
          <RailGroup key={group} {...given} />
        ) : (
          <Group key={`${group}-${here === group}`} {...given} onChoose={onChoose} />
        );
      })}
    </nav>
  );
}
