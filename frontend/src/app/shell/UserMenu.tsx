import {
  ActionIcon,
  Button,
  Divider,
  Group,
  Popover,
  SegmentedControl,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { IconDeviceDesktop, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useProfile } from '~/api';
import { PartyAvatar } from '~/entities/parties/PartyAvatar';
import { switchLanguage } from '~/shared/lib/language';
import { LANGUAGES, useLanguage, useTexts } from '~/shared/lib/texts';
import { screenAt, USER_SCREENS } from '../routes';
import { BalanceFacts } from './BalanceBar';
import classes from './UserMenu.module.css';
import { useLogOut } from './useLogOut';

const SCHEMES = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconDeviceDesktop },
] as const;

/** User menu: profile, theme, logout. */
export function UserMenu() {
  const t = useTexts();
  const profile = useProfile();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [opened, setOpened] = useState(false);
  // Outside of the menu, which closes on outside clicks.
  const { leave, dialog } = useLogOut();
  const screens = USER_SCREENS.flatMap((path) => screenAt(path) ?? []).filter((screen) =>
    screen.roles.includes(profile.role),
  );
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={296} trapFocus shadow="md">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            radius="xl"
            onClick={() => setOpened((before) => !before)}
          >
            <PartyAvatar name={profile.name} picture={profile.profilePicture} />
            <VisuallyHidden>{t('common:user.menu', { name: profile.name })}</VisuallyHidden>
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={4} aria-label={t('common:user.menu', { name: profile.name })}>
          <div className={classes.who}>
            <Text fw={650} lh={1.25}>
              {profile.name}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {profile.email}
            </Text>
            <Text size="xs" c="dimmed">
              {t(`common:roles.${profile.role}`)}
              {profile.agencyName && profile.agencyName !== profile.name ? ` · ${profile.agencyName}` : ''}
            </Text>
          </div>
          <div className={`${classes.narrow} ${classes.balance}`}>
            <BalanceFacts />
          </div>
          <Divider my={4} />
          {screens.map((screen) => {
            const Sign = screen.menu?.icon ?? screen.icon;
            return (
              <Button
                key={screen.path}
                component={Link}
                to={screen.path}
                variant="subtle"
                color="gray"
                fullWidth
                justify="flex-start"
                h={40}
                px={12}
                leftSection={Sign && <Sign size={17} aria-hidden />}
                onClick={() => setOpened(false)}
              >
                {t(screen.title)}
              </Button>
            );
          })}
          {screens.length > 0 && <Divider my={4} />}
          <Text size="xs" c="dimmed" px={12} py={4}>
            {t('common:user.theme')}
          </Text>
          <div className={classes.choice}>
            <SegmentedControl
              fullWidth
              size="sm"
              aria-label={t('common:user.theme')}
              value={colorScheme}
              onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
              data={SCHEMES.map(({ value, icon: Sign }) => ({
                value,
                label: (
                  <Group gap={6} justify="center" wrap="nowrap">
                    <Sign size={15} aria-hidden />
                    <span>{t(`common:user.themes.${value}`)}</span>
                  </Group>
                ),
              }))}
            />
          </div>
          <div className={classes.narrow}>
            <Text size="xs" c="dimmed" px={12} py={4}>
              {t('common:user.language')}
            </Text>
            <div className={classes.choice}>
              <SegmentedControl
                fullWidth
                size="sm"
                aria-label={t('common:user.language')}
                value={language}
                onChange={(value) => void switchLanguage(LANGUAGES.find((one) => one === value) ?? 'es')}
                data={[
                  { value: 'es', label: 'Español' },
                  { value: 'en', label: 'English' },
                ]}
              />
            </div>
          </div>
          <Divider my={4} />
          <Button
            variant="subtle"
            color="gray"
            fullWidth
            justify="flex-start"
            h={44}
            px={12}
            leftSection={<IconLogout size={17} aria-hidden />}
            onClick={() => {
              setOpened(false);
              void leave();
            }}
          >
            {t('common:user.logout')}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {dialog}
    </>
  );
}
