import { ActionIcon, Button, Group, Menu, Stack, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconBookmarkPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useTexts } from '~/shared/lib/texts';
import { useRemembered } from '~/shared/lib/useRemembered';
import { Dialog } from '../Dialog';

interface View {
  name: string;
  /** Query string of the address: filters, sort, page size. */
  search: string;
}

/** Maximum number of views in the menu. */
const MOST_VIEWS = 20;
const LONGEST_NAME = 40;

const isViews = (value: unknown): value is View[] =>
  Array.isArray(value) &&
  value.every((one) => typeof one?.name === 'string' && typeof one?.search === 'string');

/** A view: the list's address without the open row and the page number. */
function viewSearch(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of ['page', 'open', 'edit', 'new']) params.delete(name);
  return params.toString();
}

/** Saves a list's filters and sort under a name of the reader's choice. */
export function SavedViews({ list }: { list: string }) {
  const t = useTexts();
  const location = useLocation();
  const navigate = useNavigate();
  const [views, setViews] = useRemembered<View[]>(`caudal.views.${list}`, [], isViews);
  const [naming, { open, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  const here = viewSearch(location.search);

  const save = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const called = name.trim();
    if (!called) return;
    const kept = views.filter((view) => view.name !== called);
    setViews([...kept, { name: called, search: here }].slice(-MOST_VIEWS));
    setName('');
    close();
  };

  return (
    <>
      <Menu position="bottom-end" shadow="md" width={240}>
        <Tooltip label={t('common:list.views')} withArrow openDelay={400}>
          <span>
            <Menu.Target>
              <ActionIcon variant="default" size={36} aria-label={t('common:list.views')}>
                <IconBookmark size={18} stroke={1.7} aria-hidden />
              </ActionIcon>
            </Menu.Target>
          </span>
        </Tooltip>
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              fw={view.search === here ? 650 : undefined}
              onClick={() => void navigate({ search: view.search })}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconBookmarkPlus size={16} aria-hidden />} onClick={open}>
            {t('common:list.saveView')}
          </Menu.Item>
          {views.some((view) => view.search === here) && (
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setViews(views.filter((view) => view.search !== here))}
            >
              {t('common:list.forgetView')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={naming} onClose={close} centered title={t('common:list.saveView')}>
        <form onSubmit={save}>
          <Stack>
            <TextInput
              label={t('common:list.viewName')}
              value={name}
              maxLength={LONGEST_NAME}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                {t('common:actions.back')}
              </Button>
              <Button type="submit">{t('common:actions.save')}</Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
