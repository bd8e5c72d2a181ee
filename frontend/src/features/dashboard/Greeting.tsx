import { Text, Title } from '@mantine/core';
import { useProfile } from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Dashboard.module.css';
import { hourIn } from './ranges';

/** Until when it is morning and afternoon. */
const NOON = 12;
const EVENING = 19;

/** A greeting by the hour where the tenant is, and today's date there. */
export function Greeting() {
  const t = useTexts();
  const locale = useLocale();
  const { name, timeZone } = useProfile();
  const hour = hourIn(timeZone);
  const part = hour < NOON ? 'morning' : hour < EVENING ? 'afternoon' : 'evening';
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone }).format(new Date());
  return (
    <div>
      <Title order={1} size="h2">
        {t(`dashboard:greeting.${part}`, { name })}
      </Title>
      <Text c="dimmed" size="sm" className={classes.day}>
        {day}
      </Text>
    </div>
  );
}
