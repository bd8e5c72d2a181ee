import { useMantineColorScheme } from '@mantine/core';
import { type Icon, IconArrowRight, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import {
  DEALER_TYPE,
  may,
  useListAgenciesQuery,
  useListAgentsQuery,
  useListDealersQuery,
  useListMovementsQuery,
  useListRecipientsQuery,
  useListRemittancesQuery,
  useListSendersQuery,
  useProfile,
} from '~/api';
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

/** Minimum characters for searching a code. */
const SOUGHT_FROM = 2;
const SEARCH_DELAY_MS = 200;
const FOUND = 6;

/** Commands for a typed text: remittances by code or name, screens, acts. */
export function useCommands(typed: string, logOut: () => void): { commands: Command[]; searching: boolean } {
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

  const found = useFound(sought);

  const folded = foldText(typed.trim());
  const fits = (label: string) => foldText(label).includes(folded);
  const screens = SCREENS.filter((screen) => screen.roles.includes(role) && !/:\w+$/.test(screen.path)).map(
    (screen) => ({
      id: screen.path,
      section: t('entities:palette.goTo'),
      label: t(screen.title),
      icon: screen.menu?.icon ?? screen.icon ?? IconArrowRight,
      // Optional address parts are omitted.
      run: () => void navigate(screen.path.replace(/\/:\w+\?$/, '')),
    }),
  );
  const dark = colorScheme === 'dark';
  const acts: Command[] = [
    {
      id: 'theme',
      section: t('entities:palette.acts'),
      label: dark ? t('entities:palette.light') : t('entities:palette.dark'),
      icon: dark ? IconSun : IconMoon,
      run: () => setColorScheme(dark ? 'light' : 'dark'),
    },
    {
      id: 'language',
      section: t('entities:palette.acts'),
      label: language === 'es' ? 'English' : 'Español',
      icon: IconLanguage,
      run: () => void switchLanguage(language === 'es' ? 'en' : 'es'),
    },
    {
      id: 'logout',
      section: t('entities:palette.acts'),
      label: t('common:user.logout'),
      icon: IconLogout,
      run: logOut,
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
  return {
    commands: [...named, ...remittances, ...found.commands],
    searching: isFetching || found.searching,
  };
}

/** Agencies, agents, dealers, issuers, recipients and movements that match, within the reader's scope. */
function useFound(sought: string): { commands: Command[]; searching: boolean } {
  const t = useTexts();
  const navigate = useNavigate();
  const { role } = useProfile();
  const short = sought.length < SOUGHT_FROM;
  const asked = { query: sought, recordsPerPage: FOUND };
  const agencies = useListAgenciesQuery(asked, { skip: short || !may.updateAgency.includes(role) });
  const agents = useListAgentsQuery(asked, { skip: short || !may.updateAgent.includes(role) });
  const dealers = useListDealersQuery(asked, { skip: short || !may.listDealers.includes(role) });
  const senders = useListSendersQuery(
    { name: sought, recordsPerPage: FOUND },
    { skip: short || !may.listSenders.includes(role) },
  );
  const recipients = useListRecipientsQuery(
    { name: sought, recordsPerPage: FOUND },
    { skip: short || !may.listRecipients.includes(role) },
  );
  const movements = useListMovementsQuery(asked, { skip: short });
  // A single dealer is answered only when an id is given.
  const dealerPage = dealers.currentData && 'data' in dealers.currentData ? dealers.currentData : undefined;
  const command = (id: string, section: string, label: string, to: string): Command => ({
    id,
    section,
    label,
    icon: IconArrowRight,
    run: () => void navigate(to),
  });
  const named = (name: string) => encodeURIComponent(name);
  const commands = short
    ? []
    : [
        ...(agencies.currentData?.data ?? []).map(({ id, name }) =>
          command(id, t('common:menu.agencies'), name, `/agencies/new/${id}/`),
        ),
        ...(agents.currentData?.data ?? []).map(({ id, name }) =>
          command(id, t('common:menu.agents'), name, `/agent/form/${id}`),
        ),
        // Delivery men have a tab of their own.
        ...(dealerPage?.data ?? []).map(({ id, name, type }) =>
          command(
            id,
            t('common:menu.dealers'),
            name,
            `/dealers?${type === DEALER_TYPE.deliveryMan && may.createDealer.includes(role) ? 'type=1&' : ''}query=${named(name)}&open=${id}`,
          ),
        ),
        ...(senders.currentData?.data ?? []).map(({ id, fullName }) =>
          command(
            id,
            t('common:menu.issuers'),
            fullName ?? id,
            `/issuers/list?query=${named(fullName ?? '')}&open=${id}`,
          ),
        ),
        ...(recipients.currentData?.data ?? []).map(({ id, fullName }) =>
          command(
            id,
            t('common:menu.recipients'),
            fullName ?? id,
            `/recipients?query=${named(fullName ?? '')}&open=${id}`,
          ),
        ),
        ...(movements.currentData?.data ?? []).map(({ id, number }) =>
          command(id, t('common:menu.movements'), number, `/balances/movements/?query=${number}&open=${id}`),
        ),
      ];
  const searching = [agencies, agents, dealers, senders, recipients, movements].some(
    ({ isFetching }) => isFetching,
  );
  return { commands, searching };
}
