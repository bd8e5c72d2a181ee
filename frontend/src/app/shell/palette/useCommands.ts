import { useMantineColorScheme } from '@mantine/core';
import { type Icon, IconArrowRight, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useListRemittancesQuery, useProfile } from '~/api';
import { endSession } from '~/api/session';
import { formatMoney } from '~/shared/lib/decimal';
import { foldText } from '~/shared/lib/foldText';
import { switchLanguage } from '~/shared/lib/language';
import { useLanguage, useLocale, useTexts } from '~/shared/lib/texts';
import { useDebounced } from '~/shared/lib/useDebounced';
import { SCREENS } from '../../routes';

export interface Command {
  id: string;
  section: string;
  label: string;
  note?: string;
  icon: Icon;
  run: () => void;
}

/** A code is worth asking for from its second character on. */
const SOUGHT_FROM = 2;
const SEARCH_DELAY_MS = 200;
const FOUND = 6;

/** What the palette offers for what is typed: remittances by code or name, screens, acts. */
export function useCommands(typed: string): { commands: Command[]; searching: boolean } {
  const t = useTexts();
  const locale = useLocale();
  const language = useLanguage();
  const navigate = useNavigate();
  const { role } = useProfile();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const sought = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const { currentData, isFetching } = useListRemittancesQuery(
    { query: sought, recordsPerPage: FOUND },
    { skip: sought.length < SOUGHT_FROM },
  );

  const folded = foldText(typed.trim());
  const fits = (label: string) => foldText(label).includes(folded);
  const screens = SCREENS.filter((screen) => screen.roles.includes(role) && !/:\w+$/.test(screen.path)).map(
    (screen) => ({
      id: screen.path,
      section: t('common:palette.goTo'),
      label: t(screen.title),
      icon: screen.menu?.icon ?? screen.icon ?? IconArrowRight,
      // An optional part of an address is left out.
      run: () => void navigate(screen.path.replace(/\/:\w+\?$/, '')),
    }),
  );
  const dark = colorScheme === 'dark';
  const acts: Command[] = [
    {
      id: 'theme',
      section: t('common:palette.acts'),
      label: dark ? t('common:palette.light') : t('common:palette.dark'),
      icon: dark ? IconSun : IconMoon,
      run: () => setColorScheme(dark ? 'light' : 'dark'),
    },
    {
      id: 'language',
      section: t('common:palette.acts'),
      label: language === 'es' ? 'English' : 'Español',
      icon: IconLanguage,
      run: () => void switchLanguage(language === 'es' ? 'en' : 'es'),
    },
    {
      id: 'logout',
      section: t('common:palette.acts'),
      label: t('common:user.logout'),
      icon: IconLogout,
      run: () => void endSession(),
    },
  ];
  const remittances: Command[] =
    sought.length < SOUGHT_FROM
      ? []
      : (currentData?.data ?? []).map((row) => ({
          id: row.id,
          section: t('common:menu.remittances'),
          label: [row.code, row.recipient.name].filter(Boolean).join(' · '),
          note: `${formatMoney(row.payout, locale)} ${row.currencyTo}`,
          icon: IconArrowRight,
          run: () => void navigate(`/invoice/list/?query=${row.code}&open=${row.id}`),
        }));
  const named = [...screens, ...acts].filter(({ label }) => fits(label));
  return { commands: [...named, ...remittances], searching: isFetching };
}
