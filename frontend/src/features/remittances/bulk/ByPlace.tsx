import { Button, Checkbox, Popover, ScrollArea, Skeleton, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import { type Remittance, useListRemittancesQuery } from '~/api';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Bulk.module.css';
import { MOST_SELECTED, type Selection } from './selection';

interface Place {
  key: string;
  name: string;
  rows: Remittance[];
}

/** What can be assigned, by municipality, in the order of their names. */
export function placesOf(rows: Remittance[], locale: string): Place[] {
  const places = new Map<string, Place>();
  for (const row of rows) {
    const { address } = row;
    if (!address?.municipalityId) continue;
    const name = [address.municipality, address.province].filter(Boolean).join(', ');
    const place = places.get(address.municipalityId) ?? { key: address.municipalityId, name, rows: [] };
    place.rows.push(row);
    places.set(place.key, place);
  }
  const compare = new Intl.Collator(locale).compare;
  return [...places.values()].sort((a, b) => compare(a.name, b.name));
}

function Places({ selection, status }: { selection: Selection; status: 0 | 2 }) {
  const t = useTexts();
  const locale = useLocale();
  const { data } = useListRemittancesQuery({ status, deliveryMethod: 'home', recordsPerPage: 0 });
  if (!data) return <Skeleton height={120} />;
  const places = placesOf(data.data.filter(selection.takes), locale);
  if (places.length === 0) return <Text size="sm">{t('remittances:bulk.nothing')}</Text>;
  return (
    <ScrollArea.Autosize mah={360} type="auto">
      <ul className={classes.places}>
        {places.map((place) => {
          const chosen = place.rows.filter(({ id }) => selection.rows.has(id)).length;
          return (
            <li key={place.key}>
              <Checkbox
                classNames={{ body: classes.place }}
                label={t('remittances:bulk.place', {
                  name: place.name,
                  count: place.rows.length,
                  shown: formatCount(place.rows.length, locale),
                })}
                checked={chosen > 0 && chosen === place.rows.length}
                indeterminate={chosen > 0 && chosen < place.rows.length}
                onChange={(event) => selection.toggle(place.rows, event.currentTarget.checked)}
              />
            </li>
          );
        })}
      </ul>
      <Text size="xs" c="dimmed">
        {t('remittances:bulk.most', { count: MOST_SELECTED })}
      </Text>
    </ScrollArea.Autosize>
  );
}

/** Chooses everything of a municipality at once, whatever page of the list it is on. */
export function ByPlace({ selection, status }: { selection: Selection; status: 0 | 2 }) {
  const t = useTexts();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={320} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          // A thumb's on a tablet, as high as the buttons beside it where there is a pointer.
          mih={{ base: 44, md: 36 }}
          leftSection={<IconMapPin size={17} aria-hidden />}
          onClick={() => setOpened((before) => !before)}
        >
          {t('remittances:bulk.byPlace')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('remittances:bulk.byPlace')}>
        {opened && <Places selection={selection} status={status} />}
      </Popover.Dropdown>
    </Popover>
  );
}
