import { NavLink as MantineNavLink } from '@mantine/core';
import { NavLink } from 'react-router';
import { useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { SCREENS } from '../routes';
import classes from './MainMenu.module.css';

/** The menu of the screens that the reader's role may open. */
export function MainMenu({ onChoose }: { onChoose: () => void }) {
  const t = useTexts();
  const { role } = useProfile();
  return (
    <nav aria-label={t('common:shell.menu')}>
      {SCREENS.filter((screen) => screen.menu && screen.roles.includes(role)).map((screen) => {
        const Sign = screen.menu?.icon;
        return (
          <NavLink key={screen.path} to={screen.path} className={classes.wrap} onClick={onChoose}>
            {({ isActive }) => (
              <MantineNavLink
                component="span"
                active={isActive}
                label={t(screen.title)}
                leftSection={Sign && <Sign size={19} stroke={1.7} aria-hidden />}
                className={classes.link}
              />
            )}
          </NavLink>
        );
      })}
    </nav>
  );
}
